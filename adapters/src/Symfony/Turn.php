<?php
/* One caller's turn to compute: its callback with a Symfony item, and the effect of the item and $save on the
 * result. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\Answers;
use McPatterns\{Cache, Entry, Status};
use Symfony\Component\Cache\CacheItem;

/** @internal */
final class Turn
{
	/** What the callback is to see whatever is there; null: what is there. */
	private ?CacheItem $seen = null;
	private ?CacheItem $item = null;
	private ?\Throwable $answer = null;
	private bool $save = true;
	private bool $isToBeGone = false;
	private int $storedBefore = 0;
	private string $before = '';

	public function __construct(
		private readonly Cache $cache,
		private readonly Format $format,
		private readonly string $key,
		private readonly mixed $callback,
		private readonly int $defaultLifetime,
		private readonly bool $tellsTrouble,
	) {
	}

	public function show(CacheItem $seen): void
	{
		$this->seen = $seen;
	}

	/** Computes. $old: null where nothing is known of what there was. */
	public function __invoke(?Entry $old): mixed
	{
		$this->item = $item = $this->seen ?? $this->format->item($this->key, $old);
		$this->save = true;
		$this->before = $this->format->invalidations();
		assert(is_callable($this->callback));
		try {
			$value = ($this->callback)($item, $this->save);
		} catch (\Throwable $thrown) {
			$hasOld = $old !== null && $old->status !== Status::Miss;
			$this->answer = !$hasOld && Answers::isOne($thrown) ? $thrown : throw $thrown;
			$this->save = false;
			return null;
		}
		return $this->format->wrap($value, Items::reader()($item)[3]);
	}

	/** @throws \Throwable the exception that the callback threw as its response */
	public function throwAnswer(): void
	{
		$this->answer === null || throw $this->answer;
	}

	/** Computes what nothing is to become of. */
	public function unsaved(): mixed
	{
		$stored = $this(null);
		$this->save = false;
		return $stored;
	}

	/** Of what was computed: null for what is not to be stored. */
	public function ttl(): \DateInterval|float|int|null
	{
		$ttl = $this->item === null ? null : Items::lifetime(Items::reader()($this->item)[2], $this->defaultLifetime);
		$this->isToBeGone = $this->hasBegun() && $this->save && $ttl === null;
		$ttl = $this->save && !$this->isInvalid() ? $ttl : null;
		if ($this->tellsTrouble) {    // last, because the check for an invalidation may store an item
			$this->storedBefore = $this->cache->stats()['stored'];
		}
		return $ttl;
	}

	/** @return list<string> by which the extension knows the item's tags */
	public function tagNames(): array
	{
		return $this->item === null ? [] : $this->format->tagNames(Items::reader()($this->item)[3]);
	}

	public function hasBegun(): bool
	{
		return $this->item !== null;
	}

	/** The item was given an expiry in the past. */
	public function isToBeGone(): bool
	{
		return $this->isToBeGone;
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
		return $this->tagNames() !== [] && $this->format->invalidations() !== $this->before;
	}
}
