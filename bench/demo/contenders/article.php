<?php
/* The stale envelope of A. Smirnov's "Web, caching and memcached" (2008), written in PHP as it was meant
 * there: stored for twice its life, and the first to find it over puts the old value back for everybody
 * else before it rebuilds. The putting back is a plain set, so everybody who read before it landed was
 * "the first" as well. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

return new class () implements Contender {
	private \Memcached $memcached;
	private int $ttl;

	public function title(): string
	{
		return 'stale envelope in PHP';
	}

	public function description(): string
	{
		return 'the 2008 article over php-memcached';
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
		$value = $this->get($key);
		if ($value === false) {
			$value = $compute();
			$this->store($key, $value);
		}
		return $value;
	}

	public function store(string $key, mixed $value): void
	{
		$this->put($key, $value, $this->ttl);
	}

	/** The value, fresh or put back by somebody; false for whoever is to rebuild it. */
	private function get(string $key): mixed
	{
		$envelope = $this->memcached->get($key);
		if (!is_array($envelope)) {
			return false;
		}
		if ($envelope['_dc_life_end'] > time()) {
			return $envelope['_dc_cache'];
		}
		$this->put($key, $envelope['_dc_cache'], $envelope['_dc_cache_time']);
		return false;
	}

	private function put(string $key, mixed $value, int $lifetime): void
	{
		$envelope = [
			'_dc_cache' => $value,
			'_dc_life_end' => time() + $lifetime,
			'_dc_cache_time' => $lifetime,
		];
		$this->memcached->set($key, $envelope, 2 * $lifetime);
	}
};
