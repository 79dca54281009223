<?php
/* For a test over a private memcached, which its whole class shares, under a prefix of its own. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use McPatterns\{Cache, Clock, Pool};

trait UsesMemcached
{
	protected static \PrivateMemcached $memcached;
	protected Pool $pool;
	private string $poolPrefix;

	public static function setUpBeforeClass(): void
	{
		self::$memcached = start_memcached();
	}

	public static function tearDownAfterClass(): void
	{
		self::$memcached->dispose();
	}

	protected function setUp(): void
	{
		$this->poolPrefix = bin2hex(random_bytes(6)) . '.';
		$this->pool = self::pool($this->poolPrefix);
	}

	protected function tearDown(): void
	{
		Clock::unfreeze();
	}

	protected static function pool(string $prefix = ''): Pool
	{
		return new Pool(self::$memcached->address, prefix: $prefix, timeout: 5);
	}

	/** As another process does, which ends nothing that this one has noted of the key. */
	protected function deleteElsewhere(string $key, ?string $prefix = null): void
	{
		self::assertMatchesRegularExpression('/^(DELETED|NOT_FOUND)\r\n$/', speak(self::$memcached->address, 'delete ' . ($prefix ?? $this->poolPrefix) . "$key\r\n", 5));
	}

	/** Keeps from being stored what was read before a delete. */
	protected function guardedCache(string $prefix = 'cache.'): Cache
	{
		return new Cache($this->pool, $prefix, ttl: 60, grace: 0, clearable: true, guarded: true);
	}

	/** As the interfaces want it: nothing is served past its TTL, and clear() works. */
	protected function strictCache(int|float $ttl = 0, string $prefix = 'cache.'): Cache
	{
		return new Cache($this->pool, $prefix, ttl: $ttl, grace: 0, clearable: true);
	}
}
