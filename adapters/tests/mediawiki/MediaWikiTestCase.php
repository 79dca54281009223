<?php
/* Requests of one wiki, each with a cache of its own over one memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\MediaWiki;

use McPatterns\Adapters\MediaWiki\BagOStuff;
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Cache, Pool};

abstract class MediaWikiTestCase extends MemcachedTestCase
{
	protected BagOStuff $cache;
	protected string $prefix;

	protected function setUp(): void
	{
		parent::setUp();
		$this->prefix = bin2hex(random_bytes(6)) . ':';
		$this->nextRequest();
	}

	/** What a request knows of its looks is gone, and what memcached has is not. */
	protected function nextRequest(): void
	{
		Pool::endRequest();
		$this->cache = $this->bag();
	}

	/** @param array<string, mixed> $pool */
	protected function bag(array $pool = []): BagOStuff
	{
		return new BagOStuff(['keyspace' => 'wiki', 'prefix' => $this->prefix, 'servers' => [self::$memcached->address],
			'pool' => $pool + ['timeout' => 5]]);
	}

	protected function wan(): \WANObjectCache
	{
		return new \WANObjectCache(['cache' => $this->cache]);
	}

	/** As an eviction does: this process knows nothing of it. */
	protected function lose(string $key): void
	{
		run_workers(1, fn () => (new Cache(self::pool(), $this->prefix))->delete($key));
	}
}
