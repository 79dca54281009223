<?php
/* The Pool and the Cache that a framework's configuration describes. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\{Cache, Pool};

/** @internal */
final class Configured
{
	/** Parameters that the frameworks' own rules decide. */
	private const DECIDED = ['pool', 'prefix', 'ttl', 'stale', 'clearable', 'copies', 'foreign'];

	public readonly Pool $pool;
	public readonly Cache $cache;

	/**
	 * Without a grace, unless the settings have one: frameworks expect that an expired value is gone.
	 *
	 * @param string $whose begins the messages on unknown settings
	 * @param array<array-key, mixed> $settings parameters of Pool and Cache, also in snake case
	 * @param string $group prefix of the cache, by which Metrics shows it
	 * @param \Closure(string, array<mixed>): void $log
	 */
	public function __construct(string $whose, array $settings, string $prefix, string $group, \Closure $log)
	{
		$given = (new Arguments($whose))->of($settings, self::DECIDED, Pool::class, Cache::class);
		$this->pool = Arguments::make(Pool::class, ['prefix' => $prefix] + $given);
		$this->pool->onError(fn (string $message, array $context) => Outages::tell($log, $message, $context));
		$decided = ['pool' => $this->pool, 'prefix' => $group, 'ttl' => 0, 'clearable' => true];
		$this->cache = Arguments::make(Cache::class, $decided + $given + ['grace' => 0]);
	}
}
