<?php
/* A small booted application whose default store is mcpatterns, over a private memcached, under a prefix of its own. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\CacheServiceProvider;
use Illuminate\Config\Repository as Config;
use Illuminate\Events\EventServiceProvider;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\Facade;
use McPatterns\Adapters\Laravel\McPatternsServiceProvider;
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;

abstract class LaravelTestCase extends MemcachedTestCase
{
	protected Application $app;
	protected string $prefix;

	protected function setUp(): void
	{
		parent::setUp();
		$this->prefix = bin2hex(random_bytes(6)) . '-cache-';
		$this->app = $this->application();
		Facade::clearResolvedInstances();
		Facade::setFacadeApplication($this->app);
	}

	protected function tearDown(): void
	{
		Facade::clearResolvedInstances();
		Facade::setFacadeApplication(null);
		parent::tearDown();
	}

	/**
	 * Another process' application, but for the process.
	 *
	 * @param array<string, mixed> $store
	 */
	protected function application(array $store = []): Application
	{
		$app = new Application('/nonexistent');
		$app->instance('config', new Config(['cache' => [
			'default' => 'mcpatterns',
			'prefix' => $this->prefix,
			'stores' => ['mcpatterns' => $store + ['servers' => self::$memcached->address, 'timeout' => 5]],
		]]));
		$app->register(EventServiceProvider::class);
		$app->register(CacheServiceProvider::class);
		$app->register(McPatternsServiceProvider::class);
		$app->boot();
		return $app;
	}
}
