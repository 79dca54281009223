<?php
/* The rules that PSR-16 writes down, each over a real memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Psr\SimpleCache;
use McPatterns\Adapters\Tests\Support\{Cases, MemcachedTestCase, Race, ThrowsWhenRead, ThrowsWhenSerialized};
use McPatterns\{Cache, Clock, Pool};
use PHPUnit\Framework\Attributes\{DataProvider, DataProviderExternal};
use Psr\SimpleCache\{CacheInterface, InvalidArgumentException};

final class SimpleCacheTest extends MemcachedTestCase
{
	private CacheInterface $cache;

	protected function setUp(): void
	{
		parent::setUp();
		$this->cache = new SimpleCache($this->strictCache());
	}

	#[DataProviderExternal(Cases::class, 'values')]
	public function testAnswersExactlyWhatWasStored(mixed $value): void
	{
		self::assertTrue($this->cache->set('key', $value));
		self::assertTrue($this->cache->has('key'));
		foreach ([$this->cache->get('key', 'default'), [...$this->cache->getMultiple(['key'], 'default')]['key']] as $answer) {
			is_object($value) ? self::assertEquals($value, $answer) : self::assertSame($value, $answer);
		}
	}

	public function testDoesNotStoreWhatWasReadBeforeADeleteAndTakesThatForNoFailure(): void
	{
		$guarded = $this->guardedCache();
		$cache = new SimpleCache($guarded);
		self::assertNull($cache->get('key'));
		self::assertSame(['a' => null, 'b' => null], [...$cache->getMultiple(['a', 'b'])]);
		$this->deleteElsewhere('cache.key');
		$this->deleteElsewhere('cache.a');
		self::assertTrue($cache->set('key', 'old'));
		self::assertTrue($cache->setMultiple(['a' => 'old', 'b' => 'row']));
		self::assertSame([null, null, 'row'], array_values([...$cache->getMultiple(['key', 'a', 'b'])]));
		self::assertSame([2, 0], [$guarded->stats()['changed'], $guarded->stats()['errors']]);
	}

	public function testIsRefusedByADeadServerAlsoWhenItIsGuarded(): void
	{
		$memcached = start_memcached();
		$this->pool = new Pool($memcached->address, timeout: 0.2);
		$cache = new SimpleCache($this->guardedCache());
		$cache->get('key');
		$cache->get('another');
		speak($memcached->address, "delete cache.key\r\n", 5);
		self::assertTrue($cache->set('key', 'old'));
		$memcached->dispose();
		self::assertFalse($cache->set('key', 'old'));
		self::assertFalse($cache->setMultiple(['key' => 'old', 'another' => 1]));
	}

	public function testAnswersTheDefaultWhereNothingIs(): void
	{
		$default = new \stdClass();
		self::assertNull($this->cache->get('key'));
		self::assertSame($default, $this->cache->get('key', $default));
		self::assertFalse($this->cache->has('key'));
	}

	public function testAnswersACopyOfAnObject(): void
	{
		$object = (object) ['name' => 'first'];
		$this->cache->set('key', $object);
		$object->name = 'changed after it was stored';
		$answer = $this->cache->get('key');
		self::assertEquals((object) ['name' => 'first'], $answer);
		$answer->name = 'changed after it was read';
		self::assertEquals((object) ['name' => 'first'], $this->cache->get('key'));
	}

	/** @return iterable<string, array{\DateInterval|int, int}> */
	public static function lifetimes(): iterable
	{
		yield 'seconds' => [10, 10];
		yield 'beyond 30 days' => [40 * 86400, 40 * 86400];
		yield 'interval' => [new \DateInterval('PT10S'), 10];
		yield 'interval of a day' => [new \DateInterval('P1DT1M'), 86460];
	}

	#[DataProvider('lifetimes')]
	public function testKeepsAValueForItsTtlAndNoLonger(\DateInterval|int $ttl, int $seconds): void
	{
		Clock::freeze();
		self::assertTrue($this->cache->set('one', 1, $ttl));
		self::assertTrue($this->cache->setMultiple(['two' => 2, 'three' => 3], $ttl));
		Clock::advance($seconds - 1);
		self::assertSame(['one' => 1, 'two' => 2, 'three' => 3], [...$this->cache->getMultiple(['one', 'two', 'three'])]);
		Clock::advance(1.001);
		self::assertSame(['one' => null, 'two' => null, 'three' => null], [...$this->cache->getMultiple(['one', 'two', 'three'])]);
		self::assertFalse($this->cache->has('one'));
		self::assertSame('default', $this->cache->get('one', 'default'));
	}

	/** @return iterable<string, array{\DateInterval|int}> */
	public static function ended(): iterable
	{
		$back = new \DateInterval('PT1S');
		$back->invert = 1;
		yield 'zero' => [0];
		yield 'negative' => [-1];
		yield 'empty interval' => [new \DateInterval('PT0S')];
		yield 'interval into the past' => [$back];
	}

	#[DataProvider('ended')]
	public function testDeletesByATtlThatHasEnded(\DateInterval|int $ttl): void
	{
		$this->cache->setMultiple(['one' => 1, 'two' => 2]);
		self::assertTrue($this->cache->set('one', 'new', $ttl));
		self::assertTrue($this->cache->setMultiple(['two' => 'new', 'three' => 'new'], $ttl));
		foreach (['one', 'two', 'three'] as $key) {
			self::assertFalse($this->cache->has($key), $key);
		}
	}

	public function testTakesTheCachesTtlWithoutOneOfItsOwn(): void
	{
		Clock::freeze();
		$this->cache = new SimpleCache($this->strictCache(ttl: 60));
		$this->cache->set('key', 1);
		Clock::advance(59);
		self::assertTrue($this->cache->has('key'));
		Clock::advance(2);
		self::assertFalse($this->cache->has('key'));
	}

	public function testDeletes(): void
	{
		$this->cache->setMultiple(['one' => 1, 'two' => 2, 'three' => 3]);
		self::assertTrue($this->cache->delete('one'));
		self::assertTrue($this->cache->delete('never there'));
		self::assertTrue($this->cache->deleteMultiple(new \ArrayIterator(['two', 'never there'])));
		self::assertSame(['one' => null, 'two' => null, 'three' => 3], [...$this->cache->getMultiple(['one', 'two', 'three'])]);
	}

	public function testClearsItsOwnPrefixOnly(): void
	{
		$other = new SimpleCache($this->strictCache(prefix: 'other.'));
		$this->cache->set('key', 1);
		$other->set('key', 2);
		self::assertTrue($this->cache->clear());
		self::assertNull($this->cache->get('key'));
		self::assertSame(2, $other->get('key'));
		self::assertTrue($this->cache->set('key', 3));
		self::assertSame(3, $this->cache->get('key'));
	}

	public function testSaysThatItsCacheCannotBeCleared(): void
	{
		$this->expectException(\LogicException::class);
		$this->expectExceptionMessage('clearable');
		(new SimpleCache(new Cache($this->pool)))->clear();
	}

	public function testTakesKeysAndValuesOfGenerators(): void
	{
		self::assertTrue($this->cache->setMultiple((fn () => yield from ['a' => 1, 'b' => 2])()));
		$answer = $this->cache->getMultiple((fn () => yield from ['b', 'a', 'c'])(), 'none');
		self::assertSame(['b' => 2, 'a' => 1, 'c' => 'none'], [...$answer]);
		self::assertTrue($this->cache->deleteMultiple((fn () => yield from ['a', 'b'])()));
		self::assertFalse($this->cache->has('a'));
	}

	public function testLeavesKeysOfDigitsStrings(): void
	{
		self::assertTrue($this->cache->setMultiple(['0' => 'zero', '12' => 'twelve']));
		self::assertSame('zero', $this->cache->get('0'));
		$keys = $values = [];
		foreach ($this->cache->getMultiple(['0', '12', '007']) as $keys[] => $values[]);
		self::assertSame([['0', '12', '007'], ['zero', 'twelve', null]], [$keys, $values]);
		self::assertTrue($this->cache->deleteMultiple(['0', '12']));
		self::assertFalse($this->cache->has('0') || $this->cache->has('12'));
	}

	public function testReturnsAnArrayOfManyWhereNoKeyIsANumber(): void
	{
		$this->cache->setMultiple(['a' => 1, '007' => 2, '12' => 3]);
		self::assertSame(['a' => 1, '007' => 2, '-0' => null], $this->cache->getMultiple(['a', '007', '-0']));
		self::assertSame([], $this->cache->getMultiple([]));
		self::assertInstanceOf(\Generator::class, $this->cache->getMultiple(['a', '12']));
	}

	public function testAsksForManyAtOnceAndNotWhenTheyAreLookedAt(): void
	{
		$this->cache->set('12', 'then');
		$answer = $this->cache->getMultiple(['12']);
		$this->cache->set('12', 'later');
		self::assertSame(['then'], iterator_to_array($answer, preserve_keys: false));
	}

	#[DataProviderExternal(Cases::class, 'legalKeys')]
	public function testTakesEveryKeyThatIsNotForbidden(string $key): void
	{
		self::assertTrue($this->cache->set($key, 'value'));
		self::assertSame('value', $this->cache->get($key));
		self::assertTrue($this->cache->delete($key));
		self::assertFalse($this->cache->has($key));
	}

	#[DataProviderExternal(Cases::class, 'forbiddenKeys')]
	public function testRefusesAForbiddenKeyEverywhere(string $key): void
	{
		$calls = [
			fn () => $this->cache->get($key), fn () => $this->cache->set($key, 1), fn () => $this->cache->set($key, 1, 0),
			fn () => $this->cache->has($key), fn () => $this->cache->delete($key), fn () => $this->cache->getMultiple(['a', $key]),
			fn () => $this->cache->setMultiple(['a' => 1, $key => 1]), fn () => $this->cache->deleteMultiple(['a', $key]),
		];
		foreach ($calls as $number => $call) {
			try {
				$call();
				self::fail("call $number took the key");
			} catch (InvalidArgumentException $refusal) {
				self::assertStringContainsString('cache key', $refusal->getMessage());
			}
		}
		self::assertFalse($this->cache->has('a'), 'stored though another key was refused');
	}

	public function testRefusesAKeyThatIsNoString(): void
	{
		foreach ([['key'], 12, 1.5, null, true] as $key) {
			foreach (['getMultiple', 'deleteMultiple'] as $method) {
				try {
					$this->cache->$method(['key', $key]);
					self::fail("$method took " . get_debug_type($key));
				} catch (InvalidArgumentException $refusal) {
					self::assertStringContainsString('must be a string, ' . get_debug_type($key) . ' given', $refusal->getMessage());
				}
			}
		}
	}

	public function testTakesTheLongestTtlForALongerOneAndOneOfTheSizeOfADate(): void
	{
		foreach ([PHP_INT_MAX, new \DateInterval('P9000Y'), 1_800_000_000, new \DateInterval('P57Y')] as $ttl) {
			self::assertTrue($this->cache->set('one', 1, $ttl));
			self::assertTrue($this->cache->setMultiple(['two' => 2], $ttl));
			self::assertSame(['one' => 1, 'two' => 2], [...$this->cache->getMultiple(['one', 'two'])]);
			$this->cache->deleteMultiple(['one', 'two']);
		}
	}

	public function testAnswersFalseForWhatCannotBeStored(): void
	{
		self::assertFalse($this->cache->set('key', new ThrowsWhenSerialized()));
		self::assertFalse($this->cache->setMultiple(['key' => new ThrowsWhenSerialized()]));
		self::assertFalse($this->cache->set('key', fn () => 1));
		self::assertFalse($this->cache->setMultiple(['key' => fn () => 1, 'other' => 2]));
		self::assertSame(2, $this->cache->get('other'));
	}

	public function testMissesWhatItsOwnClassRefuses(): void
	{
		self::assertTrue($this->cache->setMultiple(['key' => new ThrowsWhenRead(), 'other' => 2]));
		self::assertSame('default', $this->cache->get('key', 'default'));
		self::assertFalse($this->cache->has('key'));
		self::assertSame(['key' => null, 'other' => 2], [...$this->cache->getMultiple(['key', 'other'])]);
	}

	public function testIsAMissWithoutAServer(): void
	{
		$memcached = start_memcached();
		$cache = new SimpleCache(new Cache(new Pool($memcached->address), grace: 0, clearable: true));
		self::assertTrue($cache->set('key', 1));
		$memcached->kill();
		self::assertSame('default', $cache->get('key', 'default'));
		self::assertSame(['key' => 'default'], [...$cache->getMultiple(['key'], 'default')]);
		self::assertFalse($cache->has('key'));
		self::assertFalse($cache->set('key', 1));
		self::assertFalse($cache->setMultiple(['key' => 1]));
		self::assertFalse($cache->delete('key'));
		self::assertFalse($cache->clear());
	}

	public function testElectsOneCallerWhereItsCacheHasAGrace(): void
	{
		Clock::freeze();
		$first = new SimpleCache(new Cache($this->pool, ttl: 10, grace: 60));
		$first->set('key', 'old');
		Clock::advance(11);
		self::assertNull($first->get('key'), 'the elected one computes');
		$other = run_workers(1, fn () => $first->get('key'));
		self::assertSame(['old'], $other, 'the others go on');
		$first->set('key', 'new');
		self::assertSame('new', $first->get('key'));
	}

	public function testIsRebuiltByOneOfTwelveWhereItsCacheHasAGrace(): void
	{
		Race::assertOneComputationPerExpiry(function (Race $race): \Closure {
			$cache = new SimpleCache(new Cache($this->pool, ttl: 60));
			return function () use ($cache, $race): mixed {
				$value = $cache->get('hot');
				if ($value === null) {
					$cache->set('hot', $value = $race->compute(), Race::TTL);
				}
				return $value;
			};
		}, isCold: false);
	}
}
