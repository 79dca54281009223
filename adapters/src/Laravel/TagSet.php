<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use McPatterns\Key;

/** The tags of a TaggedCache: their numbers are the extension's, so that no key stands for a tag and no key's name changes when one is flushed. */
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

    /** Nothing old is served after it. False when a server could not be told. */
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

    /** It stays the same: what is flushed is not found because of its tags, not because of its name. */
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
