<?php
/* This extension where an old value will not do: one process is elected, the others wait for the new
 * value instead of taking the old one. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

return new class () implements Contender {
	private \McPatterns\Cache $cache;
	private int $ttl;

	public function title(): string
	{
		return 'mcpatterns, never stale';
	}

	public function description(): string
	{
		return 'Cache::remember(stale: false)';
	}

	public function missing(): ?string
	{
		return extension_loaded('mcpatterns') ? null : 'the PHP extension mcpatterns';
	}

	public function scenes(): array
	{
		return ['hot'];
	}

	public function connect(string $socket, int $ttl): void
	{
		$this->cache = new \McPatterns\Cache(new \McPatterns\Pool("unix://$socket"));
		$this->ttl = $ttl;
	}

	public function read(string $key, callable $compute): mixed
	{
		return $this->cache->remember($key, $this->ttl, $compute, stale: false);
	}

	public function store(string $key, mixed $value): void
	{
		$this->cache->set($key, $value, $this->ttl);
	}
};
