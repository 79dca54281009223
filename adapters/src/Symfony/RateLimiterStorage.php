<?php
/* Storage of Symfony's RateLimiter. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\{Decoded, Written};
use McPatterns\Adapters\Psr\Seconds;
use McPatterns\{Cache, Pool};
use Symfony\Component\RateLimiter\LimiterStateInterface;
use Symfony\Component\RateLimiter\Storage\StorageInterface;

/**
 * A limiter reads its state, changes it and saves it: without a lock (`lock_factory`, by LockStore) two requests at a
 * time can both be let in. A server that does not answer is an empty state, so that it lets everybody in, and so is one
 * that cannot be read or stored, as with Symfony's own. The extension's own McPatterns\RateLimiter does not need a
 * lock, and reports an unreachable server.
 */
final class RateLimiterStorage implements StorageInterface
{
	private readonly Cache $states;

	public function __construct(Pool $pool, string $prefix = 'limiter.')
	{
		$this->states = new Cache($pool, $prefix, ttl: 0, grace: 0);
	}

	public function save(LimiterStateInterface $limiterState): void
	{
		$seconds = $limiterState->getExpirationTime();
		if ($seconds !== null && $seconds <= 0) {
			$this->states->delete($limiterState->getId());
			return;
		}
		Written::set($this->states, $limiterState->getId(), $limiterState, $seconds === null ? null : Seconds::ttl($seconds));
	}

	public function fetch(string $limiterStateId): ?LimiterStateInterface
	{
		$state = Decoded::one(fn (): mixed => $this->states->peek($limiterStateId), null);
		return $state instanceof LimiterStateInterface ? $state : null;
	}

	public function delete(string $limiterStateId): void
	{
		$this->states->delete($limiterStateId);
	}
}
