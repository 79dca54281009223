<?php
/* Laravel's Cache::flexible() over its driver for memcached, when bench/compare has installed it: old values are served while
 * one process computes after its response, and a key that never was is computed by everybody. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

use Illuminate\Cache\CacheServiceProvider;
use Illuminate\Cache\Repository;
use Illuminate\Config\Repository as Config;
use Illuminate\Events\EventServiceProvider;
use Illuminate\Foundation\Application;
use Illuminate\Support\Defer\DeferredCallbackCollection;

return new class () implements Contender {
	private Application $app;
	private Repository $cache;
	private int $ttl;

	public function title(): string
	{
		return 'Laravel flexible';
	}

	public function description(): string
	{
		return 'Cache::flexible() over memcached';
	}

	public function missing(): ?string
	{
		$autoload = getenv('MCP_BENCH_LARAVEL') . '/autoload.php';
		if (!extension_loaded('memcached') || !is_file($autoload)) {
			return 'laravel/framework and php-memcached; bench/compare installs them';
		}
		require_once $autoload;
		require_once __DIR__ . '/../../../adapters/tests/laravel/stand-ins.php';
		// Its classes are read once, before the processes fork and the clock runs.
		$this->connect('/nonexistent', 1);
		$this->read('nothing', fn (): string => '');
		return null;
	}

	public function scenes(): array
	{
		return ['hot', 'cold'];
	}

	public function connect(string $socket, int $ttl): void
	{
		$this->app = new Application('/nonexistent');
		$this->app->instance('config', new Config(['cache' => ['default' => 'memcached', 'prefix' => 'laravel-', 'stores' => [
			'memcached' => ['driver' => 'memcached', 'servers' => [['host' => $socket, 'port' => 0, 'weight' => 100]]],
		]]]));
		$this->app->scoped(DeferredCallbackCollection::class);
		$this->app->register(EventServiceProvider::class);
		$this->app->register(CacheServiceProvider::class);
		$this->app->boot();
		$this->cache = $this->app->make('cache')->store();
		$this->ttl = $ttl;
	}

	public function read(string $key, callable $compute): mixed
	{
		$value = $this->cache->flexible($key, [$this->ttl, 2 * $this->ttl], $compute(...));
		// What Laravel does when the response has been sent.
		$this->app->make(DeferredCallbackCollection::class)->invoke();
		return $value;
	}

	public function store(string $key, mixed $value): void
	{
		$this->cache->flexible($key, [$this->ttl, 2 * $this->ttl], fn (): mixed => $value);
	}
};
