<?php
/* Handling of TTLs and unreachable servers in both of Symfony's lock stores. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\Psr\Seconds;
use McPatterns\ServerException;
use Symfony\Component\Lock\Exception\InvalidTtlException;

/** @internal */
trait AsksServers
{
	/** The shortest TTL that Lock and Semaphore accept. */
	private const LEAST = 0.001;

	/** Returns the TTL for Lock and Semaphore: $ttl, at most the longest that they accept. */
	private static function seconds(float $ttl, string $method): float
	{
		if (!($ttl > 0) || $ttl === INF) {
			throw new InvalidTtlException(sprintf('%s() expects a TTL greater than 0 that ends, got %s.', $method, var_export($ttl, true)));
		}
		return min(max($ttl, self::LEAST), Seconds::MOST);
	}

	/**
	 * @template T
	 * @param class-string<\RuntimeException> $exception
	 * @param \Closure(): T $ask
	 * @return T
	 */
	private static function asking(string $exception, \Closure $ask): mixed
	{
		try {
			return $ask();
		} catch (ServerException $failure) {
			throw new $exception($failure->getMessage(), 0, $failure);
		}
	}
}
