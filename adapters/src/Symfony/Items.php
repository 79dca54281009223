<?php
/* Makes and reads Symfony's items, whose class is final and leaves that to adapters by its protected properties. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Entry;
use Symfony\Component\Cache\CacheItem;
use Symfony\Contracts\Cache\ItemInterface;

/** @internal */
final class Items
{
	/** @param array<string, mixed> $metadata */
	public static function make(string $key, mixed $value, bool $isHit, array $metadata, bool $isTaggable): CacheItem
	{
		static $make;
		$make ??= \Closure::bind(static function (string $key, mixed $value, bool $isHit, array $metadata, bool $isTaggable): CacheItem {
			$item = new CacheItem();
			$item->key = $key;
			$item->value = $value;
			$item->isHit = $isHit;
			$item->metadata = $metadata;
			$item->isTaggable = $isTaggable;
			return $item;
		}, null, CacheItem::class);
		return $make($key, $value, $isHit, $metadata, $isTaggable);
	}

	/** Seconds from now on that the item is to live, not positive when its end is past; null: as long as its pool's items do. */
	public static function remaining(CacheItem $item): ?float
	{
		static $end;
		$end ??= \Closure::bind(static fn (CacheItem $item): float|int|null => $item->expiry, null, CacheItem::class);
		$unix = $end($item);
		return $unix === null ? null : round($unix - microtime(true), 3);
	}

	/** @return list<string> what tag() was called with */
	public static function newTags(CacheItem $item): array
	{
		static $tags;
		$tags ??= \Closure::bind(static fn (CacheItem $item): array => $item->newMetadata[ItemInterface::METADATA_TAGS] ?? [], null, CacheItem::class);
		return array_map(strval(...), array_values($tags($item)));
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
