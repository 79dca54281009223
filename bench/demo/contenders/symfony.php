<?php
/* Symfony's cache contract over its memcached adapter, when bench/compare has installed it: processes of
 * one machine compute one after the other, and an item may be refreshed early by chance. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

use Symfony\Component\Cache\Adapter\MemcachedAdapter;
use Symfony\Component\Cache\LockRegistry;
use Symfony\Contracts\Cache\ItemInterface;

return new class () implements Contender {
	private MemcachedAdapter $cache;
	private int $ttl;

	public function title(): string
	{
		return 'Symfony contract';
	}

	public function description(): string
	{
		return 'CacheInterface::get() over memcached';
	}

	public function missing(): ?string
	{
		$autoload = getenv('MCP_BENCH_VENDOR') . '/autoload.php';
		if (!extension_loaded('memcached') || !is_file($autoload)) {
			return 'symfony/cache and php-memcached; bench/compare installs them';
		}
		require_once $autoload;
		return null;
	}

	public function scenes(): array
	{
		return ['hot', 'cold'];
	}

	public function connect(string $socket, int $ttl): void
	{
		$memcached = new \Memcached();
		$memcached->addServer($socket, 0);
		$this->cache = new MemcachedAdapter($memcached);
		// As on a web server: on the command line it computes without its lock.
		$this->cache->setCallbackWrapper(LockRegistry::compute(...));
		$this->ttl = $ttl;
	}

	public function read(string $key, callable $compute): mixed
	{
		return $this->cache->get($key, function (ItemInterface $item) use ($compute): mixed {
			$item->expiresAfter($this->ttl);
			return $compute();
		});
	}

	public function store(string $key, mixed $value): void
	{
		$this->read($key, fn (): mixed => $value);
	}
};
