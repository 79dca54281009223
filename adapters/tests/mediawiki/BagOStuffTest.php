<?php
/* What core asks of a BagOStuff. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\MediaWiki;

use McPatterns\Adapters\MediaWiki\BagOStuff;
use McPatterns\Clock;

final class BagOStuffTest extends MediaWikiTestCase
{
	/** @return array<string, array{mixed}> */
	public static function values(): array
	{
		return ['null' => [null], 'true' => [true], 'an empty string' => [''], 'a string' => ['a string'], 'a number' => [-7], 'zero' => [0],
			'a float' => [1.5], 'an array' => [['a' => 1, 'b' => [true, null]]], 'an object' => [(object) ['a' => 1]], 'a number in a string' => ['017']];
	}

	#[\PHPUnit\Framework\Attributes\DataProvider('values')]
	public function testGivesBackWhatWasSet(mixed $value): void
	{
		self::assertTrue($this->cache->set('key', $value));
		self::assertEquals($value, $this->cache->get('key'));
		self::assertSame(gettype($value), gettype($this->cache->get('key')));
		self::assertTrue($this->cache->setMulti(['one' => $value, 'two' => 2]));
		self::assertEquals(['two' => 2, 'one' => $value], $this->cache->getMulti(['two', 'none', 'one']));
	}

	public function testWhatIsNotThereIsFalseAndNoError(): void
	{
		$since = $this->cache->watchErrors();
		self::assertFalse($this->cache->get('none'));
		self::assertSame([], $this->cache->getMulti(['none', 'nothing']));
		self::assertFalse($this->cache->incr('none'));
		self::assertFalse($this->cache->changeTTL('none', 60));
		self::assertTrue($this->cache->delete('none'));
		self::assertTrue($this->cache->deleteMulti(['none', 'nothing']));
		self::assertSame(BagOStuff::ERR_NONE, $this->cache->getLastError($since));
	}

	public function testKeysOfDigitsAreKeys(): void
	{
		self::assertTrue($this->cache->setMulti(['17' => 'a', '18' => 'b']));
		self::assertSame(['18' => 'b', '17' => 'a'], $this->cache->getMulti(['18', '17']));
		self::assertTrue($this->cache->add('19', 'c'));
		self::assertTrue($this->cache->deleteMulti(['17', '18']));
		self::assertSame([19 => 'c'], $this->cache->getMulti(['17', '18', '19']));
	}

	public function testDeletes(): void
	{
		$this->cache->setMulti(['a' => 1, 'b' => 2, 'c' => 3]);
		self::assertTrue($this->cache->delete('a'));
		self::assertTrue($this->cache->deleteMulti(['b', 'none']));
		self::assertSame(['c' => 3], $this->cache->getMulti(['a', 'b', 'c']));
	}

	public function testAddsOnce(): void
	{
		self::assertTrue($this->cache->add('key', 'first', 60));
		self::assertFalse($this->cache->add('key', 'second', 60));
		self::assertSame('first', $this->cache->get('key'));
		$this->cache->delete('key');
		self::assertTrue($this->cache->add('key', 'third'));
		self::assertSame(BagOStuff::ERR_NONE, $this->cache->getLastError());
	}

	/** @return array<string, array{int|float, int|null}> what core calls an expiry, in seconds; null: it is over */
	public static function expiries(): array
	{
		$now = self::now();
		return ['indefinite' => [BagOStuff::TTL_INDEFINITE, 0], 'relative' => [60, 60], 'a fraction' => [60.5, 60], 'a year' => [BagOStuff::TTL_YEAR, BagOStuff::TTL_YEAR],
			'a time' => [$now + 60, 60], 'negative' => [-1, null], 'a time that is over' => [$now - 1000, null]];
	}

	/** Of today, as memcached takes a long life for a time by its own clock. */
	private static function now(): int
	{
		static $now = null;
		return $now ??= time();
	}

	#[\PHPUnit\Framework\Attributes\DataProvider('expiries')]
	public function testValuesEndWhenCoreSays(int|float $expiry, ?int $seconds): void
	{
		foreach (['set', 'setMulti', 'add', 'changeTTL', 'merge', 'incrWithInit'] as $verb) {
			Clock::freeze(self::now());
			$time = (float) self::now();
			$this->cache = $this->bag();
			$this->cache->setMockTime($time);
			$key = "$verb:key";
			match ($verb) {
				'setMulti' => $this->cache->setMulti([$key => 7], $expiry),
				'changeTTL' => $this->cache->set($key, 7, 5) && $this->cache->changeTTL($key, $expiry),
				// Core itself leaves what is there where the expiry is negative.
				'merge' => ($expiry < 0 || $this->cache->set($key, 6, 5)) && $this->cache->merge($key, fn () => 7, $expiry),
				'incrWithInit' => $this->cache->incrWithInit($key, $expiry, 1, 7),
				default => $this->cache->$verb($key, 7, $expiry),
			};
			self::assertSame($seconds === null ? false : 7, $this->cache->get($key), $verb);
			if ($seconds === 0 || $seconds === null) {
				continue;
			}
			Clock::advance($seconds - 1);
			self::assertSame(7, $this->cache->get($key), $verb);
			Clock::advance(2);
			self::assertFalse($this->cache->get($key), $verb);
		}
	}

	public function testAnExpiryThatIsOverTakesWhatWasThere(): void
	{
		foreach (['set', 'changeTTL'] as $verb) {
			$this->cache->set('key', 'old');
			self::assertTrue($verb === 'set' ? $this->cache->set('key', 'new', -5) : $this->cache->changeTTL('key', -5));
			self::assertFalse($this->cache->get('key'));
		}
		self::assertFalse($this->cache->changeTTL('key', -5));
	}

	public function testMergesWhatIsThere(): void
	{
		$append = fn (BagOStuff $cache, string $key, mixed $old) => $old === false ? [$key] : [...$old, $key];
		self::assertTrue($this->cache->merge('key', $append, 60));
		self::assertTrue($this->cache->merge('key', $append, 60));
		self::assertSame(['key', 'key'], $this->cache->get('key'));
		self::assertTrue($this->cache->merge('key', fn () => false));
		self::assertSame(['key', 'key'], $this->cache->get('key'));
	}

	public function testAMergeIsToldWhatAnotherHasStoredMeanwhile(): void
	{
		foreach ([false, 'old'] as $before) {
			$before === false ? $this->cache->delete('key') : $this->cache->set('key', $before);
			$told = [];
			$change = function (BagOStuff $cache, string $key, mixed $old) use (&$told): string {
				$told[] = $old;
				count($told) > 1 || $this->bag()->set('key', "another's");
				return "$old and mine";
			};
			self::assertFalse($this->cache->merge('key', $change, 60, 1));
			self::assertSame("another's", $this->cache->get('key'));
			$before === false ? $this->cache->delete('key') : $this->cache->set('key', $before);
			$told = [];
			self::assertTrue($this->cache->merge('key', $change, 60));
			self::assertSame([$before, "another's"], $told);
			self::assertSame("another's and mine", $this->cache->get('key'));
		}
	}

	public function testAMergeMayChooseItsExpiry(): void
	{
		Clock::freeze(1_000_000_000);
		$change = function (BagOStuff $cache, string $key, mixed $old, int &$expiry): int {
			$expiry = 30;
			return (int) $old + 1;
		};
		foreach ([1, 2] as $number) {
			self::assertTrue($this->cache->merge('key', $change, 60));
			self::assertSame($number, $this->cache->get('key'));
		}
		Clock::advance(31);
		self::assertFalse($this->cache->get('key'));
	}

	public function testMergesOfManyProcessesLoseNothing(): void
	{
		$added = run_workers(6, function (int $index): int {
			$cache = $this->bag();
			for ($done = 0; $done < 20;) {
				$done += (int) $cache->merge('list', fn (BagOStuff $bag, string $key, mixed $old) => [...($old ?: []), $index], 60, 100);
			}
			return $done;
		}, 120);
		self::assertSame(120, array_sum($added));
		self::assertEquals(array_fill(0, 6, 20), array_count_values($this->cache->get('list')));
	}

	/** Core's own tokens: given where PASS_BY_REF asks for one, null where nothing is. */
	public function testATokenStoresWhileTheValueIsTheSame(): void
	{
		$cache = new class(['keyspace' => 'wiki', 'servers' => [self::$memcached->address]]) extends BagOStuff {
			/** @return array{mixed, mixed} */
			public function look(string $key, mixed $token = self::PASS_BY_REF): array
			{
				return [$this->doGet($key, 0, $token), $token];
			}

			public function swap(mixed $token, string $key, mixed $value, int $expiry = 0): bool
			{
				return $this->cas($token, $key, $value, $expiry);
			}
		};
		$key = bin2hex(random_bytes(6));
		self::assertSame([false, null], $cache->look($key));
		$cache->set($key, ['old']);
		self::assertSame([['old'], null], $cache->look($key, null));
		[, $token] = $cache->look($key);
		self::assertTrue($cache->swap($token, $key, ['new']));
		self::assertFalse($cache->swap($token, $key, ['newest']));
		self::assertFalse($cache->swap(null, $key, ['newest']));
		self::assertSame(['new'], $cache->get($key));
		[, $token] = $cache->look($key);
		self::assertTrue($cache->swap($token, $key, 'over', -1));
		self::assertFalse($cache->get($key));
		self::assertFalse($cache->swap($token, $key, 'after a delete'));
		self::assertFalse($cache->get($key));
	}

	public function testCounts(): void
	{
		self::assertSame(3, $this->cache->incrWithInit('count', 60, 1, 3));
		self::assertSame(4, $this->cache->incrWithInit('count', 60, 1, 3));
		self::assertSame(2, $this->cache->incrWithInit('steps', 60, 2));
		self::assertSame(4, $this->cache->incrWithInit('steps', 60, 2));
		self::assertSame(9, $this->cache->incr('steps', 5));
		self::assertSame(8, $this->cache->decr('steps'));
		self::assertTrue($this->cache->incrWithInit('steps', 60, 1, null, BagOStuff::WRITE_BACKGROUND));
		self::assertSame(9, $this->cache->get('steps'));
		self::assertTrue($this->cache->set('of SQL', '5'));
		self::assertSame(6, $this->cache->incr('of SQL'));
		self::assertTrue($this->cache->add('added', '5'));
		self::assertSame(6, $this->cache->incr('added'));
		self::assertTrue($this->cache->merge('added', fn (): string => '7'));
		self::assertSame(8, $this->cache->incrWithInit('added', 60));
		$this->cache->set('word', 'seven');
		self::assertFalse($this->cache->incr('word'));
		self::assertSame(BagOStuff::ERR_UNEXPECTED, $this->cache->getLastError());
	}

	public function testCountsOfManyProcessesLoseNothing(): void
	{
		run_workers(6, function (): void {
			$cache = $this->bag();
			for ($done = 0; $done < 50; $done++) {
				self::assertIsInt($cache->incrWithInit('count', 60));
			}
		}, 120);
		self::assertSame(300, $this->cache->get('count'));
	}

	public function testALockHasOneHolder(): void
	{
		$other = $this->bag();
		self::assertTrue($this->cache->lock('key', 0, 30));
		self::assertFalse($other->lock('key', 0, 30));
		self::assertFalse($this->cache->lock('key', 0, 30));
		self::assertTrue($this->cache->unlock('key'));
		self::assertTrue($other->lock('key', 0, 30));
		self::assertFalse($this->cache->unlock('key'));
		self::assertTrue($other->unlock('key'));
	}

	public function testLocksOfAnotherPrefixAreOthers(): void
	{
		$other = new BagOStuff(['keyspace' => 'wiki', 'prefix' => "other-$this->prefix", 'servers' => [self::$memcached->address]]);
		self::assertTrue($this->cache->lock('key', 0, 30));
		self::assertTrue($other->lock('key', 0, 30));
	}

	public function testALockIsReenteredByItsClass(): void
	{
		self::assertTrue($this->cache->lock('key', 0, 30, 'class'));
		self::assertTrue($this->cache->lock('key', 0, 30, 'class'));
		self::assertFalse($this->cache->lock('key', 0, 30, 'another'));
		self::assertTrue($this->cache->unlock('key'));
		self::assertFalse($this->bag()->lock('key', 0, 30));
		self::assertTrue($this->cache->unlock('key'));
		self::assertNotNull($this->bag()->getScopedLock('key', 0));
	}

	public function testAScopedLockEndsWithItsScope(): void
	{
		$lock = $this->cache->getScopedLock('key', 0);
		self::assertNull($this->bag()->getScopedLock('key', 0));
		unset($lock);
		self::assertNotNull($this->bag()->getScopedLock('key', 0));
	}

	public function testALockIsNoKeyOfAValue(): void
	{
		$this->cache->set('key', 'value');
		self::assertTrue($this->cache->lock('key', 0));
		self::assertSame('value', $this->cache->get('key'));
		self::assertFalse($this->cache->get('key:lock'));
	}

	public function testKeysAreMadeAsCoreMakesThemForMemcached(): void
	{
		$core = new \MemcachedPhpBagOStuff(['keyspace' => 'wiki', 'servers' => []]);
		foreach ([['a'], ['a', 'b c', 'd:e'], ['a', "\u{e9}\n#%"], ['a', str_repeat('long', 100)], array_fill(0, 40, 'component')] as $parts) {
			$key = $this->cache->makeKey(...$parts);
			self::assertSame($core->makeKey(...$parts), $key);
			self::assertSame($core->makeGlobalKey(...$parts), $this->cache->makeGlobalKey(...$parts));
			self::assertTrue($this->cache->set($key, $parts));
			self::assertSame($parts, $this->cache->get($key));
		}
	}

	/** Also longer ones than memcached takes, and of any bytes. */
	public function testKeysThatNobodyHasMadeStayApart(): void
	{
		$keys = [str_repeat('k', 300), str_repeat('k', 300) . 'l', "a b", "a\nb", "a\0b"];
		foreach ($keys as $number => $key) {
			self::assertTrue($this->cache->set($key, $number));
		}
		self::assertSame(array_keys($keys), array_values($this->cache->getMulti($keys)));
	}

	public function testALargeValueIsKeptInSegments(): void
	{
		$large = ['text' => random_bytes(2_500_000)];
		self::assertTrue($this->cache->set('key', $large, 60, BagOStuff::WRITE_ALLOW_SEGMENTS));
		self::assertSame($large, $this->cache->get('key'));
		self::assertTrue($this->cache->delete('key', BagOStuff::WRITE_PRUNE_SEGMENTS));
		self::assertFalse($this->cache->get('key'));
	}

	public function testWhatCannotBeStoredIsAnErrorAndNoException(): void
	{
		foreach ([random_bytes(2_500_000), fn () => 'a closure'] as $value) {
			foreach (['set', 'add'] as $verb) {
				$since = $this->cache->watchErrors();
				self::assertFalse($this->cache->$verb('key', $value));
				self::assertSame(BagOStuff::ERR_UNEXPECTED, $this->cache->getLastError($since));
			}
		}
	}

	public function testAValueThatItsClassRefusesIsNotThere(): void
	{
		$this->cache->setMulti(['good' => 'value', 'bad' => new RefusesToWakeUp()]);
		self::assertFalse($this->cache->get('bad'));
		self::assertSame(['good' => 'value'], $this->cache->getMulti(['bad', 'good']));
	}

	public function testAServerThatIsDownIsToldToCore(): void
	{
		$cache = new BagOStuff(['keyspace' => 'wiki', 'servers' => ['unix:///nowhere/memcached.sock']]);
		$change = fn (): int => 7;
		$calls = [fn () => $cache->get('key'), fn () => $cache->set('key', 7), fn () => $cache->add('key', 7), fn () => $cache->delete('key'),
			fn () => $cache->incrWithInit('key', 60), fn () => $cache->merge('key', $change), fn () => $cache->changeTTL('key', 60),
			fn () => $cache->lock('key', 0), fn () => $cache->setMulti(['key' => 7]), fn () => $cache->deleteMulti(['key'])];
		foreach ($calls as $number => $call) {
			$since = $cache->watchErrors();
			self::assertFalse($call(), "call $number");
			self::assertSame(BagOStuff::ERR_UNREACHABLE, $cache->getLastError($since), "call $number");
		}
		$since = $cache->watchErrors();
		self::assertSame([], $cache->getMulti(['key', 'another']));
		self::assertSame(BagOStuff::ERR_UNREACHABLE, $cache->getLastError($since));
	}

	public function testAFailureIsToldOnce(): void
	{
		$cache = $this->bag(['timeout' => 0.1, 'retryAfter' => 0]);
		$cache->set('key', 1);
		$freeze = function (): int {
			self::$memcached->freeze();
			return 2;
		};
		self::assertFalse($cache->merge('key', $freeze, 0, 1));
		self::assertSame(BagOStuff::ERR_UNREACHABLE, $cache->getLastError());
		self::$memcached->thaw();
		self::assertTrue($cache->set('key', 3));
		$since = $cache->watchErrors();
		self::assertFalse($cache->get('missing'));
		self::assertSame(BagOStuff::ERR_NONE, $cache->getLastError($since));
	}

	public function testWrongSettingsAreNamed(): void
	{
		foreach ([['routingPrefix' => '/east/wan/'], ['pool' => ['timeot' => 1]], ['servers' => ['somewhere:99999']]] as $setting) {
			try {
				new BagOStuff($setting);
				self::fail('taken: ' . key($setting));
			} catch (\Error $mistake) {
				self::assertMatchesRegularExpression('/routingPrefix|timeot|somewhere/', $mistake->getMessage());
			}
		}
	}

	public function testTakesCoresSettingsOfMemcached(): void
	{
		$cache = new BagOStuff(['keyspace' => 'wiki', 'servers' => [self::$memcached->address], 'persistent' => false, 'timeout' => 500_000]);
		self::assertTrue($cache->set($key = bin2hex(random_bytes(6)), 7));
		self::assertSame(7, $cache->get($key));
	}
}

final class RefusesToWakeUp
{
	public int $number = 7;

	public function __wakeup(): void
	{
		throw new \LogicException('not this version');
	}
}
