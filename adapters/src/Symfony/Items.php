<?php
/* Creates and reads Symfony's items. Their class is final, and adapters access its protected properties. */
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
	/** @var (\Closure(string, mixed, bool, array<mixed>, bool): CacheItem)|null what maker() returns, once it was called */
	public static ?\Closure $make = null;
	/** @var (\Closure(CacheItem): (float|int|null))|null */
	private static ?\Closure $end = null;
	/** @var (\Closure(CacheItem): array<mixed>)|null */
	private static ?\Closure $chosen = null;
	/** @var (\Closure(CacheItem): void)|null */
	private static ?\Closure $saved = null;

	/** @return \Closure(string, mixed, bool, array<mixed>, bool): CacheItem of key, value, whether it is a hit, metadata, whether it takes tags */
	public static function maker(): \Closure
	{
		return self::$make ??= \Closure::bind(static function (string $key, mixed $value, bool $isHit, array $metadata, bool $isTaggable): CacheItem {
			$item = new CacheItem();
			$item->key = $key;
			$item->value = $value;
			$item->isHit = $isHit;
			$item->metadata = $metadata;
			$item->isTaggable = $isTaggable;
			return $item;
		}, null, CacheItem::class);
	}

	/** Seconds from now on that the item is to live, 0: without end; null: its end is past. $default: where it has chosen none. */
	public static function lifetime(CacheItem $item, int $default): \DateInterval|float|int|null
	{
		self::$end ??= \Closure::bind(static fn (CacheItem $item): float|int|null => $item->expiry, null, CacheItem::class);
		$end = (self::$end)($item);
		if ($end === null) {
			return Seconds::ttl(max(0, $default));
		}
		if ((float) $end === 0.0) {    // TagAwareAdapter marks items that never expire in this way
			return 0;
		}
		$seconds = Seconds::until((float) $end, microtime(true));
		return $seconds > 0 ? Seconds::ttl($seconds) : null;
	}

	/** @return array<mixed> what was set on the item, beside its value and its end */
	public static function newMetadata(CacheItem $item): array
	{
		self::$chosen ??= \Closure::bind(static fn (CacheItem $item): array => $item->newMetadata, null, CacheItem::class);
		return (self::$chosen)($item);
	}

	/** @return list<string> what tag() was called with, none where TagAwareAdapter has put its versions in their place */
	public static function newTags(CacheItem $item): array
	{
		$tags = self::newMetadata($item)[ItemInterface::METADATA_TAGS] ?? [];
		$names = is_array($tags) ? array_map(strval(...), array_keys($tags)) : [];
		return $names === array_values((array) $tags) ? $names : [];
	}

	/** What was set on the item becomes what it tells, as when it is read again. */
	public static function noteSaved(CacheItem $item): void
	{
		self::$saved ??= \Closure::bind(static function (CacheItem $item): void {
			$item->metadata = $item->newMetadata;
		}, null, CacheItem::class);
		(self::$saved)($item);
	}

	/** @return array<string, float|int> the extension's metadata of a value, under Symfony's names */
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
