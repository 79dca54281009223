<?php
/* 12 processes that ask for one transient over and over: one computes whenever it expires. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, Race};

final class RaceTest extends MemcachedTestCase
{
	public function testComputesOncePerExpiry(): void
	{
		Race::assertOneComputationPerExpiry(fn (Race $race): \Closure => fn () => $this->front($race), isCold: false);
	}

	/** What a theme does, in a request of its own each time. */
	private function front(Race $race): mixed
	{
		$GLOBALS['wp_object_cache'] = new \WP_Object_Cache($this->pool);
		$front = get_transient('front');
		if ($front === false) {
			set_transient('front', $front = $race->compute(), Race::TTL);
		}
		return $front;
	}
}
