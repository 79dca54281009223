<?php
/* What both of Symfony's kinds of cache have in common. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\{Decoded, DefersItems, Written};
use McPatterns\{Cache, Entry, Pool, Status};
use Psr\Cache\CacheItemInterface;
use Psr\Log\{LoggerAwareInterface, LoggerAwareTrait};
use Symfony\Component\Cache\Adapter\AdapterInterface;
use Symfony\Component\Cache\{CacheItem, ResettableInterface};
use Symfony\Component\Cache\Exception\BadMethodCallException;
use Symfony\Contracts\Cache\{CacheInterface, ItemInterface, NamespacedPoolInterface};

/**
 * @internal
 *
 * A value stands in the cache as it is; its end and what it took to compute are in its envelope.
 */
abstract class AbstractCacheAdapter implements AdapterInterface, CacheInterface, LoggerAwareInterface, NamespacedPoolInterface, ResettableInterface
{
	use ComputesItems;
	/** @use DefersItems<CacheItem> */
	use DefersItems;
	use LoggerAwareTrait;

	private const LONGEST_TAG = 250;

	/** Of get(): old values are served while one caller rebuilds them. */
	protected Cache $cache;
	/** Of the items' methods, the same values: past its TTL there is none. */
	private Cache $strict;
	private string $subNamespace = '';

	/**
	 * Asks no server.
	 *
	 * $defaultLifetime: seconds that an item lives which chooses no end of its own; 0: without end. $grace: for how long after
	 * its end get() serves the old value while one caller computes the new; null: as long as it has lived; 0: not at all. $lease and
	 * $wait: as Cache's. The order of the first three is that of Symfony's own adapters, so that a cache.pool can have
	 * this one for its parent.
	 */
	final public function __construct(Pool $pool, protected readonly string $namespace = '', private readonly int $defaultLifetime = 0, int|float|null $grace = null, int|float $lease = 10, int|float $wait = 2.5)
	{
		if ($namespace !== '') {
			CacheItem::validateKey(str_replace(':', '', $namespace));
		}
		$prefix = $namespace === '' ? '' : "$namespace:";
		$this->cache = new Cache($pool, $prefix, ttl: 0, grace: $grace, lease: $lease, wait: $wait, clearable: true);
		$this->strict = new Cache($pool, $prefix, ttl: 0, grace: $grace, stale: false, clearable: true);
	}

	public function __serialize(): array
	{
		throw new BadMethodCallException('A cache cannot be serialized: its connection stays here');
	}

	public function withSubNamespace(string $namespace): static
	{
		CacheItem::validateKey($namespace);
		$this->commit();
		$clone = clone $this;
		$clone->subNamespace .= "$namespace:";
		$clone->cache = $this->cache->tagged($clone->tagOfNamespace());
		$clone->strict = $this->strict->tagged($clone->tagOfNamespace());
		return $clone;
	}

	public function getItem(mixed $key): CacheItem
	{
		$this->commitAny([CacheItem::validateKey($key)]);
		return $this->itemOf($key, Decoded::one(fn (): Entry => $this->strict->entry($this->subNamespace . $key), null, $this->warn(...)));
	}

	/**
	 * One round trip per server. What is known of the values beside them, getItem() and get() tell.
	 *
	 * @return \Generator<string, CacheItem>
	 */
	public function getItems(array $keys = []): iterable
	{
		$keys = array_values(array_unique(array_map(CacheItem::validateKey(...), $keys)));
		$this->commitAny($keys);
		$none = new \stdClass();
		$values = array_values(Decoded::many($this->strict, array_map(fn (string $key): string => $this->subNamespace . $key, $keys), $none, $this->warn(...)));
		return (function () use ($keys, $values, $none): \Generator {
			foreach ($keys as $number => $key) {
				[$value, $tags] = $values[$number] === $none ? [null, []] : $this->unwrap($values[$number]);
				yield $key => Items::make($key, $value, $values[$number] !== $none, self::named($tags), $this->isTaggable());
			}
		})();
	}

	public function hasItem(mixed $key): bool
	{
		$this->commitAny([CacheItem::validateKey($key)]);
		return Decoded::one(fn (): bool => $this->strict->has($this->subNamespace . $key), false, $this->warn(...));
	}

	/** $prefix is of no account, as in Symfony's adapter for memcached: all goes. 1 round trip per server. */
	public function clear(string $prefix = ''): bool
	{
		$this->deferred = [];
		return $this->subNamespace === '' ? $this->cache->clear() : $this->cache->invalidateTags($this->tagOfNamespace(), strict: true);
	}

	public function deleteItem(mixed $key): bool
	{
		return $this->deleteItems([$key]);
	}

	public function deleteItems(array $keys): bool
	{
		$keys = array_map(CacheItem::validateKey(...), array_values($keys));
		$this->undefer($keys);
		return $this->cache->deleteMultiple(array_map(fn (string $key): string => $this->subNamespace . $key, $keys));
	}

	public function save(CacheItemInterface $item): bool
	{
		if (!$item instanceof CacheItem) {
			return false;
		}
		$this->undefer([$item->getKey()]);
		return $this->store($item);
	}

	public function saveDeferred(CacheItemInterface $item): bool
	{
		if (!$item instanceof CacheItem) {
			return false;
		}
		$this->defer($item);
		return true;
	}

	public function reset(): void
	{
		$this->commit();
	}

	/**
	 * What is stored for a value and the tags of its item.
	 *
	 * @param list<string> $tags
	 */
	protected function wrap(mixed $value, array $tags): mixed
	{
		return $value;
	}

	/** @return array{mixed, list<string>} */
	protected function unwrap(mixed $stored): array
	{
		return [$stored, []];
	}

	protected function isTaggable(): bool
	{
		return false;
	}

	/**
	 * By which the extension knows an item's tags.
	 *
	 * @param list<string> $tags
	 * @return list<string>
	 */
	protected function tagNames(array $tags): array
	{
		return [];
	}

	/** @return (\Closure(): string)|null what answers the same as long as no tag was invalidated; null without tags */
	protected function invalidations(): ?\Closure
	{
		return null;
	}

	/** A value that its own code refuses is as good as not there. */
	private function warn(\Throwable $refusal): void
	{
		$this->logger?->warning('Failed to read a value: ' . $refusal->getMessage(), ['exception' => $refusal, 'cache-adapter' => static::class]);
	}

	private function store(CacheItemInterface $item): bool
	{
		$id = $this->subNamespace . $item->getKey();
		$ttl = Items::remaining($item) ?? $this->defaultLifetime;
		if ($ttl <= 0 && Items::remaining($item) !== null) {
			return $this->cache->delete($id);
		}
		$tags = Items::newTags($item);
		return $this->write($item->getKey(), $item->get(), $this->wrap($item->get(), $tags), $tags, $ttl);
	}

	/** @param list<string> $tags */
	private function write(string $key, mixed $value, mixed $stored, array $tags, int|float $ttl): bool
	{
		$names = $this->tagNames($tags);
		$cache = $names === [] ? $this->cache : $this->cache->tagged(...$names);
		$isStored = Written::by(fn (): bool => $cache->set($this->subNamespace . $key, $stored, $ttl), $failure);
		if (!$isStored) {
			$this->logger?->warning('Failed to save key "{key}" of type {type}' . ($failure ? ': ' . $failure->getMessage() : '.'),
				['key' => $key, 'type' => get_debug_type($value), 'exception' => $failure, 'cache-adapter' => static::class]);
		}
		return $isStored;
	}

	private function itemOf(string $key, ?Entry $entry): CacheItem
	{
		return $entry?->status === Status::Fresh
			? Items::make($key, $this->unwrap($entry->value)[0], true, $this->metadataOf($entry->value, $entry), $this->isTaggable())
			: Items::make($key, null, false, [], $this->isTaggable());
	}

	/** @return array<string, mixed> */
	private function metadataOf(mixed $stored, ?Entry $entry): array
	{
		return ($entry === null ? [] : Items::metadata($entry)) + self::named($this->unwrap($stored)[1]);
	}

	/**
	 * @param list<string> $tags
	 * @return array<string, array<string, string>>
	 */
	private static function named(array $tags): array
	{
		return $tags === [] ? [] : [ItemInterface::METADATA_TAGS => array_combine($tags, $tags)];
	}

	/** No tag of an item has a colon. */
	private function tagOfNamespace(): string
	{
		return self::tag("namespace:$this->namespace:$this->subNamespace");
	}

	/** By a hash where it is longer than Cache takes. */
	protected static function tag(string $name): string
	{
		return strlen($name) <= self::LONGEST_TAG ? $name : 'long:' . hash('sha256', $name);
	}
}
