<?php
/* Symfony's lock store with shared locks, over the extension's Lock and Semaphore. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Lock, Pool, Semaphore};
use Symfony\Component\Lock\Exception\{InvalidArgumentException, LockAcquiringException, LockConflictedException, LockReleasingException, LockStorageException};
use Symfony\Component\Lock\{Key, SharedLockStoreInterface};
use Symfony\Component\Lock\Store\ExpiringStoreTrait;

/**
 * One writer, or up to $readers readers. A reader takes a permit and then looks for a writer; a writer takes the lock
 * and then looks for readers: at least one of two that meet sees the other and gives way, so that both never hold; it
 * may be that both give way and try again. A writer may wait forever if new readers keep coming. The key of a reader
 * cannot be serialized.
 */
final class SharedLockStore implements SharedLockStoreInterface
{
	use AsksServers;
	use ExpiringStoreTrait;

	/** Maximum number of permits of a Semaphore. */
	private const MOST_READERS = 1000;

	private readonly LockStore $writers;
	/** @var \WeakMap<Key, Semaphore> permits that this process has acquired */
	private \WeakMap $permits;

	private readonly float $initialTtl;

	/** $readers, 1 to 1000: how many at one time, the same for all that use a name. A writer looks at a key for each. */
	public function __construct(private readonly Pool $pool, float $initialTtl = 300.0, private readonly int $readers = 32)
	{
		if ($readers < 1 || $readers > self::MOST_READERS) {
			throw new InvalidArgumentException(sprintf('%s() expects 1 to %d readers, got %d.', __METHOD__, self::MOST_READERS, $readers));
		}
		$this->initialTtl = self::seconds($initialTtl, __METHOD__);
		$this->writers = new LockStore($pool, $initialTtl);
		$this->permits = new \WeakMap();
	}

	public function save(Key $key): void
	{
		$wasHeld = $this->writers->exists($key);
		$this->writers->save($key);
		if ($wasHeld) {
			return;
		}
		try {
			$others = self::asking(LockAcquiringException::class, fn (): int => $this->readers - $this->semaphore($key)->available() - (int) $this->isReading($key));
		} catch (\RuntimeException $failure) {    // the readers are on another server
			$this->writers->delete($key);
			throw $failure;
		}
		if ($others > 0) {
			$this->writers->delete($key);
			throw new LockConflictedException();
		}
		$this->leave($key);
	}

	public function saveRead(Key $key): void
	{
		$isWriter = $this->writers->exists($key);
		$permit = $this->permits[$key] ?? $this->semaphore($key);
		$wasReading = $permit->isHeld();
		if (!self::asking(LockAcquiringException::class, fn (): bool => $permit->acquire())) {
			throw new LockConflictedException();
		}
		$this->permits[$key] = $permit;
		if ($isWriter) {
			$this->writers->delete($key);
		} elseif (!$wasReading) {
			$this->giveWayToAWriter($key);
		}
		$key->markUnserializable();
		$key->reduceLifetime($this->initialTtl);
		$this->checkNotExpired($key);
	}

	public function putOffExpiration(Key $key, float $ttl): void
	{
		if (!isset($this->permits[$key])) {
			$this->writers->putOffExpiration($key, $ttl);
			return;
		}
		$seconds = self::seconds($ttl, __METHOD__);
		$key->reduceLifetime($ttl);
		$isHeld = self::asking(LockAcquiringException::class, fn (): bool => $this->permits[$key]->refresh($seconds));
		if (!$isHeld && !$key->isExpired()) {
			throw new LockConflictedException();
		}
		$this->checkNotExpired($key);
	}

	public function delete(Key $key): void
	{
		$this->leave($key);
		$this->writers->delete($key);
	}

	public function exists(Key $key): bool
	{
		return $this->isReading($key) || $this->writers->exists($key);
	}

	private function giveWayToAWriter(Key $key): void
	{
		$isFree = false;
		try {
			$isFree = self::asking(LockAcquiringException::class, fn (): bool => !(new Lock($this->pool, (string) $key))->isLocked());
		} finally {
			$isFree || $this->leave($key);
		}
		$isFree || throw new LockConflictedException();
	}

	private function isReading(Key $key): bool
	{
		return isset($this->permits[$key]) && self::asking(LockStorageException::class, fn (): bool => $this->permits[$key]->isHeld(verify: true));
	}

	private function leave(Key $key): void
	{
		if (isset($this->permits[$key])) {
			self::asking(LockReleasingException::class, fn (): bool => $this->permits[$key]->release());
			unset($this->permits[$key]);
		}
	}

	private function semaphore(Key $key): Semaphore
	{
		return new Semaphore($this->pool, (string) $key, $this->readers, $this->initialTtl, autoRelease: false);
	}
}
