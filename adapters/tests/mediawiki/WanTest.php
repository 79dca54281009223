<?php
/* Core's WANObjectCache over it, where purges are lost: what was computed before a purge is never stored behind it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\MediaWiki;

final class WanTest extends MediaWikiTestCase
{
	/** @return array<string, array{bool}> */
	public static function schemes(): array
	{
		return ['hash stop' => [false], 'hash tag' => [true]];
	}

	/** Another request that changes the row and purges the key, in a process of its own, as all requests are. */
	private function purge(string $key, int $holdoff = \WANObjectCache::HOLDOFF_TTL, bool $isLost = false): void
	{
		run_workers(1, function () use ($key, $holdoff, $isLost): void {
			$this->nextRequest();
			self::assertTrue($this->wan()->delete($key, $holdoff));
			$isLost && $this->lose("WANCache:$key|#|v");
		});
	}

	private function seen(string $key): mixed
	{
		return run_workers(1, function () use ($key): mixed {
			$this->nextRequest();
			return $this->wan()->get($key);
		})[0];
	}

	private function computed(string $key, string $row): mixed
	{
		return run_workers(1, function () use ($key, $row): mixed {
			$this->nextRequest();
			return $this->wan()->getWithSetCallback($key, 600, fn (): string => $row);
		})[0];
	}

	public function testComputesOnceAndGivesBack(): void
	{
		$key = $this->cache->makeKey('row', 7);
		self::assertSame('row', $this->computed($key, 'row'));
		self::assertSame('row', $this->computed($key, 'another row'));
		self::assertSame('row', $this->seen($key));
	}

	public function testAPurgeTakesItAway(): void
	{
		$key = $this->cache->makeKey('row', 7);
		$this->computed($key, 'old');
		$this->purge($key);
		self::assertFalse($this->seen($key));
		self::assertSame('new', $this->computed($key, 'new'));
	}

	/** Its hold-off: neither by who has looked before, nor by who has looked after. */
	public function testAPurgeKeepsOthersFromStoring(): void
	{
		$key = $this->cache->makeKey('row', 7);
		$this->wan()->getWithSetCallback($key, 600, function () use ($key): string {
			$this->purge($key);
			return 'old';
		});
		self::assertFalse($this->seen($key));
		self::assertStringStartsWith('PURGED:', (string) $this->cache->get("WANCache:$key|#|v"));
	}

	/** @return array<string, array{mixed, bool}> what stands there before the reader looks, and whether the purge is evicted, or has no hold-off */
	public static function lostPurges(): array
	{
		return ['nothing, evicted' => [false, true], 'nothing, no hold-off' => [false, false], 'an old value, evicted' => ['older', true], 'an old value, no hold-off' => ['older', false]];
	}

	#[\PHPUnit\Framework\Attributes\DataProvider('lostPurges')]
	public function testWhatWasComputedBeforeALostPurgeIsNotStored(mixed $before, bool $isLost): void
	{
		$key = $this->cache->makeKey('row', 7);
		$before === false || $this->computed($key, $before);
		$read = $this->wan()->getWithSetCallback($key, 600, function () use ($key, $isLost): string {
			$this->purge($key, $isLost ? \WANObjectCache::HOLDOFF_TTL : \WANObjectCache::HOLDOFF_TTL_NONE, $isLost);
			return 'old';
		}, ['minAsOf' => INF]);
		self::assertSame('old', $read);
		self::assertFalse($this->seen($key));
		self::assertSame('new', $this->computed($key, 'new'));
		self::assertSame('new', $this->seen($key));
	}

	/** Nobody can say which of the two is newer: neither stays. */
	public function testWhatWasComputedBeforeAnothersIsNotStoredOverIt(): void
	{
		$key = $this->cache->makeKey('row', 7);
		$this->computed($key, 'older');
		$this->wan()->getWithSetCallback($key, 600, function () use ($key): string {
			$this->purge($key, isLost: true);
			$this->computed($key, 'new');
			return 'old';
		}, ['minAsOf' => INF]);
		self::assertNotSame('old', $this->seen($key));
		self::assertSame('newest', $this->computed($key, 'newest'));
	}

	/** With get() and set(), which core calls as well. */
	public function testWhatWasReadBeforeALostPurgeIsNotSet(): void
	{
		$key = $this->cache->makeKey('row', 7);
		self::assertFalse($this->wan()->get($key));
		$this->purge($key, isLost: true);
		$this->wan()->set($key, 'old', 600);
		self::assertFalse($this->seen($key));
	}

	public function testSomeOfManyArePurged(): void
	{
		$keys = array_map(fn (int $id): string => $this->cache->makeKey('row', $id), [1, 2, 3]);
		foreach ($keys as $key) {
			$this->computed($key, "row of $key");
		}
		$this->purge($keys[1]);
		self::assertSame([$keys[0] => "row of $keys[0]", $keys[2] => "row of $keys[2]"], $this->wan()->getMulti($keys));
	}

	/** Whose times are of whole seconds. */
	public function testACheckKeyPurgesAllThatAskForIt(): void
	{
		[$key, $check] = [$this->cache->makeKey('row', 7), $this->cache->makeKey('rows')];
		$at = fn (int $second, \Closure $work): mixed => run_workers(1, function () use ($second, $work): mixed {
			$this->nextRequest();
			$time = 1_000_000_000.5 + $second;
			$wan = $this->wan();
			$wan->setMockTime($time);
			return $work($wan);
		})[0];
		$compute = fn (string $row): \Closure => fn (\WANObjectCache $wan): mixed => $wan->getWithSetCallback($key, 600, fn (): string => $row, ['checkKeys' => [$check]]);
		self::assertSame('old', $at(0, $compute('old')));
		self::assertTrue($at(20, fn (\WANObjectCache $wan): bool => $wan->touchCheckKey($check)));
		self::assertSame('new', $at(40, $compute('new')));
		self::assertSame('new', $at(41, $compute('newest')));
	}

	/** A purge is stored whatever this request has seen there, and others have put there since. */
	public function testAPurgeIsNeverRefused(): void
	{
		$key = $this->cache->makeKey('row', 7);
		foreach ([false, 'seen'] as $before) {
			$before === false || $this->computed($key, $before);
			$this->wan()->get($key);
			$this->purge($key, isLost: true);
			$this->computed($key, "another's");
			self::assertTrue($this->wan()->delete($key));
			self::assertStringStartsWith('PURGED:', (string) $this->cache->get("WANCache:$key|#|v"));
			$this->lose("WANCache:$key|#|v");
			$this->nextRequest();
		}
	}

	/** A command that runs jobs for days: refused while the hold-off lasts, and guarded as before from then on. */
	public function testALongCommandStoresAgainAfterARefusal(): void
	{
		$key = $this->cache->makeKey('row', 7);
		$wan = $this->wan();
		$time = 1_000_000_000.0;
		$wan->setMockTime($time);
		$compute = fn (string $row, bool $isPurged = false): string => $wan->getWithSetCallback($key, 600, function () use ($key, $row, $isPurged): string {
			$isPurged && $this->purge($key, isLost: true);
			return $row;
		});
		$steps = [['purged meanwhile', 5, true, false], ['in the hold-off', 7, false, false], ['behind it', 0, false, true],
			['refused', 12, false, false], ['purged again meanwhile', 12, true, false], ['at last', 0, false, true]];
		foreach ($steps as [$row, $seconds, $isPurged, $isStored]) {
			self::assertSame($row, $compute($row, $isPurged));
			self::assertSame($isStored ? $row : false, $this->seen($key));
			self::assertSame($isStored ? $row : 'not stored', $compute('not stored'));
			$isStored && $this->purge($key, isLost: true);
			$time += $seconds;
		}
	}

	/** Sessions and all else that is got and set without a database: the last one counts, and nothing is emptied. */
	public function testWhatIsNotOfWanIsStoredAsItIsSaid(): void
	{
		$key = $this->cache->makeKey('MWSession', 'abc');
		foreach ([false, ['user' => 1]] as $before) {
			self::assertEquals($before, $this->cache->get($key));
			run_workers(1, function () use ($key): void {
				$this->nextRequest();
				$this->cache->get($key);
				self::assertTrue($this->cache->set($key, ['user' => 2]));
			});
			self::assertTrue($this->cache->set($key, ['user' => 1]));
			self::assertSame(['user' => 1], $this->bag()->get($key));
		}
	}

	/** Core's locks and pauses, which one process takes again and again. */
	public function testAPauseMayBeTakenAgain(): void
	{
		foreach (['m', 'c'] as $kind) {
			for ($turn = 0; $turn < 3; $turn++) {
				self::assertFalse($this->cache->get("WANCache:wiki:row:7|#|$kind"));
				self::assertTrue($this->cache->add("WANCache:wiki:row:7|#|$kind", 1, 60));
				$turn % 2 === 0 ? $this->lose("WANCache:wiki:row:7|#|$kind") : self::assertTrue($this->cache->changeTTL("WANCache:wiki:row:7|#|$kind", -60));
			}
		}
	}

	#[\PHPUnit\Framework\Attributes\DataProvider('schemes')]
	public function testIsGuardedUnlessItsPoolFailsOver(bool $isTagged): void
	{
		$key = $isTagged ? 'WANCache:{wiki:row:7}:v' : 'WANCache:wiki:row:7|#|v';
		foreach ([[[], false], [['failover' => true], true]] as [$pool, $isStored]) {
			$bag = $this->bag($pool);
			self::assertFalse($bag->get($key));
			$this->lose($key);
			self::assertSame($isStored, $bag->add($key, 'old', 60));
		}
	}

	/** Thirty rows, one after the other; without the guard half of them stay old. */
	public function testNothingOldStaysUnderLoad(): void
	{
		$found = (new RowsUnderLoad($this->bag(...), self::$memcached, $this->prefix))->run(at_full_size() ? 400 : 30);
		self::assertGreaterThan(0, $found['lost']);
		self::assertLessThan($found['reads'] / 2, $found['computed']);
		self::assertSame(0, $found['old'], (string) json_encode($found));
	}
}
