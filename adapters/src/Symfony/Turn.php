<?php
/* One caller's turn to compute: its callback with an item of Symfony's, and what the item and $save say of the result. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Cache, Entry};
use Symfony\Component\Cache\CacheItem;

/** @internal */
final class Turn
{
	private ?CacheItem $item = null;
	private bool $save = true;
	private bool $isToBeGone = false;
	private int $storedBefore = 0;

	/**
	 * @param \Closure(mixed, list<string>): mixed $wrap
	 * @param \Closure(Entry): CacheItem $makeItem
	 */
	public function __construct(
		private readonly Cache $cache,
		private readonly mixed $callback,
		private readonly \Closure $wrap,
		private readonly int $defaultLifetime,
		private readonly \Closure $makeItem,
	) {
	}

	public function compute(Entry $old): mixed
	{
		$this->item = ($this->makeItem)($old);
		$this->save = true;
		assert(is_callable($this->callback));
		$value = ($this->callback)($this->item, $this->save);
		return ($this->wrap)($value, Items::newTags($this->item));
	}

	/** Of what was computed: null for what is not to be stored. */
	public function ttl(): float|int|null
	{
		$this->storedBefore = $this->cache->stats()['stored'];
		$chosen = $this->item === null ? null : Items::remaining($this->item);
		$this->isToBeGone = $this->save && $chosen !== null && $chosen <= 0;
		return $this->save && !$this->isToBeGone ? $chosen ?? $this->defaultLifetime : null;
	}

	/** The item was given an end that is past. */
	public function isToBeGone(): bool
	{
		return $this->isToBeGone;
	}

	/** @return list<string> */
	public function tags(): array
	{
		return $this->item === null ? [] : Items::newTags($this->item);
	}

	/** @return array{save_failed?: true} as ItemInterface::METADATA_SAVE_FAILED, which older contracts do not have */
	public function trouble(): array
	{
		$isFailed = $this->item !== null && $this->save && !$this->isToBeGone && $this->cache->stats()['stored'] === $this->storedBefore;
		return $isFailed ? ['save_failed' => true] : [];
	}
}
