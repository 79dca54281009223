<?php
/* Format of stored items with tags. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Cache, Pool};
use Symfony\Contracts\Cache\ItemInterface;

/**
 * @internal
 *
 * A value stands beside its tags, and behind them what else was set on its item: also the versions of Symfony's own
 * TagAwareAdapter, whose tags are none of the extension's.
 */
final class TaggedFormat extends Format
{
	/** Has the tag of the rest, so each invalidation changes it. No item's key has a colon in front. */
	private const INVALIDATED = ':invalidated';
	private const TAGS_AT_ONCE = 255;
	/** Of the 255 tags of a value some are left to levels of sub-namespaces. */
	private const TAGS_EACH = 240;

	private readonly Cache $marks;

	/** $cache: of the whole pool. */
	public function __construct(private readonly Pool $pool, private readonly Cache $cache, private readonly string $namespace)
	{
		$this->marks = $cache->tagged($this->tagOfTheRest());
	}

	public function isTaggable(): bool
	{
		return true;
	}

	public function wrap(mixed $value, array $metadata): mixed
	{
		$tags = Items::newTags($metadata);
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

	public function tagNames(array $metadata): array
	{
		$names = array_map($this->tagName(...), Items::newTags($metadata));
		return count($names) <= self::TAGS_EACH ? $names : [...array_slice($names, 0, self::TAGS_EACH), $this->tagOfTheRest()];
	}

	public function invalidations(): string
	{
		$mark = $this->marks->peek(self::INVALIDATED);
		if (is_string($mark)) {
			return $mark;
		}
		$new = bin2hex(random_bytes(8));
		$mark = $this->marks->add(self::INVALIDATED, $new, 0) ? $new : $this->marks->peek(self::INVALIDATED);
		return is_string($mark) ? $mark : $new;
	}

	/**
	 * The mark first: what was computed before is then not stored under the tags' new versions. One server executes the requests
	 * of a call in their order; of several, each has to answer.
	 *
	 * @param list<string> $tags
	 */
	public function invalidate(array $tags): bool
	{
		$names = [$this->tagOfTheRest()];
		$areInvalid = count($this->pool->servers()) === 1 || $this->cache->deleteTags($names);
		foreach ($tags as $tag) {
			$names[] = $this->tagName($tag);
		}
		foreach (array_chunk($names, self::TAGS_AT_ONCE) as $some) {
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
