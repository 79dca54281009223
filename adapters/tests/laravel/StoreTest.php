<?php
/* What Laravel's manual says of the cache, through the facade. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Support\Facades\Cache;
use McPatterns\Adapters\Laravel\{McPatternsServiceProvider, Repository, Store};
use McPatterns\Adapters\Tests\Support\ThrowsWhenRead;
use McPatterns\{Clock, Pool};
use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Log\LoggerInterface;

final class StoreTest extends LaravelTestCase
{
	public function testIsTheStoreThatCacheStoreNames(): void
	{
		self::assertInstanceOf(Repository::class, Cache::store());
		self::assertInstanceOf(Store::class, Cache::getStore());
		self::assertSame(Cache::store('mcpatterns'), Cache::store());
		self::assertSame($this->prefix, Cache::getPrefix());
	}

	/** @return iterable<string, array{mixed}> */
	public static function values(): iterable
	{
		yield 'string' => ['text'];
		yield 'digits' => ['007'];
		yield 'integer' => [42];
		yield 'float' => [1.5];
		yield 'false' => [false];
		yield 'empty' => [''];
		yield 'array' => [['a' => [1, null]]];
		yield 'object' => [new \DateTimeImmutable('2026-01-02T03:04:05Z')];
	}

	#[DataProvider('values')]
	public function testAnswersWhatWasPut(mixed $value): void
	{
		self::assertTrue(Cache::put('key', $value, 60));
		self::assertEquals($value, Cache::get('key'));
		self::assertSame(get_debug_type($value), get_debug_type(Cache::get('key')));
		self::assertTrue(Cache::has('key'));
		self::assertFalse(Cache::missing('key'));
	}

	public function testDoesNotPutWhatWasReadBeforeAForgetAndTakesThatForNoFailure(): void
	{
		$store = $this->application(['guarded' => true, 'holdoff' => 5])['cache']->store();
		self::assertNull($store->get('key'));
		self::assertSame(['a' => null, 'b' => null], $store->many(['a', 'b']));
		$this->deleteElsewhere('laravel:key', $this->prefix);
		$this->deleteElsewhere('laravel:a', $this->prefix);
		self::assertTrue($store->put('key', 'old', 60));
		self::assertTrue($store->putMany(['a' => 'old', 'b' => 'row'], 60));
		self::assertSame([null, null, 'row'], [$store->get('key'), $store->get('a'), $store->get('b')]);
		self::assertFalse($store->add('key', 'old', 60), 'nothing was added');
		Pool::endRequest();
		self::assertNull($store->get('key'));
		self::assertTrue($store->put('key', 'row', 60));
		self::assertSame('row', $store->get('key'));
	}

	public function testShowsWhatFilledAContestedPlaceForTheHoldoffAlone(): void
	{
		$store = $this->application(['guarded' => true, 'holdoff' => 5])['cache']->store();
		$store->get('key');
		Cache::put('key', 'another', 60);
		$store->put('key', 'row', 60); // who is last nobody can say
		Pool::endRequest();
		self::assertNull($store->get('key'));
		$store->put('key', 'row', 60);
		self::assertSame('row', $store->get('key'));
		Clock::advance(6);
		Pool::endRequest();
		self::assertNull($store->get('key'));
		$store->put('key', 'row 2', 60);
		Clock::advance(50);
		self::assertSame('row 2', $store->get('key'));
	}

	public function testAnswersTheDefaultWhereNothingIs(): void
	{
		self::assertNull(Cache::get('key'));
		self::assertSame('default', Cache::get('key', 'default'));
		self::assertSame('computed', Cache::get('key', fn () => 'computed'));
		self::assertFalse(Cache::has('key'));
	}

	public function testTakesNullForNothing(): void
	{
		self::assertTrue(Cache::put('key', null, 60));
		self::assertFalse(Cache::has('key'));
		self::assertSame('default', Cache::get('key', 'default'));
	}

	/** @return iterable<string, array{\Closure(): mixed}> */
	public static function lifetimes(): iterable
	{
		yield 'seconds' => [fn () => 60];
		yield 'interval' => [fn () => new \DateInterval('PT1M')];
		yield 'date' => [fn () => new \DateTimeImmutable('+60 seconds')];
		yield 'carbon' => [fn () => now()->addMinute()];
	}

	#[DataProvider('lifetimes')]
	public function testKeepsAValueForItsTtlAndNoLonger(\Closure $ttl): void
	{
		Clock::freeze();
		Cache::put('one', 1, $ttl());
		Cache::putMany(['two' => 2, 'three' => 3], $ttl());
		Clock::advance(58);
		self::assertSame(['one' => 1, 'two' => 2, 'three' => 3], Cache::many(['one', 'two', 'three']));
		Clock::advance(2.001);
		self::assertSame(['one' => null, 'two' => null, 'three' => null], Cache::many(['one', 'two', 'three']));
		self::assertNull(Cache::get('one'));
	}

	public function testKeepsAValueWithoutATtlForGood(): void
	{
		Clock::freeze();
		Cache::put('one', 1);
		Cache::forever('two', 2);
		Cache::putMany(['three' => 3]);
		Clock::advance(86400 * 365);
		self::assertSame(['one' => 1, 'two' => 2, 'three' => 3], Cache::many(['one', 'two', 'three']));
	}

	public function testTakesTheLongestTtlForALongerOne(): void
	{
		foreach ([PHP_INT_MAX, new \DateTimeImmutable('9999-12-31')] as $ttl) {
			self::assertTrue(Cache::put('put', 1, $ttl));
			self::assertTrue(Cache::putMany(['many' => 1], $ttl));
			self::assertTrue(Cache::add('added', 1, $ttl));
			self::assertTrue(Cache::touch('added', PHP_INT_MAX));
			Cache::remember('remembered', $ttl, fn () => 1);
			Cache::flexible('flexible', [60, $ttl], fn () => 1);
			foreach (['put', 'many', 'added', 'remembered', 'flexible'] as $key) {
				self::assertSame(1, Cache::pull($key), $key);
			}
		}
		self::assertTrue(Cache::lock('lock', PHP_INT_MAX)->get());
	}

	/** As Laravel's own stores do: 1800000000 are seconds from now. */
	public function testTakesATtlOfTheSizeOfADate(): void
	{
		$seconds = 1_800_000_000;
		$keys = [
			'put' => fn () => Cache::put('put', 1, $seconds), 'many' => fn () => Cache::putMany(['many' => 1], $seconds), 'added' => fn () => Cache::add('added', 1, $seconds),
			'remembered' => fn () => Cache::remember('remembered', $seconds, fn () => 1), 'by the value' => fn () => Cache::remember('by the value', fn () => $seconds, fn () => 1),
			'counted' => fn () => Cache::getStore()->increment('counted', 1, $seconds),
		];
		foreach ($keys as $key => $store) {
			self::assertNotFalse($store(), $key);
			self::assertEqualsWithDelta($seconds, Cache::getStore()->cache()->entry($key)->expiresIn, 5, $key);
		}
		Cache::put('touched', 1, 60);
		self::assertTrue(Cache::touch('touched', $seconds));
		self::assertSame(1, Cache::flexible('flexible', [60, $seconds], fn () => 1));
	}

	public function testForgetsByATtlThatHasEnded(): void
	{
		Cache::put('key', 'old', 60);
		self::assertTrue(Cache::put('key', 'new', 0));
		self::assertFalse(Cache::has('key'));
		self::assertFalse(Cache::add('key', 'new', -1));
		self::assertFalse(Cache::has('key'));
	}

	public function testHasDefaultsForMany(): void
	{
		Cache::put('one', 1, 60);
		self::assertSame(['one' => 1, 'two' => 'default', 'three' => 3], Cache::many(['one' => null, 'two' => 'default', 'three' => fn () => 3]));
		self::assertSame(['one' => 1, 'four' => 0], Cache::getMultiple(['one', 'four'], 0));
	}

	public function testForgetsAndSaysWhetherSomethingWasThere(): void
	{
		Cache::put('key', 1, 60);
		self::assertTrue(Cache::forget('key'));
		self::assertFalse(Cache::forget('key'));
		self::assertNull(Cache::get('key'));
	}

	public function testPullsOnce(): void
	{
		Cache::put('key', 'once', 60);
		self::assertSame('once', Cache::pull('key'));
		self::assertNull(Cache::pull('key'));
		self::assertSame('default', Cache::pull('key', 'default'));
	}

	/** Of a class that another deploy has changed, say. */
	public function testTakesAValueThatItsClassRefusesForAMiss(): void
	{
		Cache::putMany(['key' => new ThrowsWhenRead(), '12' => 2], 60);
		Cache::tags('tag')->put('key', new ThrowsWhenRead(), 60);
		foreach ([Cache::store(), Cache::tags('tag')] as $cache) {
			self::assertSame([null, 'default', false], [$cache->get('key'), $cache->get('key', 'default'), $cache->has('key')]);
			self::assertSame('default', $cache->pull('key', 'default'));
			self::assertSame('computed', $cache->remember('key', 60, fn () => 'computed'));
		}
		Cache::put('key', new ThrowsWhenRead(), 60);
		self::assertSame(['key' => null, 12 => 2, 'none' => null], Cache::many(['key', '12', 'none']));
	}

	public function testAddsOnce(): void
	{
		self::assertTrue(Cache::add('key', 'first', 60));
		self::assertFalse(Cache::add('key', 'second', 60));
		self::assertSame('first', Cache::get('key'));
		self::assertTrue(Cache::add('for ever', 'first'));
		self::assertFalse(Cache::add('for ever', 'second'));
	}

	public function testAddsAgainAfterTheTtl(): void
	{
		Clock::freeze();
		self::assertTrue(Cache::add('key', 'first', 60));
		Clock::advance(60.001);
		self::assertTrue(Cache::add('key', 'second', 60));
		self::assertSame('second', Cache::get('key'));
	}

	public function testCounts(): void
	{
		Cache::put('key', 5, 60);
		self::assertSame(6, Cache::increment('key'));
		self::assertSame(16, Cache::increment('key', 10));
		self::assertSame(15, Cache::decrement('key'));
		self::assertSame(10, Cache::decrement('key', 5));
		self::assertSame(0, Cache::decrement('key', 11), 'stops at 0');
		self::assertSame(0, Cache::get('key'));
	}

	public function testCountsFromNothing(): void
	{
		self::assertSame(3, Cache::increment('key', 3));
		self::assertSame(4, Cache::increment('key'));
		self::assertSame(4, Cache::get('key'));
	}

	public function testCountsANegativeNumberBelowZero(): void
	{
		Cache::put('key', -5, 60);
		self::assertSame([-3, -4, 0], [Cache::increment('key', 2), Cache::decrement('key'), Cache::increment('key', 4)]);
	}

	public function testCountsOnANumericStringWhoseEndStays(): void
	{
		Clock::freeze();
		Cache::put('key', '5', 60);
		Cache::put('float', '1.5', 60);
		Cache::put('null', null, 60);
		self::assertSame([6, 7, 5], [Cache::increment('key'), Cache::increment('key'), Cache::decrement('key', 2)]);
		self::assertSame([2, 3], [Cache::increment('float'), Cache::increment('null', 3)]);
		self::assertSame(['key' => 5, 'float' => 2, 'null' => 3], Cache::many(['key', 'float', 'null']));
		Clock::advance(60.001);
		self::assertNull(Cache::get('key'));
	}

	/** As with Laravel's drivers for memcached and Redis. */
	public function testDoesNotCountOnWhatIsNoNumber(): void
	{
		foreach (['text', '5x', [1], (string) PHP_INT_MAX] as $value) {
			Cache::put('key', $value, 60);
			self::assertFalse(Cache::increment('key'));
			self::assertSame($value, Cache::get('key'));
		}
	}

	public function testCountsNoLongerThanTheTtl(): void
	{
		Clock::freeze();
		Cache::add('hits', 0, 60);
		Cache::increment('hits');
		Clock::advance(60.001);
		self::assertNull(Cache::get('hits'));
		self::assertSame(1, Cache::increment('hits'));
	}

	public function testTouchesWhatIsThere(): void
	{
		Clock::freeze();
		Cache::put('key', 1, 60);
		self::assertTrue(Cache::touch('key', 600));
		self::assertFalse(Cache::touch('other', 600));
		Clock::advance(300);
		self::assertSame(1, Cache::get('key'));
	}

	public function testFlushesItsOwnPrefixOnly(): void
	{
		$other = $this->application(['prefix' => "other-$this->prefix"])->make('cache');
		Cache::put('key', 1);
		$other->put('key', 2);
		self::assertTrue(Cache::flush());
		self::assertNull(Cache::get('key'));
		self::assertSame(2, $other->get('key'));
		Cache::put('key', 3);
		self::assertSame(3, Cache::get('key'));
		self::assertTrue(Cache::clear());
		self::assertNull(Cache::get('key'));
	}

	public function testIsAnArrayToo(): void
	{
		$cache = Cache::store();
		$cache['key'] = 'value';
		self::assertTrue(isset($cache['key']));
		self::assertSame('value', $cache['key']);
		unset($cache['key']);
		self::assertFalse(isset($cache['key']));
	}

	public function testHasTypedGetters(): void
	{
		Cache::put('number', 7, 60);
		self::assertSame(7, Cache::integer('number'));
		$this->expectException(\InvalidArgumentException::class);
		Cache::string('number');
	}

	public function testTakesAnyKey(): void
	{
		foreach (["a b\r\nset c 0 0 1", str_repeat('long', 100), 'ключ', '0', '12'] as $key) {
			self::assertTrue(Cache::put($key, $key, 60));
			self::assertSame($key, Cache::get($key));
			self::assertSame([$key => $key], Cache::many([$key]));
		}
	}

	public function testAnswersFalseForWhatIsTooLarge(): void
	{
		Cache::put('key', 'old', 60);
		$large = random_bytes(1_100_000);
		self::assertFalse(Cache::put('key', $large, 60));
		self::assertFalse(Cache::putMany(['key' => $large], 60));
		self::assertFalse(Cache::add('large', $large, 60));
		self::assertSame('old', Cache::get('key'));
	}

	public function testIsAMissWhereNoServerIs(): void
	{
		$cache = $this->application(['servers' => 'unix:///there/is/none', 'log' => false])->make('cache');
		self::assertFalse($cache->put('key', 1, 60));
		self::assertNull($cache->get('key'));
		self::assertSame(['a' => null, 'b' => null], $cache->many(['a', 'b']));
		self::assertFalse($cache->forget('key'));
		self::assertFalse($cache->increment('key'));
		self::assertFalse($cache->flush());
		self::assertSame('computed', $cache->remember('key', 60, fn () => 'computed'));
		self::assertSame('computed', $cache->flexible('key', [60, 120], fn () => 'computed'));
	}

	public function testIsDiscoveredByLaravel(): void
	{
		$package = json_decode((string) file_get_contents(__DIR__ . '/../../composer.json'), true);
		self::assertSame([McPatternsServiceProvider::class], $package['extra']['laravel']['providers']);
	}

	public function testLogsWhatFails(): void
	{
		$log = $this->createMock(LoggerInterface::class);
		$log->expects(self::atLeastOnce())->method('warning')->with(self::stringContains('/there/is/none'), self::arrayHasKey('server'));
		$app = $this->application(['servers' => 'unix:///there/is/none']);
		$app->instance(LoggerInterface::class, $log);
		$app->make('cache')->put('key', 1, 60);
	}

	public function testTheExtensionItselfIsToBeHad(): void
	{
		self::assertInstanceOf(\McPatterns\Cache::class, Cache::getStore()->cache());
		self::assertInstanceOf(Pool::class, Cache::getStore()->pool());
	}
}
