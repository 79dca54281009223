<?php
/* Symfony's lock store over the extension's Lock. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Lock, Pool};
use Symfony\Component\Lock\BlockingStoreInterface;
use Symfony\Component\Lock\Exception\{LockAcquiringException, LockConflictedException, LockReleasingException, LockStorageException};
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Store\ExpiringStoreTrait;

/**
 * Exclusive locks that expire, to fractions of a second. A lock is acquired, extended and released by compare-and-swap,
 * so another holder's lock is never changed. The lock of a crashed holder is free $skew seconds after it expires. A key
 * can be serialized and used by another process.
 *
 * A server that does not answer is an exception of Symfony's (LockAcquiringException, LockReleasingException,
 * LockStorageException) with the extension's for its previous one, never an answer.
 */
final class LockStore implements BlockingStoreInterface
{
	use AsksServers;
	use ExpiringStoreTrait;

	/** @var \WeakMap<Key, Lock> locks that this process has acquired */
	private \WeakMap $locks;

	private readonly float $initialTtl;

	/** $initialTtl: seconds that a lock lasts until putOffExpiration() says otherwise. $skew: see Lock; the same in all processes that use a name. */
	public function __construct(private readonly Pool $pool, float $initialTtl = 300.0, private readonly float $skew = 1.0)
	{
		$this->initialTtl = self::seconds($initialTtl, __METHOD__);
		$this->locks = new \WeakMap();
	}

	public function save(Key $key): void
	{
		$this->acquire($key, 0);
	}

	/** Blocks the process until the lock is free; handlers of signals run meanwhile with pcntl_async_signals(true). */
	public function waitAndSave(Key $key): void
	{
		$this->acquire($key, INF);
	}

	public function putOffExpiration(Key $key, float $ttl): void
	{
		$seconds = self::seconds($ttl, __METHOD__);
		$key->reduceLifetime($ttl);
		$isHeld = self::asking(LockAcquiringException::class, fn (): bool => $this->isElsewhere($key, fn (Lock $lock): bool => $lock->refresh($seconds))
			? $this->restoreFor($key, $seconds, fn (Lock $lock): string => $lock->detach()) : isset($this->locks[$key]));
		if (!$isHeld && !$key->isExpired()) {
			throw new LockConflictedException();
		}
		$this->checkNotExpired($key);
	}

	public function delete(Key $key): void
	{
		self::asking(LockReleasingException::class, fn (): bool => $this->isElsewhere($key, fn (Lock $lock): bool => $lock->release())
			&& $this->restoreFor($key, $this->initialTtl, fn (Lock $lock): bool => $lock->release()));
		unset($this->locks[$key]);
	}

	/** Sends no request for a key that has not acquired a lock yet. */
	public function exists(Key $key): bool
	{
		if (!$key->hasState(self::class)) {
			return false;
		}
		return self::asking(LockStorageException::class, fn (): bool => $this->isElsewhere($key, fn (Lock $lock): bool => $lock->isHeld(verify: true))
			? !$key->isExpired() && $this->lock($key)->currentOwner() === self::token($key) : isset($this->locks[$key]));
	}

	private function acquire(Key $key, float $wait): void
	{
		$isKnown = $key->hasState(self::class);
		$lock = $this->locks[$key] ?? $this->lock($key);
		$isHeld = self::asking(LockAcquiringException::class, fn (): bool => $lock->acquire()
			|| $isKnown && $this->restoreFor($key, $this->initialTtl, fn (Lock $own): string => $own->detach())
			|| $wait > 0 && $lock->acquire($wait));
		if (!$isHeld) {
			throw new LockConflictedException();
		}
		$remaining = $this->initialTtl;
		unset($this->locks[$key]);
		if ($lock->isHeld()) {
			$this->locks[$key] = $lock;
			$remaining = $lock->remaining();
		}
		$key->reduceLifetime($remaining);
		$this->checkNotExpired($key);
	}

	/**
	 * Whether to look for the lock by its owner's name: this store has not taken it, or $use has failed because a copy of
	 * the key has it by now. One whose time is over is nowhere: it stays here, and is not held.
	 *
	 * @param \Closure(Lock): bool $use
	 */
	private function isElsewhere(Key $key, \Closure $use): bool
	{
		$lock = $this->locks[$key] ?? null;
		if ($lock === null) {
			return true;
		}
		$wasHeld = $lock->isHeld();
		if ($use($lock)) {
			return false;
		}
		unset($this->locks[$key]);
		return $wasHeld;
	}

	/**
	 * What this key has taken in another process, or by another copy of itself: false when it has not.
	 *
	 * @param \Closure(Lock): mixed $use
	 */
	private function restoreFor(Key $key, float $ttl, \Closure $use): bool
	{
		if (!$key->hasState(self::class)) {
			return false;
		}
		$lock = Lock::restore($this->pool, (string) $key, self::token($key), $ttl, $this->skew);
		if (!$lock->isHeld()) {
			return false;
		}
		$use($lock);
		return true;
	}

	private function lock(Key $key): Lock
	{
		return new Lock($this->pool, (string) $key, $this->initialTtl, self::token($key), autoRelease: false, skew: $this->skew);
	}

	/** The owner's name, which is passed to another process with the key. */
	private static function token(Key $key): string
	{
		if (!$key->hasState(self::class)) {
			$key->setState(self::class, bin2hex(random_bytes(16)));
		}
		$token = $key->getState(self::class);
		return is_string($token) ? $token : throw new LockStorageException('The key has a state of a different class.');
	}
}
