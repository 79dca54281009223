<?php
/* What plugins, commands and WordPress' own tests do with the class itself, and WordPress 6.9 with salted values. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Clock;

final class ClassTest extends WordPressTestCase
{
	/** As core's own class takes them: plugins leave out what they do not need. */
	public function testHasTheDefaultsOfWordPressOwnClass(): void
	{
		$cache = $GLOBALS['wp_object_cache'];
		self::assertTrue($cache->add('key', 1));
		self::assertTrue($cache->replace('key', 2));
		self::assertTrue($cache->set('key', 3));
		self::assertSame(3, $cache->get('key'));
		self::assertSame(['key' => 3], $cache->get_multiple(['key']));
		self::assertSame(4, $cache->incr('key'));
		self::assertSame(3, $cache->decr('key'));
		self::assertSame(0, $cache->decr('key', 5, 'default'));
		self::assertSame(0, wp_cache_get('key'), 'no group is the default one');
		self::assertTrue($cache->delete('key'));
		self::assertFalse($cache->decr('key'));
	}

	public function testDoesManyAtOnceByMethodsToo(): void
	{
		$cache = $GLOBALS['wp_object_cache'];
		self::assertSame(['a' => true, 7 => true], $cache->set_multiple(['a' => 1, 7 => 2], 'group', 60));
		self::assertSame(['a' => false, 'b' => true], $cache->add_multiple(['a' => 3, 'b' => 3], 'group', 60));
		self::assertSame(['a' => true, 'none' => false, 7 => true], $cache->delete_multiple(['a', 'none', 7], 'group'));
		$this->nextRequest();
		self::assertSame(['a' => false, 'b' => 3, 7 => false], wp_cache_get_multiple(['a', 'b', 7], 'group'));
		self::assertSame(['c' => true], $GLOBALS['wp_object_cache']->add_multiple(['c' => 4]));
		self::assertSame(4, wp_cache_get('c'));
	}

	/** What long commands do between two posts. */
	public function testForgetsTheRequestWhenItsMemoryIsSetToNothing(): void
	{
		wp_cache_set('key', 'first', 'group');
		wp_cache_set('key', 1, 'counts');
		$request = $GLOBALS['wp_object_cache'];
		self::assertContains('first', $request->cache['group']);
		$this->nextRequest();
		wp_cache_set('key', 'second', 'group');
		$GLOBALS['wp_object_cache'] = $request;
		self::assertSame('first', wp_cache_get('key', 'group'));
		$request->cache = [];
		$request->group_ops = [];
		self::assertSame('second', wp_cache_get('key', 'group'));
		self::assertFalse(wp_cache_get('key', 'counts'));
		self::assertArrayHasKey('users', $request->global_groups);
	}

	/** Plugins for debugging put an object of theirs before it, and tests one in its place. */
	public function testAsksWhatStandsInItsPlace(): void
	{
		wp_cache_set('key', 'value', 'group');
		$GLOBALS['wp_object_cache'] = new class ($GLOBALS['wp_object_cache']) {
			/** @var list<string> */
			public array $asked = [];

			public function __construct(private readonly \WP_Object_Cache $own)
			{
			}

			public function get(string $key, string $group): mixed
			{
				$this->asked[] = "$group:$key";
				return $this->own->get($key, $group);
			}
		};
		self::assertSame('value', wp_cache_get('key', 'group'));
		self::assertSame(['group:key'], $GLOBALS['wp_object_cache']->asked);
	}

	public function testPrintsItsStatistics(): void
	{
		wp_cache_set('key', fn () => 1, 'counts');
		wp_cache_set('key', 1, '<group>');
		wp_cache_get('key', '<group>');
		wp_cache_get('none', '<group>');
		wp_cache_get('none', '<group>');
		ob_start();
		$GLOBALS['wp_object_cache']->stats();
		$page = (string) ob_get_clean();
		self::assertStringContainsString('Hits:</strong> 1<', $page);
		self::assertStringContainsString('Misses:</strong> 2<', $page);
		self::assertStringContainsString('&lt;group&gt; - ( 1 )', $page);
	}

	public function testFindsNothingToDeleteAfterAFlush(): void
	{
		wp_cache_set_multiple(['a' => 1, 'b' => 1, 'c' => 1], 'group');
		wp_cache_flush();
		self::assertFalse(wp_cache_delete('a', 'group'));
		wp_cache_set('b', 2, 'group');
		$this->nextRequest();
		self::assertSame(['b' => true, 'c' => false], wp_cache_delete_multiple(['b', 'c'], 'group'));
	}

	/** Queries are kept under one name, beside the time of the last change that they hold for. */
	public function testKeepsSaltedValuesForAsLongAsTheirSalt(): void
	{
		foreach (['0.5 1700000000', ['0.5 1700000000', '0.7 1700000001']] as $salt) {
			self::assertTrue(wp_cache_set_salted('query', [1, 2], 'post-queries', $salt, 60));
			$this->nextRequest();
			self::assertSame([1, 2], wp_cache_get_salted('query', 'post-queries', $salt));
			self::assertFalse(wp_cache_get_salted('query', 'post-queries', '0.9 1700000002'));
			self::assertSame(['a' => true, 'b' => true], wp_cache_set_multiple_salted(['a' => 1, 'b' => 2], 'terms', $salt));
			wp_cache_set('b', 'without a salt', 'terms');
			$this->nextRequest();
			self::assertSame(['a' => 1, 'b' => false, 'c' => false], wp_cache_get_multiple_salted(['a', 'b', 'c'], 'terms', $salt));
			self::assertSame(['a' => false], wp_cache_get_multiple_salted(['a'], 'terms', 'another'));
		}
	}

	public function testHasExpiredSaltedValuesRebuiltOnce(): void
	{
		Clock::freeze();
		wp_cache_set_salted('query', 'old', 'post-queries', 'salt', 60);
		Clock::advance(61);
		$this->nextRequest();
		self::assertFalse(wp_cache_get_salted('query', 'post-queries', 'salt'), 'this request is to rebuild it');
		$rebuilding = $GLOBALS['wp_object_cache'];
		$this->nextRequest();
		self::assertSame('old', wp_cache_get_salted('query', 'post-queries', 'salt'));
		$GLOBALS['wp_object_cache'] = $rebuilding;
		wp_cache_set_salted('query', 'new', 'post-queries', 'salt', 60);
		$this->nextRequest();
		self::assertSame('new', wp_cache_get_salted('query', 'post-queries', 'salt'));
	}
}
