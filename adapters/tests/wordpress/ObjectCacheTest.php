<?php
/* The rules of wp_cache_*() as WordPress documents them, over a real memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Adapters\Tests\Support\{ThrowsWhenRead, ThrowsWhenSerialized};
use McPatterns\{Clock, Pool, Status};
use PHPUnit\Framework\Attributes\DataProvider;

final class ObjectCacheTest extends WordPressTestCase
{
	/** @return iterable<string, array{mixed}> */
	public static function values(): iterable
	{
		yield 'null' => [null];
		yield 'false' => [false];
		yield 'zero' => [0];
		yield 'empty string' => [''];
		yield 'digits' => ['0123'];
		yield 'float' => [1.5];
		yield 'array' => [['a' => [null, (object) ['b' => 1]]]];
		yield 'object' => [(object) ['a' => 1]];
	}

	#[DataProvider('values')]
	public function testAnswersWhatWasSetInThisRequestAndTheNext(mixed $value): void
	{
		self::assertTrue(wp_cache_set('key', $value, 'group'));
		foreach ([1, 2] as $request) {
			$answer = wp_cache_get('key', 'group', false, $found);
			is_object($value) || is_array($value) ? self::assertEquals($value, $answer) : self::assertSame($value, $answer);
			self::assertTrue($found, "request $request");
			self::assertEquals(['key' => $value], wp_cache_get_multiple(['key'], 'group'));
			$this->nextRequest();
		}
	}

	public function testAnswersFalseWhereNothingIs(): void
	{
		$found = true;
		self::assertFalse(wp_cache_get('key', '', false, $found));
		self::assertFalse($found);
		self::assertSame(1, $GLOBALS['wp_object_cache']->cache_misses);
	}

	public function testTakesNoGroupForTheDefaultOne(): void
	{
		wp_cache_set('key', 1);
		self::assertSame(1, wp_cache_get('key', 'default'));
		self::assertFalse(wp_cache_get('key', 'other'));
		wp_cache_set('b:c', 2, 'a');
		self::assertFalse(wp_cache_get('c', 'a:b'), 'names do not run together');
		self::assertFalse(wp_cache_get('c', 'a::b'));
		wp_cache_set('key', 3, 'a%3Ab');
		wp_cache_set('key', 4, 'a:b');
		$this->nextRequest();
		self::assertSame([3, 4], [wp_cache_get('key', 'a%3Ab'), wp_cache_get('key', 'a:b')]);
	}

	public function testTakesNumbersForKeys(): void
	{
		wp_cache_set(17, 'post', 'posts');
		self::assertSame('post', wp_cache_get('17', 'posts'));
		self::assertSame([17 => 'post', 18 => false], wp_cache_get_multiple([17, 18], 'posts'));
		self::assertTrue(wp_cache_set(0, 'zero'));
		self::assertSame('zero', wp_cache_get(0));
	}

	/** @return iterable<string, array{mixed}> */
	public static function wrongKeys(): iterable
	{
		yield 'empty' => [''];
		yield 'blank' => ['  '];
		yield 'null' => [null];
		yield 'false' => [false];
		yield 'float' => [1.5];
		yield 'array' => [['key']];
	}

	#[DataProvider('wrongKeys')]
	public function testRefusesWhatIsNoKey(mixed $key): void
	{
		$calls = [
			fn () => wp_cache_set($key, 1), fn () => wp_cache_add($key, 1), fn () => wp_cache_replace($key, 1), fn () => wp_cache_get($key),
			fn () => wp_cache_delete($key), fn () => wp_cache_incr($key), fn () => wp_cache_decr($key),
		];
		foreach ($calls as $number => $call) {
			self::assertFalse($call());
			self::assertCount($number + 1, $GLOBALS['wordpress']['wrong']);
		}
		self::assertStringContainsString(gettype($key), $GLOBALS['wordpress']['wrong'][0]);
	}

	public function testAddsOnce(): void
	{
		self::assertTrue(wp_cache_add('key', 'first', 'group'));
		self::assertFalse(wp_cache_add('key', 'second', 'group'));
		$this->nextRequest();
		self::assertFalse(wp_cache_add('key', 'third', 'group'));
		self::assertSame('first', wp_cache_get('key', 'group'));
	}

	public function testAddsNothingWhileAdditionIsSuspended(): void
	{
		wp_suspend_cache_addition(true);
		self::assertFalse(wp_cache_add('key', 1));
		self::assertTrue(wp_cache_set('key', 1));
	}

	public function testReplacesWhatIsThere(): void
	{
		self::assertFalse(wp_cache_replace('key', 1));
		self::assertFalse(wp_cache_get('key'));
		wp_cache_set('key', 1);
		$this->nextRequest();
		self::assertTrue(wp_cache_replace('key', 2));
		$this->nextRequest();
		self::assertSame(2, wp_cache_get('key'));
	}

	public function testDeletes(): void
	{
		wp_cache_set('key', 1);
		self::assertTrue(wp_cache_delete('key'));
		self::assertFalse(wp_cache_delete('key'));
		self::assertFalse(wp_cache_get('key'));
		$this->nextRequest();
		self::assertFalse(wp_cache_get('key'));
	}

	public function testDoesManyAtOnce(): void
	{
		self::assertSame(['a' => true, 'b' => true], wp_cache_set_multiple(['a' => 1, 'b' => 2], 'group'));
		self::assertSame(['b' => false, 'c' => true, 7 => true], wp_cache_add_multiple(['b' => 0, 'c' => 3, 7 => 4], 'group'));
		self::assertSame(1, wp_cache_get('a', 'group'));
		$this->nextRequest();
		self::assertSame(['c' => 3, 'x' => false, 'a' => 1, 7 => 4], wp_cache_get_multiple(['c', 'x', 'a', 7], 'group'));
		self::assertSame(['a' => true, 'x' => false], wp_cache_delete_multiple(['a', 'x'], 'group'));
		self::assertSame(['a' => false, 'b' => 2], wp_cache_get_multiple(['a', 'b'], 'group'));
		self::assertSame([], wp_cache_get_multiple([], 'group'));
	}

	public function testCountsAndStopsAtZero(): void
	{
		self::assertFalse(wp_cache_incr('key'));
		wp_cache_set('key', 5);
		self::assertSame(6, wp_cache_incr('key'));
		self::assertSame(10, wp_cache_incr('key', 4));
		self::assertSame(7, wp_cache_decr('key', 3));
		$this->nextRequest();
		self::assertSame(7, wp_cache_get('key'));
		self::assertSame(0, wp_cache_decr('key', 100));
		self::assertSame(0, wp_cache_get('key'));
	}

	/** @return iterable<string, array{mixed, int, int|float}> */
	public static function numbers(): iterable
	{
		yield 'text' => ['text', 2, 2];
		yield 'digits' => ['5', 2, 7];
		yield 'negative' => [-5, 2, 0];
		yield 'negative, just below zero' => [-5, 3, 0];
		yield 'negative, far up' => [-5, 8, 3];
		yield 'fraction' => [1.5, 2, 3.5];
		yield 'array' => [[1], -1, 0];
	}

	#[DataProvider('numbers')]
	public function testCountsOnWhatIsNoNumberFromZero(mixed $value, int $offset, int|float $sum): void
	{
		wp_cache_set('shared', $value, 'group', 600);
		wp_cache_set('own', $value, 'counts');
		self::assertSame($sum, wp_cache_incr('own', $offset, 'counts'));
		self::assertSame($sum, wp_cache_incr('shared', $offset, 'group'));
		$this->nextRequest();
		self::assertSame($sum, wp_cache_get('shared', 'group'));
	}

	public function testCountingKeepsTheTtl(): void
	{
		Clock::freeze();
		wp_cache_set_multiple(['integer' => 1, 'text' => 'text'], '', 100);
		wp_cache_incr('integer');
		wp_cache_incr('text');
		Clock::advance(99);
		$this->nextRequest();
		self::assertSame(['integer' => 2, 'text' => 1], wp_cache_get_multiple(['integer', 'text']));
		Clock::advance(1.5);
		$this->nextRequest();
		self::assertSame(['integer' => false, 'text' => false], wp_cache_get_multiple(['integer', 'text']));
	}

	public function testHandsOutCopiesOfObjects(): void
	{
		$object = (object) ['name' => 'first'];
		wp_cache_set('key', $object);
		$object->name = 'changed after it was set';
		$answer = wp_cache_get('key');
		self::assertSame('first', $answer->name);
		$answer->name = 'changed after it was read';
		self::assertSame('first', wp_cache_get('key')->name);
		$this->nextRequest();
		wp_cache_get('key')->name = 'changed after it was read from memcached';
		self::assertSame('first', wp_cache_get('key')->name);
		self::assertSame('first', wp_cache_get_multiple(['key'])['key']->name);
	}

	public function testAsksOncePerRequestUnlessForced(): void
	{
		wp_cache_set('key', 'first');
		$this->nextRequest();
		wp_cache_get('key');
		$request = $GLOBALS['wp_object_cache'];
		$this->nextRequest();
		wp_cache_set('key', 'second');
		$GLOBALS['wp_object_cache'] = $request;
		self::assertSame('first', wp_cache_get('key'));
		self::assertSame('second', wp_cache_get('key', '', true));
		self::assertSame(['key' => 'second'], wp_cache_get_multiple(['key']));
		$this->nextRequest();
		wp_cache_delete('key');
		$GLOBALS['wp_object_cache'] = $request;
		self::assertSame(['key' => false], wp_cache_get_multiple(['key'], '', true));
		self::assertFalse(wp_cache_get('key'));
	}

	public function testKeepsSomeGroupsForTheRequestAlone(): void
	{
		self::assertTrue(wp_cache_set('key', fn () => 'what no memcached takes', 'counts'));
		self::assertSame('what no memcached takes', wp_cache_get('key', 'counts')());
		self::assertTrue(wp_cache_add('other', 1, 'plugins'));
		self::assertFalse(wp_cache_add('other', 1, 'plugins'));
		self::assertTrue(wp_cache_replace('other', 2, 'plugins'));
		self::assertFalse(wp_cache_replace('none', 2, 'plugins'));
		self::assertSame(3, wp_cache_incr('other', 1, 'plugins'));
		self::assertFalse(wp_cache_incr('none', 1, 'plugins'));
		self::assertTrue(wp_cache_delete('other', 'plugins'));
		self::assertFalse(wp_cache_delete('other', 'plugins'));
		self::assertFalse(wp_cache_get('other', 'plugins', true));
		$this->nextRequest();
		self::assertFalse(wp_cache_get('key', 'counts'));
	}

	public function testKeepsBlogsApartAndGlobalGroupsTogether(): void
	{
		$GLOBALS['wordpress']['multisite'] = true;
		$this->nextRequest();
		wp_cache_set('key', 'of blog 1', 'posts');
		wp_cache_set('key', 'of all', 'users');
		switch_to_blog(2);
		self::assertFalse(wp_cache_get('key', 'posts'));
		self::assertFalse(wp_cache_get('1:key', 'posts'));
		self::assertSame(['1:key' => false], wp_cache_get_multiple(['1:key'], 'posts'));
		self::assertSame('of all', wp_cache_get('key', 'users'));
		self::assertSame(['key' => 'of all'], wp_cache_get_multiple(['key'], 'users'));
		wp_cache_set('key', 'of blog 2', 'posts');
		self::assertSame(['key' => 'of blog 2'], wp_cache_get_multiple(['key'], 'posts'));
		$this->nextRequest();
		self::assertSame('of blog 2', wp_cache_get('key', 'posts'));
		switch_to_blog(1);
		self::assertSame('of blog 1', wp_cache_get('key', 'posts'));
		self::assertTrue(wp_cache_flush_group('posts'));
		switch_to_blog(2);
		self::assertFalse(wp_cache_get('key', 'posts'), 'a group is flushed in all blogs');
		self::assertSame('of all', wp_cache_get('key', 'users'));
	}

	public function testIgnoresBlogsWhereThereIsOne(): void
	{
		wp_cache_set('key', 1);
		wp_cache_switch_to_blog(2);
		self::assertSame(1, wp_cache_get('key'));
	}

	public function testFlushesAGroup(): void
	{
		wp_cache_set('key', 1, 'one');
		wp_cache_set('key', 2, 'two');
		wp_cache_set('key', 3, 'counts');
		self::assertTrue(wp_cache_flush_group('one'));
		self::assertTrue(wp_cache_flush_group('counts'));
		self::assertFalse(wp_cache_get('key', 'counts'));
		foreach ([1, 2] as $request) {
			self::assertFalse(wp_cache_get('key', 'one'), "request $request");
			self::assertSame(2, wp_cache_get('key', 'two'));
			$this->nextRequest();
		}
		self::assertTrue(wp_cache_set('key', 4, 'one'));
		$this->nextRequest();
		self::assertSame(4, wp_cache_get('key', 'one'));
		self::assertTrue(wp_cache_flush_group(str_repeat('a long name', 30)));
	}

	public function testFlushesItsOwnSiteAlone(): void
	{
		$other = self::pool(bin2hex(random_bytes(6)) . '.');
		wp_cache_set('key', 1);
		$this->nextRequest($other);
		wp_cache_set('key', 2);
		self::assertTrue(wp_cache_flush());
		self::assertFalse(wp_cache_get('key'));
		$this->nextRequest();
		self::assertSame(1, wp_cache_get('key'));
	}

	public function testFlushesTheRequestsMemoryAlone(): void
	{
		wp_cache_set('key', 1);
		wp_cache_set('key', 1, 'counts');
		self::assertTrue(wp_cache_flush_runtime());
		self::assertSame(1, wp_cache_get('key'));
		self::assertFalse(wp_cache_get('key', 'counts'));
	}

	public function testSaysWhatItSupports(): void
	{
		foreach (['add_multiple', 'set_multiple', 'get_multiple', 'delete_multiple', 'flush_runtime', 'flush_group'] as $feature) {
			self::assertTrue(wp_cache_supports($feature), $feature);
		}
		self::assertFalse(wp_cache_supports('anything else'));
		self::assertTrue(wp_cache_close());
	}

	public function testEndsAtOnceWhatHasEnded(): void
	{
		foreach (['wp_cache_add', 'wp_cache_set', 'wp_cache_replace'] as $how) {
			wp_cache_set('ended', 'old');
			$how === 'wp_cache_add' && wp_cache_delete('ended');
			self::assertTrue($how('ended', 'new', '', -1));
			$this->nextRequest();
			usleep(5000);
			self::assertFalse(wp_cache_get('ended'), $how);
			self::assertFalse(wp_cache_get('ended'), "$how: served as old");
		}
	}

	public function testKeepsAValueForItsTtlAndNoLonger(): void
	{
		Clock::freeze();
		wp_cache_set_multiple(['a' => 1, 'b' => 2], '', 60);
		wp_cache_set('for ever', 3);
		wp_cache_set('ended', 4, '', -1);
		Clock::advance(59);
		$this->nextRequest();
		self::assertSame(['a' => 1, 'b' => 2, 'ended' => false], wp_cache_get_multiple(['a', 'b', 'ended']));
		Clock::advance(2);
		$this->nextRequest();
		self::assertFalse(wp_cache_get('a'));
		self::assertTrue(wp_cache_add('a', 'new', '', 60), 'an expired value is no obstacle');
		Clock::advance(86400 * 40);
		$this->nextRequest();
		self::assertSame(3, wp_cache_get('for ever'));
	}

	public function testHasAnExpiredTransientRebuiltOnce(): void
	{
		Clock::freeze();
		set_transient('front', 'old', 60);
		Clock::advance(61);
		$this->nextRequest();
		self::assertFalse(get_transient('front'), 'this request is to rebuild it');
		$rebuilding = $GLOBALS['wp_object_cache'];
		foreach ([1, 2, 3] as $other) {
			$this->nextRequest();
			self::assertSame('old', get_transient('front'), "request $other beside it");
		}
		$GLOBALS['wp_object_cache'] = $rebuilding;
		set_transient('front', 'new', 60);
		$this->nextRequest();
		self::assertSame('new', get_transient('front'));
	}

	public function testServesNothingOldThatWasDeleted(): void
	{
		set_transient('front', 'old', 60);
		wp_cache_delete('front', 'transient');
		foreach ([1, 2] as $request) {
			$this->nextRequest();
			self::assertFalse(get_transient('front'), "request $request");
		}
	}

	public function testKeepsForTheRequestWhatCannotBeStoredAndLeavesNothingOld(): void
	{
		foreach ([random_bytes(1_100_000), fn () => 1, new ThrowsWhenSerialized()] as $value) {
			wp_cache_set('key', 'old');
			self::assertFalse(wp_cache_set('key', $value));
			self::assertFalse(wp_cache_add('another', $value));
			self::assertEquals($value, wp_cache_get('another'));
			self::assertEquals($value, wp_cache_get('key'));
			wp_cache_set('replaced', 'old');
			self::assertFalse(wp_cache_replace('replaced', $value));
			self::assertFalse(wp_cache_get('replaced'));
			$this->nextRequest();
			self::assertFalse(wp_cache_get('key'));
		}
	}

	public function testIsAMissWhereNoServerIs(): void
	{
		$this->nextRequest(new Pool('unix:///there/is/none'));
		self::assertFalse(wp_cache_set('key', 1));
		self::assertSame(1, wp_cache_get('key'), 'the request goes on with what it has set');
		self::assertFalse(wp_cache_add('other', 1));
		self::assertSame(1, wp_cache_get('other'), 'and with what it has added, as alloptions');
		self::assertSame(['none' => false], wp_cache_get_multiple(['none']));
		self::assertFalse(wp_cache_incr('none'));
		self::assertFalse(wp_cache_delete('none'));
		self::assertFalse(wp_cache_flush());
		self::assertFalse(wp_cache_flush_group('group'));
	}

	public function testTellsTheRequestWhatAnotherHasAdded(): void
	{
		$request = $GLOBALS['wp_object_cache'];
		$this->nextRequest();
		wp_cache_add('key', 'of another');
		$GLOBALS['wp_object_cache'] = $request;
		self::assertFalse(wp_cache_add('key', 'own'));
		self::assertSame('of another', wp_cache_get('key'));
	}

	public function testTakesEveryExpiry(): void
	{
		foreach ([PHP_INT_MAX, 1_800_000_000, '1800000000', 1e20, INF, NAN, 'text', null] as $expire) {
			self::assertTrue(wp_cache_set('key', 1, '', $expire));
			self::assertSame(1, wp_cache_get('key', '', true));
		}
	}

	public function testTakesCasesOfEnums(): void
	{
		wp_cache_set('key', Status::Fresh);
		self::assertSame(Status::Fresh, wp_cache_get('key'));
		self::assertSame(Status::Fresh, wp_cache_get('key', '', true));
	}

	public function testMissesWhatItsOwnClassRefuses(): void
	{
		wp_cache_set('refused', new ThrowsWhenRead(), 'group');
		wp_cache_set('other', 2, 'group');
		$this->nextRequest();
		self::assertFalse(wp_cache_get('refused', 'group', false, $found));
		self::assertFalse($found);
		$this->nextRequest();
		self::assertSame(['refused' => false, 'other' => 2], wp_cache_get_multiple(['refused', 'other'], 'group'));
		self::assertTrue(wp_cache_set('refused', 'new', 'group'));
		$this->nextRequest();
		self::assertSame('new', wp_cache_get('refused', 'group'));
	}

	public function testCountsByAnyNumber(): void
	{
		wp_cache_set('key', 5);
		self::assertSame(0, wp_cache_incr('key', PHP_INT_MIN));
		self::assertEquals(PHP_INT_MAX, wp_cache_decr('key', PHP_INT_MIN));
	}

	public function testCountsHitsAndMisses(): void
	{
		wp_cache_set('key', 1);
		wp_cache_get('key');
		wp_cache_get_multiple(['key', 'none']);
		self::assertSame([2, 1], [$GLOBALS['wp_object_cache']->cache_hits, $GLOBALS['wp_object_cache']->cache_misses]);
	}
}
