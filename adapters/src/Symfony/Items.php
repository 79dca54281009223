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
	/** @var (\Closure(CacheItem): array{string, mixed, float|int|null, array<mixed>})|null what reader() returns, once it was called */
	public static ?\Closure $read = null;
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

	/** @return \Closure(CacheItem): array{string, mixed, float|int|null, array<mixed>} key, value, end, and what else was set on the item */
	public static function reader(): \Closure
	{
		return self::$read ??= \Closure::bind(static fn (CacheItem $item): array => [$item->key, $item->value, $item->expiry, $item->newMetadata], null, CacheItem::class);
	}

	/** Seconds from now until this end of an item. 0: never expires. null: the end has passed. $default: where the item has chosen none. */
	public static function lifetime(float|int|null $end, int $default): \DateInterval|float|int|null
	{
		if ($end === null) {
			return Seconds::ttl(max(0, $default));
		}
		if ((float) $end === 0.0) {    // TagAwareAdapter marks items that never expire in this way
			return 0;
		}
		$seconds = $end - \microtime(true);
		return $seconds > 0 ? Seconds::ttl($seconds) : null;
	}

	/**
	 * @param array<mixed> $metadata what was set on an item
	 * @return list<string> what tag() was called with, none where TagAwareAdapter has put its versions in their place
	 */
	public static function newTags(array $metadata): array
	{
		$tags = $metadata[ItemInterface::METADATA_TAGS] ?? [];
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
