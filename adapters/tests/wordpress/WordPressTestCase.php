<?php
/* Requests of one site, each with an object cache of its own over one memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\Pool;

abstract class WordPressTestCase extends MemcachedTestCase
{
	protected function setUp(): void
	{
		parent::setUp();
		$GLOBALS['wordpress'] = ['multisite' => false, 'blog' => 1, 'suspended' => false, 'wrong' => [], 'actions' => [], 'admin' => true];
		$this->nextRequest();
	}

	/** What a request has in memory is gone, and what memcached has is not. */
	protected function nextRequest(?Pool $pool = null): void
	{
		$GLOBALS['wp_object_cache'] = new \WP_Object_Cache($pool ?? $this->pool);
		wp_cache_add_global_groups(['users', 'site-transient']);
		wp_cache_add_non_persistent_groups(['counts', 'plugins']);
	}
}
