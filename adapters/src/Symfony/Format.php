<?php
/* Converts the items of a pool to stored values and back. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Entry, Status};
use Symfony\Component\Cache\CacheItem;
use Symfony\Contracts\Cache\ItemInterface;

/**
 * @internal
 *
 * A value stands in the cache as it is; its end and what it took to compute are in its envelope. Metadata that was set on the
 * item itself stands beside it: TagAwareAdapter keeps its tags' versions there, ChainAdapter what it copies.
 */
class Format
{
	/** The only key of an array of value and metadata; a value that has this key stands in such an array, too. */
	private const BOTH = '@item';
	private const LONGEST_TAG = 250;

	public function isTaggable(): bool
	{
		return false;
	}

	/**
	 * Returns the data to store for the value of an item.
	 *
	 * @param array<mixed> $metadata what else was set on the item, here and below
	 */
	public function wrap(mixed $value, array $metadata): mixed
	{
		return $metadata === [] && !(\is_array($value) && isset($value[self::BOTH])) ? $value : [self::BOTH => [$value, $metadata]];
	}

	public function value(mixed $stored): mixed
	{
		return is_array($stored) && isset($stored[self::BOTH]) ? self::both($stored)[0] : $stored;
	}

	/** @return array<mixed> the arguments of wrap() */
	protected function kept(mixed $stored): array
	{
		return is_array($stored) && isset($stored[self::BOTH]) ? self::both($stored)[1] : [];
	}

	/** @return array<mixed> of what is stored: what was set on its item, and what the extension knows of it */
	final public function metadata(mixed $stored, ?Entry $entry = null): array
	{
		$kept = $this->kept($stored);
		if ($kept === []) {
			return $entry === null ? [] : Items::metadata($entry);
		}
		// Of a value that a ChainAdapter has copied, what it took to compute and not to copy.
		$measured = array_intersect_key($kept, [ItemInterface::METADATA_CTIME => true]);
		return $measured + ($entry === null ? [] : Items::metadata($entry)) + $kept;
	}

	/** A value after its TTL counts as missing. null: unknown. */
	final public function item(string $key, ?Entry $entry): CacheItem
	{
		return $entry?->status === Status::Fresh ? $this->hit($key, $entry->value, $entry) : $this->miss($key);
	}

	final public function hit(string $key, mixed $stored, ?Entry $entry = null): CacheItem
	{
		if ($entry === null && !is_array($stored)) {
			return (Items::$make ?? Items::maker())($key, $stored, true, [], $this->isTaggable());
		}
		return (Items::$make ?? Items::maker())($key, $this->value($stored), true, $this->metadata($stored, $entry), $this->isTaggable());
	}

	final public function miss(string $key): CacheItem
	{
		return (Items::$make ?? Items::maker())($key, null, false, [], $this->isTaggable());
	}

	/**
	 * @param array<mixed> $metadata
	 * @return list<string> the extension's names of an item's tags
	 */
	public function tagNames(array $metadata): array
	{
		return [];
	}

	/** The result is the same as long as no tag was invalidated. */
	public function invalidations(): string
	{
		return '';
	}

	/** Returns the extension's form of a name: a hash if the name is longer than Cache accepts. */
	final public static function tag(string $name): string
	{
		return strlen($name) <= self::LONGEST_TAG ? $name : 'long:' . hash('sha256', $name);
	}

	/**
	 * @param array<mixed> $stored
	 * @return array{mixed, array<mixed>}
	 */
	private static function both(array $stored): array
	{
		$both = $stored[self::BOTH];
		return is_array($both) && count($both) === 2 && array_is_list($both) ? [$both[0], (array) $both[1]] : [$stored, []];
	}
}
