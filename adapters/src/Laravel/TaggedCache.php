<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\Events\CacheFlushed;
use Illuminate\Cache\Events\CacheFlushFailed;
use Illuminate\Cache\Events\CacheFlushing;
use Illuminate\Cache\Events\RetrievingManyKeys;

/** The repository of Cache::tags(). A value is found with the same tags in the same order, until any of them is flushed. */
final class TaggedCache extends \Illuminate\Cache\TaggedCache
{
    use Remembers;

    public function __construct(Store $store, TagSet $tags)
    {
        parent::__construct($store, $tags);
    }

    /** One round trip per server and tag, however many values have the tag. Returns false if a server was unreachable. */
    public function flush(): bool
    {
        $this->event(new CacheFlushing($this->getName()));
        $flushed = $this->getTags()->flushAll();
        $this->event($flushed ? new CacheFlushed($this->getName()) : new CacheFlushFailed($this->getName()));
        return $flushed;
    }

    public function clear(): bool
    {
        return $this->flush();
    }

    public function getTags(): TagSet
    {
        \assert($this->tags instanceof TagSet);
        return $this->tags;
    }

    /**
     * Reads all in one round trip per server. $keys: a list of keys, or key => default.
     *
     * @param array<array-key, mixed> $keys
     * @return array<array-key, mixed>
     */
    public function many(array $keys): array
    {
        $this->event(new RetrievingManyKeys($this->getName(), $keys));
        $items = [];
        foreach ($keys as $key => $value) {
            $name = is_string($key) ? $key : Name::of($value);
            $items[$name] = $this->itemKey($name);
        }
        $values = $this->store->many(array_values($items));
        $found = [];
        foreach ($items as $name => $item) {
            $found[$name] = $this->handleManyResult($keys, (string) $name, $values[$item] ?? null);
        }
        return $found;
    }
}
