<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Drupal;

use Drupal\Component\Assertion\Inspector;
use Drupal\Component\Datetime\TimeInterface;
use Drupal\Core\Cache\{CacheBackendInterface, CacheTagsChecksumInterface, CacheTagsChecksumPreloadInterface};
use McPatterns\Adapters\Decoded;
use McPatterns\Adapters\Psr\Seconds;
use McPatterns\{Cache, Entry, Pool, Status, TooLargeException};

/**
 * A bin as a Cache. Cache tags are checked by Drupal's checksums, which know the transactions of the database.
 *
 * An invalid item is a stale value: it stays for a day, for callers that allow it. A server that is down is a miss.
 *
 * @phpstan-type Stored array{data: mixed, created: float, expire: int, tags: list<string>, checksum: int|string}
 */
final class CacheBackend implements CacheBackendInterface
{
    /** Seconds for which an invalid item stays. */
    private const GRACE = 86400;

    private readonly Cache $cache;

    public function __construct(Pool $pool, string $bin, private readonly CacheTagsChecksumInterface $checksums, private readonly TimeInterface $time)
    {
        $this->cache = new Cache($pool, "$bin:", ttl: 0, grace: self::GRACE, stale: false, clearable: true);
    }

    /**
     * @param string $cid
     * @param bool $allow_invalid
     */
    public function get($cid, $allow_invalid = false): object|false
    {
        $cids = [$cid];
        return array_values($this->getMultiple($cids, $allow_invalid))[0] ?? false;
    }

    /**
     * One round trip per server, or one per item with $allow_invalid.
     *
     * @param array<array-key, string|int> $cids those that are not found stay
     * @param bool $allow_invalid
     * @return array<array-key, object>
     */
    public function getMultiple(&$cids, $allow_invalid = false): array
    {
        /** @var array<array-key, Stored> $found */
        $found = array_filter($this->read(array_map(strval(...), array_values($cids)), $allow_invalid), is_array(...));
        if ($this->checksums instanceof CacheTagsChecksumPreloadInterface) {    // as of Drupal 11.2
            $this->checksums->registerCacheTagsForPreload(array_merge(...array_column($found, 'tags')));
        }
        $items = [];
        foreach ($found as $cid => $stored) {
            $item = (object) (['cid' => (string) $cid, 'valid' => $this->isValid($stored)] + $stored);
            if ($item->valid || $allow_invalid) {
                $items[$cid] = $item;
            }
        }
        $cids = array_diff($cids, array_keys($items));
        return $items;
    }

    /**
     * An item that is too large is not stored, and what was there before is deleted.
     *
     * @param string $cid
     * @param int $expire
     * @param array<string> $tags
     */
    public function set($cid, $data, $expire = self::CACHE_PERMANENT, array $tags = []): void
    {
        $this->setMultiple([$cid => ['data' => $data, 'expire' => $expire, 'tags' => $tags]]);
    }

    /** @param array<array-key, array{data: mixed, expire?: int, tags?: array<string>}> $items */
    public function setMultiple(array $items): void
    {
        $byTtl = [];
        foreach ($items as $cid => $item) {
            $tags = $item['tags'] ?? [];
            assert(Inspector::assertAllStrings($tags), 'Cache tags must be strings.');
            $tags = array_values(array_unique($tags));
            $checksum = $this->checksums->getCurrentChecksum($tags);
            if ($checksum !== CacheTagsChecksumInterface::INVALID_CHECKSUM_WHILE_IN_TRANSACTION) {
                $expire = $item['expire'] ?? self::CACHE_PERMANENT;
                $ttl = $expire === self::CACHE_PERMANENT ? 0 : max(1, $expire - $this->time->getCurrentTime() + 1);
                $byTtl[$ttl][$cid] = ['data' => $item['data'], 'created' => round(microtime(true), 3), 'expire' => $expire, 'tags' => $tags, 'checksum' => $checksum];
            }
        }
        foreach ($byTtl as $ttl => $values) {
            $this->store($values, $ttl);
        }
    }

    /** @param string $cid */
    public function delete($cid): void
    {
        $this->cache->delete((string) $cid);
    }

    /** @param array<array-key, string|int> $cids */
    public function deleteMultiple(array $cids): void
    {
        $this->cache->deleteMultiple($cids);
    }

    public function deleteAll(): void
    {
        $this->cache->clear();
    }

    /** @param string $cid */
    public function invalidate($cid): void
    {
        $this->cache->expire((string) $cid);
    }

    /** @param array<array-key, string|int> $cids */
    public function invalidateMultiple(array $cids): void
    {
        $this->cache->expireMultiple($cids);
    }

    public function invalidateAll(): void
    {
        $this->cache->clear(strict: false);
    }

    /** memcached evicts by itself. */
    public function garbageCollection(): void
    {
    }

    public function removeBin(): void
    {
        $this->cache->clear();
    }

    /**
     * @param list<string> $cids
     * @return array<array-key, mixed> null for those that are not there
     */
    private function read(array $cids, bool $allowInvalid): array
    {
        if (!$allowInvalid) {
            return Decoded::many($this->cache, $cids, null);
        }
        $values = [];
        foreach ($cids as $cid) {
            $entry = Decoded::one(fn () => $this->cache->entry($cid), null);
            $values[$cid] = is_array($entry?->value) ? $this->invalidated($entry) + $entry->value : null;
        }
        return $values;
    }

    /**
     * An item that was invalidated has ended before this request, as Drupal's own says of it.
     *
     * @return array{expire?: int}
     */
    private function invalidated(Entry $entry): array
    {
        /** @var Stored $stored */
        $stored = $entry->value;
        return $entry->status === Status::Fresh || !$this->isCurrent($stored['expire']) ? [] : ['expire' => $this->time->getRequestTime() - 1];
    }

    /** By the time at which the request began, as Drupal has it. */
    private function isCurrent(int $expire): bool
    {
        return $expire === self::CACHE_PERMANENT || $expire >= $this->time->getRequestTime();
    }

    /** @param Stored $stored */
    private function isValid(array $stored): bool
    {
        return $this->isCurrent($stored['expire']) && $this->checksums->isValid($stored['checksum'], $stored['tags']);
    }

    /**
     * What is not stored must not leave an earlier value behind.
     *
     * @param array<array-key, mixed> $values
     */
    private function store(array $values, int $ttl): void
    {
        try {
            $isStored = $this->cache->setMultiple($values, Seconds::ttl($ttl));
        } catch (TooLargeException) {
            $isStored = false;
        }
        if ($isStored) {
            return;
        }
        foreach (count($values) > 1 ? $values : [] as $cid => $value) {
            $this->store([$cid => $value], $ttl);
        }
        count($values) > 1 || $this->cache->deleteMultiple(array_keys($values));
    }
}
