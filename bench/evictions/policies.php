<?php
/* The policies that are compared. SPDX-License-Identifier: MIT */
declare(strict_types=1);

require __DIR__ . '/Policy.php';

/** The oldest goes. */
final class Fifo implements Policy
{
    /** @var array<int, int> key => slot */
    private array $slots = [];
    /** @var array<int, int> slot => key */
    private array $keys = [];
    private int $hand = 0;

    public function __construct(private readonly int $size)
    {
    }

    public function has(int $key): bool
    {
        return isset($this->slots[$key]);
    }

    public function ask(int $key): bool
    {
        if (isset($this->slots[$key])) {
            return true;
        }
        if (isset($this->keys[$this->hand])) {
            unset($this->slots[$this->keys[$this->hand]]);
        }
        $this->keys[$this->hand] = $key;
        $this->slots[$key] = $this->hand;
        $this->hand = ($this->hand + 1) % $this->size;
        return false;
    }
}

/** The one that was asked for longest ago goes. */
final class Lru implements Policy
{
    /** @var array<int, true> in the order in which they were asked for */
    private array $keys = [];

    public function __construct(private readonly int $size)
    {
    }

    public function has(int $key): bool
    {
        return isset($this->keys[$key]);
    }

    public function ask(int $key): bool
    {
        $isThere = isset($this->keys[$key]);
        if ($isThere) {
            unset($this->keys[$key]);
        } elseif (count($this->keys) === $this->size) {
            unset($this->keys[array_key_first($this->keys)]);
        }
        $this->keys[$key] = true;
        return $isThere;
    }
}

/** Values stay in their places. A hand goes around, spares each that was asked for since it came by, and puts the new one where it stops. */
class Clock implements Policy
{
    protected const IS_NEW = 0;
    protected const IS_FOUND = 1;
    protected const IS_KNOWN = 2;

    /** @var array<int, int> key => slot */
    private array $slots = [];
    /** @var array<int, int> slot => key */
    private array $keys = [];
    /** @var array<int, int> slot => one of the above */
    protected array $standing = [];
    protected int $hand = 0;

    public function __construct(protected readonly int $size)
    {
    }

    public function has(int $key): bool
    {
        return isset($this->slots[$key]);
    }

    public function ask(int $key): bool
    {
        $slot = $this->slots[$key] ?? null;
        if ($slot !== null) {
            $this->standing[$slot] = self::IS_FOUND;
            return true;
        }
        $standing = $this->admit($key);
        $standing === null || $this->put($key, $standing);
        return false;
    }

    /** Says as what it comes in; null: not at all. */
    protected function admit(int $key): ?int
    {
        return self::IS_NEW;
    }

    private function put(int $key, int $standing): void
    {
        while (($this->standing[$this->hand] ?? self::IS_NEW) === self::IS_FOUND) {
            $this->standing[$this->hand] = self::IS_KNOWN;
            $this->hand = ($this->hand + 1) % $this->size;
        }
        if (isset($this->keys[$this->hand])) {
            unset($this->slots[$this->keys[$this->hand]]);
        }
        $this->keys[$this->hand] = $key;
        $this->slots[$key] = $this->hand;
        $this->standing[$this->hand] = $standing;
        $this->hand = ($this->hand + 1) % $this->size;
    }
}

/**
 * The near memory's: what is asked for for the first time among the last ten times as many as there is room for takes the place of
 * what nobody has asked for twice, if there is any within reach of the hand, or none. Everything else is CLOCK's.
 */
final class AdmittingClock extends Clock
{
    private const MARKS_OF_A_SET = 16;

    /** @var array<int, array<int, true>> set => keys, the one that was asked for last behind all others */
    private array $asked = [];

    protected function admit(int $key): ?int
    {
        return match (true) {
            $this->wasAskedFor($key) => self::IS_KNOWN,
            $this->findPlace() => self::IS_NEW,
            default => null,
        };
    }

    private function wasAskedFor(int $key): bool
    {
        $set = crc32((string) $key) % (intdiv(10 * $this->size, self::MARKS_OF_A_SET) + 1);
        $was = isset($this->asked[$set][$key]);
        unset($this->asked[$set][$key]);
        $this->asked[$set][$key] = true;
        if (count($this->asked[$set]) > self::MARKS_OF_A_SET) {
            unset($this->asked[$set][array_key_first($this->asked[$set])]);
        }
        return $was;
    }

    /** Looks at eight from the hand on. */
    private function findPlace(): bool
    {
        for ($i = 0; $i < 8; $i++) {
            $slot = ($this->hand + $i) % $this->size;
            if (($this->standing[$slot] ?? self::IS_NEW) === self::IS_NEW) {
                $this->hand = $slot;
                return true;
            }
        }
        return false;
    }
}

/**
 * A list in the order of coming. A hand goes from the oldest to the newest and spares what was asked for since; new values come at
 * the list's head, so that it meets them before it begins anew (Zhang, Yang, Yue, Vigfusson, Rashmi, NSDI 2024).
 */
final class Sieve implements Policy
{
    /** @var array<int, bool> key => was asked for */
    private array $visited = [];
    /** @var array<int, int> key => the next newer one; 0: none */
    private array $newer = [];
    /** @var array<int, int> key => the next older one; 0: none */
    private array $older = [];
    private int $newest = 0;
    private int $oldest = 0;
    private int $hand = 0;

    public function __construct(private readonly int $size)
    {
    }

    public function has(int $key): bool
    {
        return isset($this->visited[$key]);
    }

    public function ask(int $key): bool
    {
        if (isset($this->visited[$key])) {
            $this->visited[$key] = true;
            return true;
        }
        if (count($this->visited) === $this->size) {
            $this->evict();
        }
        $this->visited[$key] = false;
        $this->older[$key] = $this->newest;
        $this->newer[$key] = 0;
        if ($this->newest !== 0) {
            $this->newer[$this->newest] = $key;
        } else {
            $this->oldest = $key;
        }
        $this->newest = $key;
        return false;
    }

    private function evict(): void
    {
        $at = $this->hand !== 0 ? $this->hand : $this->oldest;
        while ($this->visited[$at]) {
            $this->visited[$at] = false;
            $at = $this->newer[$at] !== 0 ? $this->newer[$at] : $this->oldest;
        }
        [$newer, $older] = [$this->newer[$at], $this->older[$at]];
        $this->hand = $newer;
        if ($newer !== 0) {
            $this->older[$newer] = $older;
        } else {
            $this->newest = $older;
        }
        if ($older !== 0) {
            $this->newer[$older] = $newer;
        } else {
            $this->oldest = $newer;
        }
        unset($this->visited[$at], $this->newer[$at], $this->older[$at]);
    }
}

/** Admits what was asked for twice within as many strangers as there is room for, ten times. */
final class Twice implements Policy
{
    /** @var array<int, true> */
    private array $seen = [];

    public function __construct(private readonly int $size, private readonly Policy $behind)
    {
    }

    public function has(int $key): bool
    {
        return $this->behind->has($key);
    }

    public function ask(int $key): bool
    {
        if (!$this->has($key) && !isset($this->seen[$key])) {
            if (count($this->seen) === 10 * $this->size) {
                $this->seen = [];
            }
            $this->seen[$key] = true;
            return false;
        }
        return $this->behind->ask($key);
    }
}
