<?php
/* Common part of both of Symfony's kinds of cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\{Decoded, DefersItems, LearnedKeys, Written};
use McPatterns\{Cache, Entry, Pool};
use Psr\Cache\CacheItemInterface;
use Psr\Log\{LoggerAwareInterface, LoggerAwareTrait};
use Symfony\Component\Cache\Adapter\AdapterInterface;
use Symfony\Component\Cache\{CacheItem, ResettableInterface};
use Symfony\Contracts\Cache\{CacheInterface, NamespacedPoolInterface};

/**
 * @internal
 */
abstract class AbstractCacheAdapter implements AdapterInterface, CacheInterface, LoggerAwareInterface, NamespacedPoolInterface, ResettableInterface
{
	use ComputesItems;
	/** @use DefersItems<CacheItem> */
	use DefersItems {
		commit as private commitEach;
	}
	use LoggerAwareTrait;

	/** For get(): stale values are served while one caller rebuilds them. */
	protected Cache $cache;
	/** For the items' methods, with the same values: a value after its TTL counts as missing. */
	private Cache $strict;
	protected readonly Format $format;
	protected readonly bool $isTaggable;
	private readonly Outages $outages;
	private string $subNamespace = '';
	private ?LearnedKeys $learned = null;
	/** Items that live this long, in seconds, are stored with those that end within the same second. A minute is already shorter at commit(). */
	private const LONG = 59;

	/**
	 * No network access.
	 *
	 * $defaultLifetime: seconds that an item lives which chooses no end of its own; 0: without end. $grace: for how long after
	 * its end get() serves the old value while one caller computes the new; null: as long as it has lived; 0: not at all. $lease and
	 * $wait: as Cache's. The order of the first three is that of Symfony's own adapters, so that a cache.pool can have
	 * this one for its parent. $guarded, $holdoff: as Cache's, for the items' methods: what save() stores goes where getItem() has
	 * found nothing, or what it has found. Where the key was deleted meanwhile it is not stored, and save() is true.
	 */
	final public function __construct(private readonly Pool $pool, private readonly string $namespace = '', private readonly int $defaultLifetime = 0, int|float|null $grace = null, int|float $lease = 10, int|float $wait = 2.5, bool $guarded = false, int|float $holdoff = 10)
	{
		if ($namespace !== '') {
			CacheItem::validateKey(str_replace(':', '', $namespace));
		}
		$prefix = $namespace === '' ? '' : "$namespace:";
		$this->cache = new Cache($pool, $prefix, ttl: 0, grace: $grace, lease: $lease, wait: $wait, clearable: true, guarded: $guarded, holdoff: $holdoff);
		$this->strict = new Cache($pool, $prefix, ttl: 0, grace: $grace, stale: false, clearable: true, guarded: $guarded, holdoff: $holdoff);
		$this->format = $this->makeFormat($pool, $this->cache, $namespace);
		$this->isTaggable = $this->format->isTaggable();
		$this->outages = new Outages($pool);
	}

	/** Called once, by the constructor. */
	abstract protected function makeFormat(Pool $pool, Cache $cache, string $namespace): Format;

	public function __serialize(): array
	{
		throw new \BadMethodCallException('A cache cannot be serialized: it has a connection');
	}

	public function withSubNamespace(string $namespace): static
	{
		CacheItem::validateKey($namespace);
		$this->commit();
		$clone = clone $this;
		$clone->subNamespace .= "$namespace:";
		$clone->learned = null;
		$clone->cache = $this->cache->tagged($clone->tagOfNamespace());
		$clone->strict = $this->strict->tagged($clone->tagOfNamespace());
		return $clone;
	}

	public function getItem(mixed $key): CacheItem
	{
		CacheItem::validateKey($key);
		$this->deferred === [] || $this->commitAny([$key]);
		try {
			$entry = $this->strict->entry($this->subNamespace . $key);
		} catch (\Throwable $refusal) {    // by the code of the value, here and below
			$this->warn($refusal);
			$entry = null;
		}
		return $this->format->item($key, $entry);
	}

	/**
	 * One round trip per server. Metadata of the values is available from getItem() and get().
	 *
	 * @return \Generator<string, CacheItem>
	 */
	public function getItems(array $keys = []): iterable
	{
		$names = [];
		foreach ($keys as $key) {
			$names[$this->subNamespace . CacheItem::validateKey($key)] = $key;
		}
		$this->deferred === [] || $this->commitAny(array_values($names));
		$none = new \stdClass();
		$values = Decoded::many($this->strict, array_map(strval(...), array_keys($names)), $none, $this->warn(...));
		return (function () use ($names, $values, $none): \Generator {
			foreach ($values as $name => $stored) {
				$key = $names[$name];
				yield $key => $stored === $none ? $this->format->miss($key) : $this->format->hit($key, $stored);
			}
		})();
	}

	public function hasItem(mixed $key): bool
	{
		CacheItem::validateKey($key);
		$this->deferred === [] || $this->commitAny([$key]);
		try {
			return $this->strict->has($this->subNamespace . $key);
		} catch (\Throwable $refusal) {
			$this->warn($refusal);
			return false;
		}
	}

	/** $prefix is ignored, as in Symfony's adapter for memcached: all values are deleted. 1 round trip per server. */
	public function clear(string $prefix = ''): bool
	{
		$this->deferred = [];
		return $this->subNamespace === '' ? $this->cache->clear() : $this->cache->deleteTags($this->tagOfNamespace());
	}

	public function deleteItem(mixed $key): bool
	{
		CacheItem::validateKey($key);
		unset($this->deferred[$key]);
		return $this->cache->delete($this->subNamespace . $key);
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
		$this->deferred === [] || $this->undefer([$item->getKey()]);
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

	/** Stores together what has the same tags and TTL; where one of these cannot be stored, each by itself. */
	public function commit(): bool
	{
		count($this->deferred) < 2 || $this->commitTogether();
		return $this->commitEach();
	}

	/** Stores what is deferred. It ends no request (RequestEnds does): services are reset in the middle of commands, too, whose locks stay. */
	public function reset(): void
	{
		$this->commit();
	}

	/** A value whose own code throws counts as missing. */
	private function warn(\Throwable $refusal): void
	{
		$this->logger?->warning('Failed to read a value: ' . $refusal->getMessage(), ['exception' => $refusal, 'cache-adapter' => static::class]);
	}

	private function store(CacheItemInterface $item): bool
	{
		[$key, $value, $end, $metadata] = (Items::$read ?? Items::reader())($item);
		$ttl = Items::lifetime($end, $this->defaultLifetime);
		if ($ttl === null) {
			$isDone = $this->cache->delete($this->subNamespace . $key);
		} else {
			$tags = $this->isTaggable ? $this->format->tagNames($metadata) : [];
			$cache = $tags === [] ? $this->cache : $this->cache->tagged($tags);
			$isDone = Written::set($cache, $this->subNamespace . $key, $this->format->wrap($value, $metadata), $ttl, $failure);
			$isDone || $this->tellUnsaved($key, $value, $failure);
		}
		$this->isTaggable && Items::noteSaved($item);
		return $isDone;
	}

	private function commitTogether(): void
	{
		$groups = $ttls = $tags = [];
		foreach ($this->deferred as $key => $item) {
			[, , $end, $metadata] = Items::reader()($item);
			$ttl = Items::lifetime($end, $this->defaultLifetime);
			if ($ttl === null || $ttl instanceof \DateInterval || ($ttl > 0 && $ttl < self::LONG)) {
				continue;
			}
			$names = $this->isTaggable ? $this->format->tagNames($metadata) : [];
			$group = $names === [] ? (int) $ttl : (int) $ttl . ' ' . implode("\0", $names);
			$groups[$group][$key] = $item;
			if (!isset($ttls[$group]) || $ttl < $ttls[$group]) {
				$ttls[$group] = $ttl;
				$tags[$group] = $names;
			}
		}
		foreach ($groups as $group => $items) {
			if (count($items) > 1 && $this->writeTogether($items, $tags[$group], $ttls[$group])) {
				$this->deferred = array_diff_key($this->deferred, $items);
			}
		}
	}

	/**
	 * @param array<array-key, CacheItem> $items
	 * @param list<string> $tags
	 */
	private function writeTogether(array $items, array $tags, int|float $ttl): bool
	{
		$cache = $tags === [] ? $this->cache : $this->cache->tagged($tags);
		try {
			$values = [];
			foreach ($items as $key => $item) {
				[, $value, , $metadata] = Items::reader()($item);
				$values[$this->subNamespace . $key] = $this->format->wrap($value, $metadata);
			}
			return Written::by($cache, fn (): bool => $cache->setMultiple($values, $ttl));
		} catch (\Throwable) {    // by the value that the write of it alone will tell of
			return false;
		}
	}

	/** A failed server that is skipped is reported once. */
	private function tellUnsaved(string $key, mixed $value, ?\Throwable $failure): void
	{
		$reason = $failure?->getMessage() ?? $this->outages->news();
		if ($reason !== null) {
			$this->logger?->warning('Failed to save key "{key}" of type {type}: ' . $reason,
				['key' => $key, 'type' => get_debug_type($value), 'exception' => $failure, 'cache-adapter' => static::class]);
		}
	}

	/** No tag of an item has a colon. */
	private function tagOfNamespace(): string
	{
		return Format::tag("namespace:$this->namespace:$this->subNamespace");
	}
}
