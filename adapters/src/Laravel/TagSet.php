<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use McPatterns\Key;

/** The tags of a TaggedCache. The extension keeps the tag versions, so tags have no keys in the store, and a flush does not change the names of keys. */
final class TagSet extends \Illuminate\Cache\TagSet
{
    /** @param list<string> $names */
    public function __construct(private readonly Store $values, array $names = [])
    {
        parent::__construct($values, $names);
    }

    public function reset(): void
    {
        $this->flushAll();
    }

    public function flush(): void
    {
        $this->flushAll();
    }

    /** No value from before the flush is served afterwards. Returns false if a server was unreachable. */
    public function flushAll(): bool
    {
        $names = array_map(Name::ofTag(...), $this->getNames());
        return $names === [] || $this->values->cache()->deleteTags($names);
    }

    public function resetTag($name): string
    {
        $this->values->cache()->deleteTags(Name::ofTag($name));
        return $name;
    }

    public function flushTag($name): void
    {
        $this->resetTag($name);
    }

    /** The namespace does not change: flushed values are invalid because of their tags, not because of their names. */
    public function getNamespace(): string
    {
        return Key::of('tags', ...$this->getNames());
    }

    public function tagId($name): string
    {
        return $name;
    }

    /** @return list<string> */
    public function getNames(): array
    {
        return array_values(array_filter($this->names, is_string(...)));
    }
}
