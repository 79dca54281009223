<?php
/* get, compute, set over Redis by phpredis, when bench/compare has started a Redis: another server does not change what every
 * process does that finds nothing. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

return new class () implements Contender {
	private \Redis $redis;
	private int $ttl;

	public function title(): string
	{
		return 'phpredis';
	}

	public function description(): string
	{
		return 'get, compute, set over Redis';
	}

	public function missing(): ?string
	{
		return extension_loaded('redis') && getenv('MCP_BENCH_REDIS') ? null : 'phpredis and redis-server, which bench/compare starts';
	}

	public function scenes(): array
	{
		return ['hot', 'cold'];
	}

	public function connect(string $socket, int $ttl): void
	{
		$this->redis = new \Redis();
		$this->redis->connect(getenv('MCP_BENCH_REDIS'));
		$this->redis->setOption(\Redis::OPT_SERIALIZER, \Redis::SERIALIZER_PHP);
		$this->ttl = $ttl;
	}

	public function read(string $key, callable $compute): mixed
	{
		$value = $this->redis->get($key);
		if ($value === false) {
			$value = $compute();
			$this->store($key, $value);
		}
		return $value;
	}

	public function store(string $key, mixed $value): void
	{
		$this->redis->setex($key, $this->ttl, $value);
	}
};
