<?php
/* What Symfony's AdapterInterface, CacheInterface and NamespacedPoolInterface document, each over a real memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use McPatterns\Adapters\Symfony\AbstractCacheAdapter;
use McPatterns\{Cache, Clock, Lock, Pool, RebuildPausedException, Semaphore};
use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Cache\InvalidArgumentException;
use Symfony\Component\Cache\Adapter\{AdapterInterface, ChainAdapter, ArrayAdapter, ProxyAdapter};
use Symfony\Component\Cache\{CacheItem, Psr16Cache};
use Symfony\Component\HttpKernel\Exception\{NotFoundHttpException, ServiceUnavailableHttpException};
use Symfony\Contracts\Cache\{CallbackInterface, ItemInterface};

trait AdapterRules
{
	use OwnPoolRules;

	/** @return class-string<AbstractCacheAdapter> */
	abstract protected static function adapter(): string;

	protected function anotherPool(int $ttl = 0): AdapterInterface
	{
		return new (static::adapter())($this->pool, 'pool', $ttl);
	}

	public function testPrefetchedValuesAreAskedForOnce(): void
	{
		$computed = 0;
		$compute = function () use (&$computed): int { return ++$computed; };
		$space = $this->items->withSubNamespace('space');
		foreach ([$this->items, $space] as $items) {
			$computed = 0;
			foreach (['a', 'b'] as $key) {
				$items->get($key, $compute, 0);
			}
			$asked = fn (): int => (int) self::$memcached->stats()['cmd_get'];
			$items->prefetch(['a', 'b', 'absent']);
			$before = $asked();
			self::assertSame([1, 2, 1], [$items->get('a', $compute, 0), $items->get('b', $compute, 0), $items->get('a', $compute, 0)]);
			self::assertSame($before, $asked());
			self::assertSame(3, $items->get('absent', $compute, 0));
			$items->deleteItem('a');
			self::assertSame(4, $items->get('a', $compute, 0));
		}
	}

	public function testDoesNotSaveWhatWasReadBeforeADeleteAndTakesThatForNoFailure(): void
	{
		$log = new CollectedLog();
		$items = new (static::adapter())($this->pool, 'pool', 60, guarded: true, holdoff: 5);
		$items->setLogger($log);
		$item = $items->getItem('key');
		$this->deleteElsewhere('pool:key');
		self::assertTrue($items->save($item->set('old')));
		self::assertFalse($items->hasItem('key'));
		self::assertSame([], $log->said);
		Pool::endRequest();
		self::assertTrue($items->save($items->getItem('key')->set('row')));
		self::assertSame('row', $items->getItem('key')->get());
		self::assertSame('row', $items->get('key', fn () => 'computed', 0));
	}

	public function testSavesForLongAfterWhatFilledAContestedPlaceIsOver(): void
	{
		$items = new (static::adapter())($this->pool, 'pool', 60, guarded: true, holdoff: 5);
		$item = $items->getItem('key');
		$this->items->save($this->items->getItem('key')->set('another'));
		$items->save($item->set('row')); // who is last nobody can say
		self::assertFalse($items->hasItem('key'));
		Pool::endRequest();
		$items->save($items->getItem('key')->set('row'));
		Pool::endRequest();
		self::assertTrue($items->hasItem('key'));
		Clock::advance(6);
		Pool::endRequest();
		$items->save($items->getItem('key')->set('row 2'));
		Clock::advance(50);
		self::assertSame('row 2', $items->getItem('key')->get());
	}

	public function testComputesOnceAndAnswersWhatIsStored(): void
	{
		$compute = function (ItemInterface $item, bool &$save) use (&$calls): string {
			self::assertSame('key', $item->getKey());
			self::assertFalse($item->isHit());
			self::assertNull($item->get());
			self::assertTrue($save);
			return 'computed ' . ++$calls;
		};
		self::assertSame('computed 1', $this->items->get('key', $compute));
		self::assertSame('computed 1', $this->items->get('key', $compute));
		self::assertSame('computed 1', $this->anotherPool()->get('key', $compute));
		self::assertSame('computed 1', $this->items->getItem('key')->get());
	}

	public function testStoresAComputedNull(): void
	{
		$calls = 0;
		$compute = function () use (&$calls): null { $calls++; return null; };
		self::assertNull($this->items->get('key', $compute));
		self::assertNull($this->items->get('key', $compute));
		self::assertSame(1, $calls);
		self::assertTrue($this->items->getItem('key')->isHit());
	}

	public function testTakesAnObjectThatComputes(): void
	{
		$callback = new class implements CallbackInterface {
			public function __invoke(mixed $item, bool &$save): mixed
			{
				return 'of ' . $item->getKey();
			}
		};
		self::assertSame('of key', $this->items->get('key', $callback));
	}

	public function testEndsWhenTheItemSaysSo(): void
	{
		$compute = function (ItemInterface $item) use (&$calls): int {
			$item->expiresAfter(10);
			return ++$calls;
		};
		self::assertSame(1, $this->items->get('key', $compute, 0));
		Clock::advance(9);
		self::assertSame(1, $this->items->get('key', $compute, 0));
		Clock::advance(1.1);
		self::assertFalse($this->items->hasItem('key'));
		self::assertSame(2, $this->items->get('key', $compute, 0));
	}

	public function testTakesTheLongestTtlForAnEndFurtherAway(): void
	{
		self::assertSame(1, $this->items->get('computed', fn (ItemInterface $item) => $item->expiresAfter(PHP_INT_MAX) ? 1 : 0));
		self::assertTrue($this->items->save($this->items->getItem('saved')->set(1)->expiresAt(new \DateTimeImmutable('9999-12-31'))));
		self::assertTrue($this->items->hasItem('computed') && $this->items->hasItem('saved'));
	}

	public function testTakesALifetimeOfTheSizeOfADate(): void
	{
		self::assertSame(1, $this->items->get('computed', fn (ItemInterface $item) => $item->expiresAfter(1_800_000_000) ? 1 : 0));
		self::assertTrue($this->items->save($this->items->getItem('saved')->set(1)->expiresAfter(1_800_000_000)));
		foreach (['computed', 'saved'] as $key) {
			self::assertEqualsWithDelta(microtime(true) + 1_800_000_000, $this->items->getItem($key)->getMetadata()[ItemInterface::METADATA_EXPIRY], 5, $key);
		}
	}

	public function testCommitsWhatComesAfterAValueThatThrows(): void
	{
		$this->items->saveDeferred($this->items->getItem('key')->set(new ThrowsWhenSerialized()));
		$this->items->saveDeferred($this->items->getItem('other')->set(2));
		self::assertFalse($this->items->commit());
		self::assertSame([false, 2], [$this->items->hasItem('key'), $this->items->getItem('other')->get()]);
	}

	public function testEndsByTheDefaultLifetime(): void
	{
		$pool = $this->anotherPool(60);
		$compute = function () use (&$calls): int { return ++$calls; };
		self::assertSame(1, $pool->get('key', $compute, 0));
		Clock::advance(61);
		self::assertSame(2, $pool->get('key', $compute, 0));
	}

	public function testDoesNotStoreWhatIsNotToBeSaved(): void
	{
		$compute = function (ItemInterface $item, bool &$save) use (&$calls): int {
			$save = false;
			return ++$calls;
		};
		self::assertSame(1, $this->items->get('key', $compute, null, $metadata));
		self::assertArrayNotHasKey('save_failed', $metadata);
		self::assertSame(2, $this->items->get('key', $compute));
		self::assertFalse($this->items->hasItem('key'));
	}

	public function testTakesAwayWhatWasGivenAPastEnd(): void
	{
		$this->items->save($this->items->getItem('key')->set('old'));
		$compute = fn (ItemInterface $item): string => $item->expiresAfter(-1)->get() . ' is gone';
		self::assertSame('old is gone', $this->items->get('key', $compute, INF, $metadata));
		self::assertFalse($this->items->hasItem('key'));
		self::assertArrayNotHasKey('save_failed', $metadata);
	}

	public function testComputesAnewByAnInfiniteBeta(): void
	{
		$compute = function () use (&$calls): int { return ++$calls; };
		self::assertSame(1, $this->items->get('key', $compute));
		self::assertSame(2, $this->items->get('key', $compute, INF));
		self::assertSame(2, $this->items->get('key', $compute));
	}

	public function testShowsAnInfiniteBetaWhatIsThere(): void
	{
		$see = fn (ItemInterface $item): array => [$item->isHit(), $item->get(), $item->expiresAfter(10)->getKey()];
		$this->items->save($this->items->getItem('key')->set('old')->expiresAfter(10));
		self::assertSame([true, 'old', 'key'], $this->items->get('key', $see, INF));
		self::assertSame([true, [true, 'old', 'key'], 'key'], $this->items->get('key', $see, INF));
		Clock::advance(11);
		self::assertSame([false, null, 'key'], $this->items->get('key', $see, INF), 'past its end, as for getItem()');
		self::assertSame([false, null, 'none'], $this->items->get('none', $see, INF));
	}

	public function testComputesAnewByAnInfiniteBetaAlsoAfterFailures(): void
	{
		$this->items->get('key', fn (ItemInterface $item) => $item->expiresAfter(10) ? 'old' : '');
		foreach (range(1, 5) as $try) {
			try {
				$this->items->get('key', fn () => throw new \DomainException("failure $try"), INF);
				self::fail("no exception at try $try");
			} catch (\DomainException $failure) {
				self::assertSame("failure $try", $failure->getMessage());
			}
		}
		self::assertSame('new', $this->items->get('key', fn () => 'new', INF));
		self::assertSame('new', $this->anotherPool()->get('key', fn () => 'computed again'));
	}

	public function testExpiresEarlyByBetaAlone(): void
	{
		$compute = function (ItemInterface $item) use (&$calls): int {
			usleep(20_000);
			$item->expiresAfter(100);
			return ++$calls;
		};
		$this->items->get('key', $compute);
		Clock::advance(50);
		self::assertSame(1, $this->items->get('key', $compute, 0.0));
		self::assertSame(1, $this->items->get('key', $compute), '0.02 s to compute are no reason 50 s before the end');
		Clock::advance(49);
		for ($try = 1; $calls === 1 && $try <= 100; $try++) {
			$this->items->get('key', function (ItemInterface $item) use ($compute): int {
				self::assertTrue($item->isHit());
				self::assertSame(1, $item->get());
				return $compute($item);
			}, 1e9);
		}
		self::assertSame(2, $this->items->get('key', $compute, 0.0));
	}

	#[DataProvider('wrongBetas')]
	public function testRefusesABetaThatIsNone(float $beta): void
	{
		$this->expectException(InvalidArgumentException::class);
		$this->expectExceptionMessage('must be a positive number');
		$this->items->get('key', fn () => 1, $beta);
	}

	/** @return iterable<array{float}> */
	public static function wrongBetas(): iterable
	{
		yield [-1.0];
		yield [-INF];
		yield [NAN];
	}

	public function testTellsEndAndComputeTime(): void
	{
		$compute = function (ItemInterface $item): string {
			$item->expiresAfter(100);
			usleep(30_000);
			return 'value';
		};
		$this->items->get('key', $compute, null, $first);
		$this->items->get('key', $compute, null, $second);
		foreach ([$first, $second, $this->items->getItem('key')->getMetadata()] as $metadata) {
			self::assertEqualsWithDelta(microtime(true) + 100, $metadata[ItemInterface::METADATA_EXPIRY], 5);
			self::assertGreaterThanOrEqual(30, $metadata[ItemInterface::METADATA_CTIME]);
			self::assertLessThan(5000, $metadata[ItemInterface::METADATA_CTIME]);
		}
		$this->items->get('without an end', fn () => 1, null, $metadata);
		self::assertArrayNotHasKey(ItemInterface::METADATA_EXPIRY, $metadata);
	}

	public function testTellsThatItCouldNotSave(): void
	{
		self::assertSame(1, $this->items->get('good', fn () => 1, null, $metadata));
		self::assertArrayNotHasKey('save_failed', $metadata);
		self::assertInstanceOf(\Closure::class, $this->items->get('closure', fn () => fn () => 1, null, $metadata));
		self::assertTrue($metadata['save_failed']);
		$this->items->get('deleted meanwhile', function (): int {
			$this->anotherPool()->delete('deleted meanwhile');
			return 1;
		}, null, $metadata);
		self::assertTrue($metadata['save_failed']);
		self::assertFalse($this->items->hasItem('deleted meanwhile'));
	}

	public function testServesTheOldValueWhileOneComputes(): void
	{
		$this->items->get('key', fn (ItemInterface $item) => $item->expiresAfter(10) ? 'old' : '');
		Clock::advance(11);
		$other = fn () => $this->anotherPool()->get('key', fn () => 'computed by the other, too');
		$value = $this->items->get('key', function () use ($other): string {
			self::assertSame(['old'], run_workers(1, $other));
			return 'new';
		});
		self::assertSame('new', $value);
		self::assertSame(['new'], run_workers(1, $other));
	}

	public function testPassesOnWhatTheCallbackThrows(): void
	{
		foreach ([\DomainException::class, \Error::class, RebuildPausedException::class] as $class) {
			$calls = 0;
			try {
				$this->items->get('key', function () use ($class, &$calls): never {
					$calls++;
					throw new $class('the database is away');
				});
				self::fail('no exception');
			} catch (\DomainException|\Error|RebuildPausedException $thrown) {
				self::assertSame([$class, 'the database is away', 1], [$thrown::class, $thrown->getMessage(), $calls]);
				self::assertFalse($this->items->hasItem('key'));
			}
		}
	}

	/** Fails until the extension itself holds all callers off for some seconds, by a clock that runs ahead here alone. */
	private function failUntilAPause(): void
	{
		$cache = new Cache($this->pool, 'pool:', wait: 0, clearable: true);
		Clock::freeze();
		for ($try = 1; $try <= 100; $try++) {
			try {
				$cache->remember('key', 60, fn () => throw new \DomainException());
			} catch (RebuildPausedException $pause) {
				if ($pause->retryAfter > 3) {
					break;
				}
				Clock::advance($pause->retryAfter + 0.01);
			} catch (\DomainException) {
			}
		}
		self::assertLessThan(100, $try, 'it was never held off');
		Clock::unfreeze();
	}

	public function testHoldsOffEachCallerWhileAComputationKeepsFailing(): void
	{
		$this->failUntilAPause();
		$ask = function (): string|float {
			try {
				return $this->anotherPool()->get('key', fn () => 'computed');
			} catch (RebuildPausedException $pause) {
				return $pause->retryAfter;
			}
		};
		[$here, [$there]] = [$ask(), run_workers(1, $ask)];
		self::assertIsFloat($here);
		self::assertIsFloat($there);
		Clock::advance($here + 0.01);
		self::assertSame(['computed', ['computed']], [$ask(), run_workers(1, $ask)]);
	}

	/** Of what is not there, say: it is asked for once more by each. */
	public function testHoldsOffNobodyAfterAnExceptionThatAnswers(): void
	{
		for ($try = 1; $try <= 8; $try++) {
			try {
				$this->items->get('key', fn () => throw new NotFoundHttpException("try $try"));
				self::fail('no exception');
			} catch (NotFoundHttpException $answer) {
				self::assertSame("try $try", $answer->getMessage());
			}
		}
		self::assertSame('there', $this->items->get('key', fn () => 'there', null, $metadata));
		self::assertSame('there', $this->items->getItem('key')->get());
		Clock::freeze();
		$failure = fn () => $this->items->get('other', fn () => throw new ServiceUnavailableHttpException());
		try {
			for ($try = 1; $try <= 8; $try++) {
				try {
					$failure();
				} catch (ServiceUnavailableHttpException) {
				}
			}
			self::fail('no pause');
		} catch (RebuildPausedException) {
		}
	}

	public function testComputesInsideAComputation(): void
	{
		$outer = $this->items->get('outer', fn () => 'outer of ' . $this->items->get('inner', fn () => 'inner'));
		self::assertSame('outer of inner', $outer);
		self::assertSame('inner', $this->items->getItem('inner')->get());
	}

	public function testComputesWhatAsksForItsOwnKeyAndSavesTheOuterValue(): void
	{
		$metadata = null;
		$menu = function (ItemInterface $item) use (&$menu, &$depth, &$metadata): string {
			self::assertFalse($item->isHit());
			return ++$depth < 3 ? 'in(' . $this->anotherPool()->get('menu', $menu, null, $metadata) . ')' : 'leaf';
		};
		self::assertSame('in(in(leaf))', $this->items->get('menu', $menu));
		self::assertSame('in(in(leaf))', $this->items->getItem('menu')->get());
		self::assertArrayNotHasKey('save_failed', $metadata);
		$this->expectExceptionObject(new \LogicException('its own'));
		$this->items->get('key', fn () => $this->items->get('key', fn () => throw new \LogicException('its own')));
	}

	public function testShowsGetWhatWasDeferred(): void
	{
		$this->items->saveDeferred($this->items->getItem('key')->set('deferred'));
		self::assertSame('deferred', $this->items->get('key', fn () => 'computed'));
	}

	public function testDeletesWhatWasComputed(): void
	{
		$this->items->get('key', fn () => 1);
		self::assertTrue($this->items->delete('key'));
		self::assertSame(2, $this->items->get('key', fn () => 2));
	}

	/** @return iterable<array{mixed}> */
	public static function valuesLikeWhatIsStored(): iterable
	{
		yield [['@item' => [1, ['tags' => ['a' => 'b']]]]];
		yield [['@item' => [1, []]]];
		yield [['@item' => [['@item' => [1, []]], []]]];
		yield [['@item' => 1]];
		yield [['@item' => null]];
		yield [['@item' => [1, []], 'more' => 2]];
		yield [[1, ['a']]];
		yield [[1, ['a'], ['tags' => ['b' => 'c']]]];
		yield [[1, []]];
	}

	#[DataProvider('valuesLikeWhatIsStored')]
	public function testAnswersExactlyWhatLooksLikeItsOwnForm(mixed $value): void
	{
		$this->items->save($this->items->getItem('saved')->set($value));
		self::assertSame($value, $this->items->get('computed', fn () => $value));
		foreach ($this->anotherPool()->getItems(['saved', 'computed']) as $key => $item) {
			self::assertSame([true, $value, []], [$item->isHit(), $item->get(), $item->getMetadata()], $key);
			self::assertSame($value, $this->anotherPool()->getItem($key)->get());
			self::assertSame($value, $this->anotherPool()->get($key, fn () => 'computed again'));
		}
	}

	public function testAnswersItemsOneByOne(): void
	{
		$this->items->save($this->items->getItem('a')->set(1));
		$items = $this->items->getItems(['b', 'a', 'b', '7']);
		self::assertInstanceOf(\Traversable::class, $items);
		$keys = [];
		foreach ($items as $key => $item) {
			self::assertInstanceOf(CacheItem::class, $item);
			self::assertSame((string) $key, $item->getKey());
			$keys[] = $key;
		}
		self::assertSame(['b', 'a', '7'], $keys);
	}

	public function testKeepsSubNamespacesApart(): void
	{
		$this->items->get('key', fn () => 'root');
		$one = $this->items->withSubNamespace('one');
		$deep = $one->withSubNamespace('deep');
		$two = $this->items->withSubNamespace('two');
		foreach ([[$one, 'one'], [$deep, 'deep'], [$two, 'two']] as [$pool, $name]) {
			self::assertFalse($pool->hasItem('key'), $name);
			$pool->save($pool->getItem('key')->set($name));
		}
		self::assertSame('root', $this->items->getItem('key')->get());
		self::assertSame('deep', $this->anotherPool()->withSubNamespace('one')->withSubNamespace('deep')->get('key', fn () => 'lost'));
		self::assertTrue($one->clear());
		self::assertFalse($one->hasItem('key') || $deep->hasItem('key'));
		self::assertSame('two', $two->getItem('key')->get());
		self::assertSame('root', $this->items->getItem('key')->get());
		self::assertTrue($this->items->clear());
		self::assertFalse($two->hasItem('key') || $this->items->hasItem('key'));
	}

	public function testRefusesANamespaceThatIsNone(): void
	{
		foreach (['', 'a/b'] as $namespace) {
			try {
				$this->items->withSubNamespace($namespace);
				self::fail("took $namespace");
			} catch (InvalidArgumentException) {
			}
		}
		$this->expectException(InvalidArgumentException::class);
		new (static::adapter())($this->pool, 'a/b');
	}

	public function testKeepsNamespacesApart(): void
	{
		$other = new (static::adapter())($this->pool, 'other');
		$other->get('key', fn () => 'other');
		self::assertFalse($this->items->hasItem('key'));
		self::assertTrue($this->items->clear('any prefix'));
		self::assertTrue($other->hasItem('key'));
	}

	public function testCommitsWhenItIsReset(): void
	{
		$this->items->saveDeferred($this->items->getItem('key')->set(1));
		$this->items->reset();
		self::assertTrue($this->anotherPool()->hasItem('key'));
	}

	/** Services are reset in the middle of a command, too. */
	public function testLeavesTheApplicationItsLocksWhenItIsReset(): void
	{
		$held = [new Lock($this->pool, 'command', 30), new Semaphore($this->pool, 'command', 1, 30)];
		foreach ($held as $lock) {
			self::assertTrue($lock->acquire());
		}
		$this->items->reset();
		foreach ($held as $lock) {
			self::assertTrue($lock->isHeld(verify: true), $lock::class);
		}
	}

	public function testIsNotSerializable(): void
	{
		$this->expectException(\BadMethodCallException::class);
		serialize($this->items);
	}

	public function testServesSymfonysOwnDecorators(): void
	{
		$chain = new ChainAdapter([new ArrayAdapter(), $this->items]);
		self::assertSame('value', $chain->get('chained', fn () => 'value'));
		self::assertSame('value', $this->items->getItem('chained')->get());
		$proxy = new ProxyAdapter($this->items, 'proxy');
		self::assertSame('value', $proxy->get('key', fn () => 'value'));
		self::assertSame('value', $proxy->getItem('key')->get());
		$simple = new Psr16Cache($this->items);
		self::assertTrue($simple->set('simple', [1, 2], 60));
		self::assertSame([1, 2], $simple->get('simple'));
		self::assertSame(['simple' => [1, 2], 'none' => 0], [...$simple->getMultiple(['simple', 'none'], 0)]);
	}

	public function testTellsItsLoggerWhatIsNotSaved(): void
	{
		$logger = new CollectedLog();
		$this->items->setLogger($logger);
		self::assertFalse($this->items->save($this->items->getItem('key')->set(fn () => 1)));
		self::assertStringStartsWith('warning: Failed to save key "{key}" of type {type}: ', $logger->said[0]);
		self::assertStringEndsWith(' (key, Closure)', $logger->said[0]);
	}

	public function testTellsItsLoggerOnceWhatAServerFailedOf(): void
	{
		$logger = new CollectedLog();
		$memcached = start_memcached();
		$memcached->kill();
		$pools = array_map(fn () => new (static::adapter())(new Pool($memcached->address, retryAfter: 60)), [1, 2]);
		foreach ([1, 2] as $outage) {
			foreach ([...$pools, ...$pools] as $pool) {
				$pool->setLogger($logger);
				self::assertFalse($pool->save($pool->getItem('key')->set(1)));
				$pool->get('key', fn (ItemInterface $item, bool &$save) => 1);
			}
			self::assertCount($outage, $logger->said);
			Clock::advance(61);
		}
		self::assertStringContainsString("$memcached->address: the server could not be reached: connection refused", $logger->said[0]);
	}

	public function testGoesOnWithoutAServer(): void
	{
		$memcached = start_memcached();
		$adapter = new (static::adapter())(new Pool($memcached->address));
		$adapter->get('key', fn () => 'stored');
		$memcached->kill();
		self::assertFalse($adapter->getItem('key')->isHit());
		self::assertSame('computed', $adapter->get('key', fn () => 'computed', null, $metadata));
		self::assertTrue($metadata['save_failed']);
		self::assertFalse($adapter->save($adapter->getItem('key')->set(1)));
		self::assertFalse($adapter->deleteItem('key'));
		self::assertFalse($adapter->clear());
	}

	/** @return iterable<string, array{float|null}> */
	public static function graces(): iterable
	{
		yield 'others get the old value' => [null];
		yield 'others wait' => [0.0];
	}

	#[DataProvider('graces')]
	public function testIsRebuiltByOneOfTwelve(?float $grace): void
	{
		Race::assertOneComputationPerExpiry(function (Race $race) use ($grace): \Closure {
			$pool = new (static::adapter())($this->pool, 'pool', grace: $grace, wait: 30);
			return fn () => $pool->get('hot', fn (ItemInterface $item) => $item->expiresAfter(Race::TTL) ? $race->compute() : '', 0);
		}, isCold: true);
	}
}
