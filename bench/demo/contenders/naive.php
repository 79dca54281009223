<?php
/* What everybody writes first: get, and when nothing is there compute and set. When the value expires,
 * every process finds nothing and computes. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

return new class () implements Contender {
	private \Memcached $memcached;
	private int $ttl;

	public function title(): string
	{
		return 'get, compute, set';
	}

	public function description(): string
	{
		return 'plain php-memcached';
	}

	public function missing(): ?string
	{
		return extension_loaded('memcached') ? null : 'the PHP extension memcached';
	}

	public function scenes(): array
	{
		return ['hot', 'cold'];
	}

	public function connect(string $socket, int $ttl): void
	{
		$this->memcached = new \Memcached();
		$this->memcached->addServer($socket, 0);
		$this->ttl = $ttl;
	}

	public function read(string $key, callable $compute): mixed
	{
		$value = $this->memcached->get($key);
		if ($value === false) {
			$value = $compute();
			$this->store($key, $value);
		}
		return $value;
	}

	public function store(string $key, mixed $value): void
	{
		$this->memcached->set($key, $value, $this->ttl);
	}
};
