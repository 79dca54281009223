<?php
/* Format of stored items with tags. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Cache;
use Symfony\Component\Cache\CacheItem;
use Symfony\Contracts\Cache\ItemInterface;

/**
 * @internal
 *
 * A value stands beside its tags, and behind them what else was set on its item: also the versions of Symfony's own
 * TagAwareAdapter, whose tags are none of the extension's.
 */
final class TaggedFormat extends Format
{
	/** Changed by each invalidation, before its tags. No item's key has a colon in front. */
	private const INVALIDATED = ':invalidated';
	private const TAGS_AT_ONCE = 255;
	/** Of the 255 tags of a value some are left to levels of sub-namespaces. */
	private const TAGS_EACH = 240;

	/** $cache: of the whole pool. */
	public function __construct(private readonly Cache $cache, private readonly string $namespace)
	{
	}

	public function isTaggable(): bool
	{
		return true;
	}

	public function wrap(mixed $value, CacheItem $item): mixed
	{
		$tags = Items::newTags($item);
		$metadata = Items::newMetadata($item);
		if ($tags !== []) {
			unset($metadata[ItemInterface::METADATA_TAGS]);
		}
		return $metadata === [] ? [$value, $tags] : [$value, $tags, $metadata];
	}

	public function value(mixed $stored): mixed
	{
		return self::isOurs($stored) ? $stored[0] : $stored;
	}

	protected function kept(mixed $stored): array
	{
		if (!self::isOurs($stored)) {
			return [];
		}
		$tags = array_filter($stored[1], is_string(...));
		return (array) ($stored[2] ?? []) + ($tags === [] ? [] : [ItemInterface::METADATA_TAGS => array_combine($tags, $tags)]);
	}

	public function tagNames(CacheItem $item): array
	{
		$names = array_map($this->tagName(...), Items::newTags($item));
		return count($names) <= self::TAGS_EACH ? $names : [...array_slice($names, 0, self::TAGS_EACH), $this->tagOfTheRest()];
	}

	public function invalidations(): string
	{
		$mark = $this->cache->peek(self::INVALIDATED);
		if (!is_string($mark)) {
			$mark = bin2hex(random_bytes(8));
			$this->cache->add(self::INVALIDATED, $mark, 0);
		}
		return $mark;
	}

	/** @param list<string> $tags */
	public function invalidate(array $tags): bool
	{
		$areInvalid = $this->cache->set(self::INVALIDATED, bin2hex(random_bytes(8)), 0);
		foreach (array_chunk([...array_map($this->tagName(...), $tags), $this->tagOfTheRest()], self::TAGS_AT_ONCE) as $some) {
			$areInvalid = $this->cache->deleteTags($some) && $areInvalid;
		}
		return $areInvalid;
	}

	/** A tag is one of the whole pool, its sub-namespaces too. */
	private function tagName(string $tag): string
	{
		return self::tag("tag:$this->namespace:$tag");
	}

	/** Stands for all tags of an item that has more than a value can: whatever is invalidated, such an item is. */
	private function tagOfTheRest(): string
	{
		return self::tag("rest:$this->namespace");
	}

	/** @phpstan-assert-if-true array{mixed, array<mixed>, 2?: mixed} $stored */
	private static function isOurs(mixed $stored): bool
	{
		return is_array($stored) && isset($stored[1]) && is_array($stored[1]) && array_is_list($stored);
	}
}
