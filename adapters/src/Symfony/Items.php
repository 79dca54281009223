<?php
/* Makes and reads Symfony's items, whose class is final and leaves that to adapters by its protected properties. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\Psr\Seconds;
use McPatterns\Entry;
use Symfony\Component\Cache\CacheItem;
use Symfony\Contracts\Cache\ItemInterface;

/** @internal */
final class Items
{
	/** @var (\Closure(string, mixed, bool, array<string, mixed>, bool): CacheItem)|null */
	private static ?\Closure $make = null;
	/** @var (\Closure(CacheItem): (float|int|null))|null */
	private static ?\Closure $end = null;
	/** @var (\Closure(CacheItem): array<mixed>)|null */
	private static ?\Closure $chosen = null;

	/** @param array<string, mixed> $metadata */
	public static function make(string $key, mixed $value, bool $isHit, array $metadata, bool $isTaggable): CacheItem
	{
		self::$make ??= \Closure::bind(static function (string $key, mixed $value, bool $isHit, array $metadata, bool $isTaggable): CacheItem {
			$item = new CacheItem();
			$item->key = $key;
			$item->value = $value;
			$item->isHit = $isHit;
			$item->metadata = $metadata;
			$item->isTaggable = $isTaggable;
			return $item;
		}, null, CacheItem::class);
		return (self::$make)($key, $value, $isHit, $metadata, $isTaggable);
	}

	/** Seconds from now on that the item is to live, not positive when its end is past; null: as long as its pool's items do. */
	public static function remaining(CacheItem $item): ?float
	{
		self::$end ??= \Closure::bind(static fn (CacheItem $item): float|int|null => $item->expiry, null, CacheItem::class);
		$end = (self::$end)($item);
		return $end === null ? null : Seconds::until((float) $end, microtime(true));
	}

	/** @return list<string> what tag() was called with */
	public static function newTags(CacheItem $item): array
	{
		self::$chosen ??= \Closure::bind(static fn (CacheItem $item): array => $item->newMetadata, null, CacheItem::class);
		$tags = (self::$chosen)($item)[ItemInterface::METADATA_TAGS] ?? [];
		return is_array($tags) ? array_values(array_filter($tags, is_string(...))) : [];
	}

	/** @return array<string, float|int> what the extension knows of a value, by Symfony's names */
	public static function metadata(Entry $entry): array
	{
		$metadata = [];
		if ($entry->expiresIn !== null) {
			$metadata[ItemInterface::METADATA_EXPIRY] = round(microtime(true) + $entry->expiresIn, 3);
		}
		if ($entry->computeTime !== null) {
			$metadata[ItemInterface::METADATA_CTIME] = (int) ceil($entry->computeTime * 1000);
		}
		return $metadata;
	}
}
