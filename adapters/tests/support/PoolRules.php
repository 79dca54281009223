<?php
/* The rules that PSR-6 writes down, each over a real memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use McPatterns\Clock;
use PHPUnit\Framework\Attributes\{DataProvider, DataProviderExternal};
use Psr\Cache\{CacheItemInterface, CacheItemPoolInterface, InvalidArgumentException};

trait PoolRules
{
	private CacheItemPoolInterface $items;

	/** Over the same values. */
	abstract protected function anotherPool(int $ttl = 0): CacheItemPoolInterface;

	protected function setUp(): void
	{
		parent::setUp();
		$this->items = $this->anotherPool();
	}

	#[DataProviderExternal(Cases::class, 'values')]
	public function testAnswersExactlyWhatWasSaved(mixed $value): void
	{
		$item = $this->items->getItem('key');
		self::assertSame('key', $item->getKey());
		self::assertFalse($item->isHit());
		self::assertNull($item->get());
		self::assertSame($item, $item->set($value));
		self::assertTrue($this->items->save($item));
		self::assertTrue($this->items->hasItem('key'));
		$found = $this->items->getItem('key');
		self::assertTrue($found->isHit());
		is_object($value) ? self::assertEquals($value, $found->get()) : self::assertSame($value, $found->get());
	}

	public function testAnswersItemsForAllKeysByTheirKeys(): void
	{
		$this->items->save($this->items->getItem('a')->set(1));
		$this->items->save($this->items->getItem('7')->set(7));
		$answers = [];
		foreach ($this->items->getItems(['b', 'a', '7', '-1']) as $key => $item) {
			$answers[] = [$key, $item->getKey(), $item->isHit(), $item->get()];
		}
		sort($answers);
		self::assertSame([['-1', '-1', false, null], ['7', '7', true, 7], ['a', 'a', true, 1], ['b', 'b', false, null]], $answers);
		self::assertSame([[], []], [[...$this->items->getItems([])], [...$this->items->getItems()]]);
	}

	public function testAsksForManyAtOnceAndNotWhenTheyAreLookedAt(): void
	{
		$this->items->save($this->items->getItem('key')->set('then'));
		$items = $this->items->getItems(['key']);
		$this->items->save($this->items->getItem('key')->set('later'));
		self::assertSame('then', iterator_to_array($items)['key']->get());
	}

	public function testAnswersACopyOfAnObject(): void
	{
		$object = (object) ['name' => 'first'];
		foreach (['save', 'saveDeferred'] as $method) {
			$object->name = 'first';
			$this->items->$method($this->items->getItem('key')->set($object));
			$found = $this->items->getItem('key')->get();
			self::assertNotSame($object, $found, $method);
			$found->name = 'changed';
			self::assertEquals((object) ['name' => 'first'], $this->items->getItem('key')->get(), $method);
		}
	}

	/** @return iterable<string, array{\Closure(CacheItemInterface): mixed}> */
	public static function ends(): iterable
	{
		yield 'seconds' => [fn (CacheItemInterface $item) => $item->expiresAfter(10)];
		yield 'interval' => [fn (CacheItemInterface $item) => $item->expiresAfter(new \DateInterval('PT10S'))];
		yield 'date' => [fn (CacheItemInterface $item) => $item->expiresAt(new \DateTime('@' . ((int) Clock::now() + 10)))];
		yield 'date of another timezone' => [fn (CacheItemInterface $item) => $item->expiresAt((new \DateTimeImmutable('@' . ((int) Clock::now() + 10)))->setTimezone(new \DateTimeZone('Asia/Tokyo')))];
	}

	/** @param \Closure(CacheItemInterface): mixed $choose */
	#[DataProvider('ends')]
	public function testKeepsAnItemUntilItsEndAndNoLonger(\Closure $choose): void
	{
		Clock::freeze();
		$item = $this->items->getItem('key')->set('value');
		self::assertSame($item, $choose($item));
		self::assertTrue($this->items->save($item));
		Clock::advance(8);
		self::assertTrue($this->items->getItem('key')->isHit());
		self::assertTrue($this->items->hasItem('key'));
		Clock::advance(2.1);
		self::assertFalse($this->items->hasItem('key'));
		$found = $this->items->getItem('key');
		self::assertFalse($found->isHit());
		self::assertNull($found->get());
	}

	/** @return iterable<string, array{\Closure(CacheItemInterface): mixed}> */
	public static function pastEnds(): iterable
	{
		yield 'zero seconds' => [fn (CacheItemInterface $item) => $item->expiresAfter(0)];
		yield 'negative' => [fn (CacheItemInterface $item) => $item->expiresAfter(-1)];
		yield 'interval into the past' => [fn (CacheItemInterface $item) => $item->expiresAfter(\DateInterval::createFromDateString('-1 day'))];
		yield 'yesterday' => [fn (CacheItemInterface $item) => $item->expiresAt(new \DateTimeImmutable('yesterday'))];
	}

	/** @param \Closure(CacheItemInterface): mixed $choose */
	#[DataProvider('pastEnds')]
	public function testTakesAnItemWithAPastEndAway(\Closure $choose): void
	{
		foreach (['save', 'saveDeferred'] as $method) {
			$this->items->save($this->items->getItem('key')->set('old'));
			$item = $this->items->getItem('key')->set('new');
			$choose($item);
			self::assertTrue($this->items->$method($item));
			self::assertFalse($this->items->hasItem('key'), $method);
		}
	}

	public function testTakesTheCachesTtlWithoutAnEndOfItsOwn(): void
	{
		Clock::freeze();
		$pool = $this->anotherPool(ttl: 60);
		$pool->save($pool->getItem('none')->set(1));
		$pool->save($pool->getItem('taken back')->set(1)->expiresAfter(5)->expiresAfter(null));
		$pool->save($pool->getItem('no date')->set(1)->expiresAfter(5)->expiresAt(null));
		Clock::advance(59);
		self::assertTrue($pool->hasItem('none') && $pool->hasItem('taken back') && $pool->hasItem('no date'));
		Clock::advance(2);
		self::assertFalse($pool->hasItem('none') || $pool->hasItem('taken back') || $pool->hasItem('no date'));
	}

	public function testKeepsDeferredItemsBackUntilCommit(): void
	{
		self::assertTrue($this->items->saveDeferred($this->items->getItem('one')->set(1)));
		self::assertTrue($this->items->saveDeferred($this->items->getItem('two')->set(2)));
		self::assertFalse($this->anotherPool()->hasItem('one'));
		self::assertTrue($this->items->commit());
		self::assertSame(1, $this->anotherPool()->getItem('one')->get());
		self::assertSame(2, $this->anotherPool()->getItem('two')->get());
		self::assertTrue($this->items->commit());
	}

	public function testShowsADeferredItemToItsOwnPool(): void
	{
		$this->items->saveDeferred($this->items->getItem('one')->set(1));
		self::assertTrue($this->items->hasItem('one'));
		$this->items->saveDeferred($this->items->getItem('two')->set(2));
		self::assertTrue($this->items->getItem('two')->isHit());
		$this->items->saveDeferred($this->items->getItem('three')->set(3));
		self::assertSame(3, iterator_to_array($this->items->getItems(['three']))['three']->get());
	}

	public function testSavesInPlaceOfWhatWasDeferred(): void
	{
		$this->items->saveDeferred($this->items->getItem('key')->set('deferred'));
		$other = $this->anotherPool()->getItem('key')->set('saved');
		$this->items->save($other);
		$this->items->commit();
		self::assertSame('saved', $this->items->getItem('key')->get());
	}

	public function testCommitsWhenThePoolDies(): void
	{
		$pool = $this->anotherPool();
		$pool->saveDeferred($pool->getItem('key')->set('value'));
		unset($pool);
		self::assertSame('value', $this->items->getItem('key')->get());
	}

	public function testClearsAlsoWhatIsDeferred(): void
	{
		$this->items->save($this->items->getItem('saved')->set(1));
		$this->items->saveDeferred($this->items->getItem('deferred')->set(1));
		self::assertTrue($this->items->clear());
		self::assertTrue($this->items->commit());
		self::assertFalse($this->items->hasItem('saved') || $this->items->hasItem('deferred'));
	}

	#[DataProviderExternal(Cases::class, 'legalKeys')]
	public function testTakesEveryKeyThatIsNotForbidden(string $key): void
	{
		self::assertTrue($this->items->save($this->items->getItem($key)->set('value')));
		self::assertSame('value', $this->items->getItem($key)->get());
		self::assertTrue($this->items->deleteItem($key));
		self::assertFalse($this->items->hasItem($key));
	}

	#[DataProviderExternal(Cases::class, 'forbiddenKeys')]
	public function testRefusesAForbiddenKeyEverywhere(string $key): void
	{
		$calls = [
			fn () => $this->items->getItem($key), fn () => $this->items->getItems(['a', $key]), fn () => $this->items->hasItem($key),
			fn () => $this->items->deleteItem($key), fn () => $this->items->deleteItems(['a', $key]),
		];
		foreach ($calls as $number => $call) {
			try {
				$call();
				self::fail("call $number took the key");
			} catch (InvalidArgumentException $refusal) {
				self::assertStringContainsStringIgnoringCase('cache key', $refusal->getMessage());
			}
		}
	}

	public function testRefusesAKeyThatIsNoString(): void
	{
		$this->expectException(InvalidArgumentException::class);
		$this->expectExceptionMessageMatches('~must be .*string~');
		$this->items->getItems([7]);
	}

	public function testCommitsWhatComesAfterAValueThatThrows(): void
	{
		$this->items->saveDeferred($this->items->getItem('key')->set(new ThrowsWhenSerialized()));
		$this->items->saveDeferred($this->items->getItem('other')->set(2));
		self::assertFalse($this->items->commit());
		self::assertSame([false, 2], [$this->items->hasItem('key'), $this->items->getItem('other')->get()]);
	}

	public function testAnswersFalseForWhatCannotBeStored(): void
	{
		self::assertFalse($this->items->save($this->items->getItem('key')->set(fn () => 1)));
		$this->items->saveDeferred($this->items->getItem('key')->set(fn () => 1));
		$this->items->saveDeferred($this->items->getItem('other')->set(2));
		self::assertFalse($this->items->commit());
		self::assertSame(2, $this->items->getItem('other')->get());
	}

	public function testMissesWhatItsOwnClassRefuses(): void
	{
		$this->items->save($this->items->getItem('key')->set(new ThrowsWhenRead()));
		$this->items->save($this->items->getItem('other')->set(2));
		self::assertFalse($this->items->hasItem('key'));
		self::assertSame([false, null], [$this->items->getItem('key')->isHit(), $this->items->getItem('key')->get()]);
		$values = [];
		foreach ($this->items->getItems(['key', 'other']) as $key => $item) {
			$values[$key] = $item->get();
		}
		ksort($values);
		self::assertSame(['key' => null, 'other' => 2], $values);
	}
}
