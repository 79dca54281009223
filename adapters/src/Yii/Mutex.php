<?php
/* Yii's mutex component by the extension's locks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Yii;

use McPatterns\Adapters\Arguments;
use McPatterns\{Lock, Pool};

/**
 * Waits without polling at fixed times, and never releases another holder's lock. A server that is down is a ServerException:
 * "could not ask" is not "taken".
 */
final class Mutex extends \yii\mutex\Mutex
{
	/** Seconds: the extension counts milliseconds, and a wait must not be shorter than it was asked to be. */
	private const RESOLUTION = 0.001;

	/** @var string|list<string>|null null: those of php.ini */
	public string|array|null $servers = null;
	/** Before the names. */
	public string $keyPrefix = '';
	/** Seconds after which the lock of a killed process is free, and longer than the work that it protects. */
	public int|float $expire = 30;
	/** @var array<string, mixed> the other parameters of Pool and Lock, by name */
	public array $options = [];

	private Pool $pool;
	/** @var array<string, mixed> */
	private array $given;
	/** @var array<array-key, Lock> by name */
	private array $locks = [];

	public function init(): void
	{
		parent::init();
		$this->given = (new Arguments("The mutex component's option"))->of($this->options, ['servers', 'prefix', 'pool', 'name', 'ttl', 'owner', 'autoRelease'], Pool::class, Lock::class);
		$this->pool = Arguments::make(Pool::class, ['servers' => $this->servers, 'prefix' => $this->keyPrefix] + $this->given);
	}

	public function acquire($name, $timeout = 0): bool
	{
		return !$this->isAcquired($name) && $this->acquireLock($name, $timeout);
	}

	public function release($name): bool
	{
		return $this->releaseLock($name);
	}

	/** False also when it has expired. */
	public function isAcquired($name): bool
	{
		return isset($this->locks[$name]) && $this->locks[$name]->isHeld();
	}

	protected function acquireLock($name, $timeout = 0): bool
	{
		$decided = ['pool' => $this->pool, 'name' => (string) $name, 'ttl' => $this->expire, 'autoRelease' => (bool) $this->autoRelease];
		$lock = Arguments::make(Lock::class, $decided + $this->given);
		if (!$lock->acquire($timeout > 0 ? $timeout + self::RESOLUTION : 0)) {
			return false;
		}
		$this->locks[$name] = $lock;
		return true;
	}

	/** False when it was not acquired here, or is lost. */
	protected function releaseLock($name): bool
	{
		$lock = $this->locks[$name] ?? null;
		unset($this->locks[$name]);
		return $lock !== null && $lock->release();
	}
}
