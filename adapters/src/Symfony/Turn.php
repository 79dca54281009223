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
	private string $before = '';

	/**
	 * $invalidated: the same as long as no tag was invalidated.
	 *
	 * @param \Closure(mixed, list<string>): mixed $wrap
	 * @param \Closure(?Entry): CacheItem $makeItem
	 * @param (\Closure(): string)|null $invalidated
	 */
	public function __construct(
		private readonly Cache $cache,
		private readonly mixed $callback,
		private readonly \Closure $wrap,
		private readonly int $defaultLifetime,
		private readonly \Closure $makeItem,
		private readonly ?\Closure $invalidated,
	) {
	}

	/** $old: null where nothing is known of what there was. */
	public function compute(?Entry $old): mixed
	{
		$this->item = $item = ($this->makeItem)($old);
		$this->save = true;
		$this->before = $this->invalidated === null ? '' : ($this->invalidated)();
		assert(is_callable($this->callback));
		$value = ($this->callback)($item, $this->save);
		return ($this->wrap)($value, Items::newTags($item));
	}

	/** Of what was computed: null for what is not to be stored. */
	public function ttl(): float|int|null
	{
		$chosen = $this->item === null ? null : Items::remaining($this->item);
		$this->isToBeGone = $this->save && $chosen !== null && $chosen <= 0;
		$ttl = $this->save && !$this->isToBeGone && !$this->isInvalid() ? $chosen ?? $this->defaultLifetime : null;
		// Last: looking for what was invalidated may store a mark.
		$this->storedBefore = $this->cache->stats()['stored'];
		return $ttl;
	}

	public function hasBegun(): bool
	{
		return $this->item !== null;
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

	/** A tag of what was computed may have been invalidated since the computation began. */
	private function isInvalid(): bool
	{
		return $this->invalidated !== null && $this->tags() !== [] && ($this->invalidated)() !== $this->before;
	}
}
