<?php
/* This extension: one call. One process is elected to rebuild, the others get the old value at once. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

return new class () implements Contender {
	private \McPatterns\Cache $cache;
	private int $ttl;

	public function title(): string
	{
		return 'mcpatterns';
	}

	public function description(): string
	{
		return 'Cache::remember()';
	}

	public function missing(): ?string
	{
		return extension_loaded('mcpatterns') ? null : 'the PHP extension mcpatterns';
	}

	public function scenes(): array
	{
		return ['hot', 'cold'];
	}

	public function connect(string $socket, int $ttl): void
	{
		$this->cache = new \McPatterns\Cache(new \McPatterns\Pool("unix://$socket"));
		$this->ttl = $ttl;
	}

	public function read(string $key, callable $compute): mixed
	{
		return $this->cache->remember($key, $this->ttl, $compute);
	}

	public function store(string $key, mixed $value): void
	{
		$this->cache->set($key, $value, $this->ttl);
	}
};
