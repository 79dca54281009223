<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * A cache whose expired values are rebuilt by one caller while all others go on getting the old
 * one: the stale envelope of A. Smirnov's "Web, caching and memcached" (2008), with the election
 * by compare-and-swap.
 *
 * A value has a soft end (`ttl`), after which one caller rebuilds it, and a hard end (`ttl` + `grace`),
 * after which no caller is served it. Durations are seconds, fractions allowed; a TTL or a grace may be a
 * DateInterval, too, which is what DateTimeImmutable::add() makes of it from now on, by Clock::now() and in UTC, and from
 * PHP 8.6 on a Time\Duration.
 * Keys are any non-empty strings. A server that is down or slow is a miss for reads and false for writes, within the Pool's
 * timeouts; stats() counts it. No method but update() throws because of the network. A memcached that gives
 * no cas ids (started with -C) is a ServerException wherever one is needed.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Cache
{
    /**
     * Every duration here is the default that a call can override. A TTL or a grace, here and of every method, that is an int or a
     * float from 978307200 to 4102444800, a Unix time from 2001 to 2100, is a ValueError: they are seconds from now. A DateInterval may be as
     * long.
     *
     * $prefix goes before each key, behind the pool's own; a number there is a TypeError, also without strict_types. $ttl 0 or INF: values never expire. $grace null:
     * as long as the TTL; 0: strict, nothing is served after its TTL; INF: old values are kept until
     * they are rebuilt. $lease: how long an elected caller may take at most before another one is
     * elected; where the value's last computation was measured, and the call does not choose, three
     * times as long as that took, from 1 s to $lease. $wait: how long remember() waits for another
     * caller's value at most; null: 2.5 seconds. $stale false: a strict object. All its methods but entry(), lookup(), remember()
     * and rememberMany() take a value past its TTL for none, and get() elects no caller; remember() waits for
     * the new value, and answers the old one only when $wait is over. $staleOnError: when the computation throws, remember() answers the old value. $early:
     * the beta of XFetch (Vattani, Chierichetti, Lowenstein, VLDB 2015); 0 or null: never early. $jitter 0.1:
     * TTLs vary by 10 % either way; null: not at all. $copies: each value is kept on this many different servers, 1 to 8 and at most as
     * many as the pool has. A value that all of them acknowledged survives the loss of all but one. 1 round trip for a value
     * that the first copy has; n for a miss; 2n + 1 to set or delete. false from set(), delete() ...: not on all of
     * them, perhaps on some. increment() and decrement() are a LogicException then: a running number has one place;
     * use update(). See docs/classes/copies.md. $foreign true: what php-memcached or
     * pecl-memcache stored under the key, which is a miss otherwise, is a value past its TTL, with this object's grace, see
     * docs/classes/values.md. $clearable: clear() takes away everything under $prefix at once; each read asks for one more key of
     * some 35 bytes, in the same round trip, and what was stored under the prefix without it is taken for nothing, so
     * $foreign with it is a ValueError, and so it is with several $copies. $near, 0 or 0.001 to 60 s: so
     * long may a fresh value be answered out of this object's and this host's memory without asking a server, by get(),
     * peek(), entry(), has(), remember(), getMultiple() and rememberMany(); 0: never. What any process of this host
     * changes is not followed by what was there before; what other hosts change may be, for so long. Running
     * numbers are never near. The numbers of tags, and with $clearable that of the prefix, are near with the value: what other
     * hosts invalidate or clear, also strictly, is seen within the same time. See docs/classes/near.md.
     * $guarded true: for code that reads a database between get() and set(), and deletes what it has changed there. A look that
     * finds nothing leaves a mark of some 100 bytes for a minute, and what this process set()s, add()s, replace()s or setMultiple()s later goes in the place of
     * what its first look has found, and of nothing else: false, counted as changed, where that has changed since, so what was read before
     * a change never stays for longer than $holdoff seconds (above 0). A hit costs what it did, a miss 1 round trip more, a set() after a look
     * 2 round trips, 1 over Transport::Direct after a miss of this process, a setMultiple() 2 per server and hundred keys over Direct. A look
     * counts until the request ends, or for a minute. What is set without a look is stored whatever is there. A
     * LogicException with $copies or a Pool that fails over. See docs/classes/guarded.md.
     *
     * A parameter outside its range is a ValueError that names it.
     */
    public function __construct(Pool $pool, string $prefix = "", \DateInterval|\Time\Duration|int|float $ttl = 3600, \DateInterval|\Time\Duration|int|float|null $grace = null, int|float $lease = 10, int|float|null $wait = null, bool $stale = true, bool $staleOnError = false, ?float $early = null, ?float $jitter = null, int $copies = 1, int|float $near = 0, bool $clearable = false, bool $foreign = false, bool $guarded = false, int|float $holdoff = 10) {}

    /**
     * The value, old ones included, or $default on a miss. One caller among all hosts that find a value
     * past its TTL is elected: it is answered $default and should set() the new value within the lease,
     * through whatever object of the same servers and prefix; the others get the old value meanwhile. Of an
     * object with $stale false every caller gets $default then, and none is elected.
     * 1 round trip; 2 for the elected caller, and for a value whose running number is kept beside it.
     */
    public function get(string $key, mixed $default = null): mixed {}

    /** The value, old ones included unless the object's $stale is false, or $default. Elects no caller and writes nothing. 1 round trip, 2 for a running number. */
    public function peek(string $key, mixed $default = null): mixed {}

    /** What is there, with its story. Elects no caller and writes nothing. 1 round trip, 2 for a running number. */
    public function entry(string $key): Entry {}

    /**
     * The same with the election of get(): when the status is Elected, this process holds the claim, the
     * entry carries the old value, and publish() or abandon() should follow. What does not follow before the
     * request ends is given back then. 1 round trip, 2 when elected.
     */
    public function lookup(string $key): Entry {}

    /**
     * Stores the value that this process was elected to compute by get() or lookup(), if it still descends from what it was
     * elected under: not after a delete(), expire() or set() in the meantime, and never over a later
     * election's value. False when it was not stored; then nothing changed. 2 round trips, 1 over
     * Transport::Direct with proofs where nothing has changed since the election.
     */
    public function publish(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /** Gives back the claim that get() or lookup() took, so that another caller is elected at once. False when there was none any more. 2 round trips. */
    public function abandon(string $key): bool {}

    /** Whether peek() would find a value. 1 round trip, 2 for a running number. */
    public function has(string $key): bool {}

    /**
     * Stores the value, whatever is there. What others are computing for the key at that moment will
     * not be stored. False when the server could not be reached or did not answer in time. Then the value
     * may be there or not, or may still come later, over a newer one: nothing can stop a plain set on its
     * way. Where that matters use remember() or publish(), update(), add() or replace().
     *
     * UnstorableException when the value cannot be stored; the old value stays. It is a TooLargeException (a
     * StoredValueException) when it is larger than the server takes (a proxy that does not tell the server's limit
     * has it taken for 1 MiB), and a NotSerializableException (a TypeError) for what serialize() refuses, for
     * resources, and for arrays and objects nested deeper than 4096, which could not be read again. 1 round
     * trip, and one more for the first value above 8 KiB on a connection, which asks for the limit.
     */
    public function set(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /** Stores the value for exactly one caller if no fresh value is there. 1 round trip when the key is free, else 2 or 3. */
    public function add(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /** Stores the value if one, fresh or old, is there, whose grace it keeps when none is given. 2 round trips. */
    public function replace(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /**
     * Changes the value without losing another caller's change: calls $change(mixed $old): mixed ($old is
     * null when there is none) and stores the result if the value is still the one $change was given;
     * otherwise it calls $change again with the newer one, with growing random pauses. Returns what was
     * stored. ServerException when it could not be stored for sure: server out of reach, answer lost, or too much
     * contention. StoredValueException when the value and the view together have more tags than a value can. It
     * restarts a running number as set() does, and keeps the old value's grace. Without contention 3 round trips, 6
     * with a running number.
     *
     * @template Old
     * @template T
     * @phpstan-param callable(Old|null): T $change
     * @param-immediately-invoked-callable $change
     * @phpstan-return T
     */
    public function update(string $key, callable $change, \DateInterval|\Time\Duration|int|float|null $ttl = null): mixed {}

    /**
     * Takes the value away: of all callers at one time, one gets it and the others $default. Deletes the mark of a guarded
     * look; through a guarded Cache whatever is there. ServerException when others kept changing it. 2 round trips, 4 with a
     * running number, some more while others count on it.
     */
    public function pull(string $key, mixed $default = null): mixed {}

    /**
     * True when the key is gone afterwards, also when it was not there. What others are computing for it,
     * by remember() or for publish(), will not be stored, and no update() of the value that was there. What
     * stores where nothing is does so afterwards too: set(), add(), and an update() that found no value.
     * 1 round trip.
     */
    public function delete(string $key): bool {}

    /**
     * delete() that says whether the server had something to delete. Of many at one time that forget one value,
     * one is told true. False when there was nothing, and also when the server could not be asked or did not
     * answer; delete() tells these apart. What has no value to show counts as something until the server drops it:
     * a value past its hard end, what remember() leaves on a key without a value while it computes or after it
     * failed, and the mark of a guarded look; telling those apart would cost a second round trip. 1 round trip.
     */
    public function forget(string $key): bool {}

    /** Ends the value's TTL now and begins its grace: the next caller rebuilds it, the others get the old one (with grace 0 none does). False when there is none. What others are computing for it will not be stored. 2 round trips. */
    public function expire(string $key): bool {}

    /** Gives the value that is there a new TTL, and leaves it its grace. False when there is none. 2 round trips; 4 when a running number is to live longer. */
    public function touch(string $key, \DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Adds to a cached integer and returns the new number; false when there is none, or when the server
     * could not be asked or did not answer (then it may have been counted or not; it is never repeated),
     * or when others kept changing the value (not counted; stats() says gave_up).
     * Increments are never lost or doubled while value and number live; set() starts from its own value.
     * Counts past the TTL, too, as long as the value is there (for an object with $stale false it is not).
     *
     * Given $initial it is never false for want of a value: where none is, one caller among all hosts stores
     * $initial + $by, to live for $ttl (null: the object's), and the others count on it. What is being computed
     * for the key at that moment will not be stored. $ttl is for that value alone: one that is there keeps its
     * own, and without $initial it is not used.
     *
     * A number that is not negative stops at 0. StoredValueException when the value is not an integer or
     * the result (or $initial + $by) would not fit; then nothing changes. 2 round trips, also to store $initial;
     * 3 for the first increment of what is stored. LogicException with several copies.
     */
    public function increment(string $key, int $by = 1, ?int $initial = null, \DateInterval|\Time\Duration|int|float|null $ttl = null): int|false {}

    /** increment() the other way. */
    public function decrement(string $key, int $by = 1): int|false {}

    /**
     * The value; computes and stores it when it is this caller's turn. $compute is called by one caller
     * among all hosts: when the value is past its TTL (the others get the old one at once), or when there
     * is none (the others wait for it, at most $wait seconds, then compute for themselves; a caller inside another computation
     * waits about as long as that has run, at most a quarter of $wait). What it returns
     * is stored unless the key was deleted, expired or set meanwhile.
     *
     * $compute is given an Entry of what there was (Fresh, Stale or Miss; value, age, compute time), so that
     * it can refresh conditionally (HTTP 304), when its first parameter is required, or optional or variadic
     * with Entry in its type. Any other optional parameter keeps its default, so that 'time' or
     * User::all(...) can be given as they are; a __call() is given nothing.
     *
     * $force: this caller stands for election however fresh the value is. Of all that force at once one
     * computes; the others wait for its value, at most $wait seconds, then take the old one; with
     * stale: true, given in this call, they take it at once. A rebuild that has begun before counts as
     * theirs: where it must not, call expire() first. A pause after a failure holds off $force, too.
     *
     * $entry is set to the story of what is answered: Fresh; Stale, or Busy while another caller computes
     * it; Elected when this call computed it (age 0; expiresIn is its TTL, stored or not; null without one
     * and when $ttl answered null). With Refresh::AfterResponse it tells of the old value that is answered.
     * When remember() throws, it stays as it was.
     *
     * $tags, fn(mixed $value): array, tells tags that only the computed value knows, beside those of the object (255 in
     * all): asked before $ttl, when the value is to be stored. An invalidation of such a tag counts from then on, and not from
     * when the computation began, unless the object has the tag, too. Where their server does not answer, the value is
     * returned and not stored. 1 round trip. A ValueError with several copies.
     *
     * $ttl may be a callable fn(mixed $value): DateInterval|int|float|null that is asked after $compute; null: the
     * value is returned and not stored. When $compute throws, the claim is given back, the next election
     * is held off for a short, growing pause, and the exception reaches this caller; with $staleOnError
     * it gets the old value instead, until its hard end. Where there is no old value, a pause that ends within
     * a quarter of $wait is waited out; a longer one is a RebuildPausedException at once. What cannot be stored
     * (too large, not serializable) is returned all the same; for a lease, then, no caller waits for another:
     * those who are not served an old value compute for themselves. A stored value whose own code throws while it
     * decodes counts as none; that exception is the previous one of what $compute throws. With Refresh::AfterResponse the elected caller too gets
     * an old value at once, and $compute runs when its response has been sent, where the SAPI has such
     * a moment (php-fpm, LiteSpeed, FrankenPHP outside workers); elsewhere at once. A wrong $ttl, $grace, $jitter or $tags is refused
     * when this caller is to compute, before it claims the key: a call that is answered with what is there does not hear of it. LogicException when $compute asks for the very key it is computing
     * and there is no old value. 1 round trip for a fresh value; 4 and the computation when elected.
     *
     * @template T
     * @phpstan-param \DateInterval|\Time\Duration|int|float|(callable(T): (\DateInterval|\Time\Duration|int|float|null))|null $ttl
     * @phpstan-param (callable(): T)|(callable(Entry): T) $compute
     * @phpstan-param (callable(T): array<string>)|null $tags
     * @param-immediately-invoked-callable $compute
     * @param-out Entry $entry
     * @phpstan-return T
     */
    public function remember(string $key, \DateInterval|\Time\Duration|int|float|callable|null $ttl, callable $compute, \DateInterval|\Time\Duration|int|float|null $grace = null, int|float|null $lease = null, int|float|null $wait = null, ?bool $stale = null, ?bool $staleOnError = null, ?float $early = null, ?float $jitter = null, ?Refresh $refresh = null, bool $force = false, ?Entry &$entry = null, ?callable $tags = null): mixed {}

    /**
     * remember() for many keys at once, with this object's defaults. $compute(array $missing): array is
     * given the keys that this caller was elected for, in the order of $keys, and returns their values
     * by key (a list for keys that are none is a ValueError); a key it leaves out is null in the result and its claim
     * is given back. A value that cannot be stored is returned all the same, and keeps no other from being
     * stored. A key without a value whose computation is held off for long is a RebuildPausedException, after
     * this caller's own are computed and stored. Keys that others
     * are computing are waited for within one common wait, after this caller's own are done; when that
     * is over $compute is called again for the rest. Returns all keys in the order given. An iterator is run to
     * its end before a server is asked, here and in the other methods for many keys. 1 round trip
     * per server and 8,000 bytes of keys, another one for the results, and 2 for each key computed; over Transport::Direct 2 for each
     * server and hundred keys computed. With copies or a Pool that fails over 3 for each key computed.
     *
     * @return array
     * @template K of array-key
     * @template T
     * @phpstan-param iterable<K> $keys
     * @phpstan-param callable(list<string>): array<T> $compute
     * @param-immediately-invoked-callable $compute
     * @phpstan-return array<K, T|null>
     */
    public function rememberMany(iterable $keys, \DateInterval|\Time\Duration|int|float|null $ttl, callable $compute): array {}

    /**
     * The values of many keys, as get() would answer each, in the order given. 1 round trip per server
     * and 8,000 bytes of keys, as many again for the running numbers among them, 1 more for each key this
     * caller is elected for.
     *
     * @return array
     * @template K of array-key
     * @phpstan-param iterable<K> $keys
     * @phpstan-return array<K, mixed>
     */
    public function getMultiple(iterable $keys, mixed $default = null): array {}

    /**
     * set() for each key. True when all were stored. A value that cannot be stored keeps no other from being
     * stored: one exception comes after them, with those of other such values as its previous ones, at most 100.
     * An empty key, a key that is neither string nor int, or an iterator that throws is an exception before
     * anything is stored. Of several values that an iterator has for one key the last is stored. 1 round trip per
     * key; over Transport::Direct, without tags, copies and failover, 1 for each 100 keys, to all of their servers at the same
     * time, and 1 more for each server and 256 KiB; and whose answer does not come there may or may not be stored, as after set().
     *
     * @phpstan-param iterable<array-key, mixed> $values
     */
    public function setMultiple(iterable $values, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /**
     * delete() for each key. True when all are gone. 1 round trip per key; over Transport::Direct, without copies and
     * failover, 1 for each 100 keys of a server, to all servers at the same time.
     *
     * @phpstan-param iterable<array-key> $keys
     */
    public function deleteMultiple(iterable $keys): bool {}

    /**
     * expire() for each key. True when each had a value. 2 round trips per key.
     *
     * @phpstan-param iterable<array-key> $keys
     */
    public function expireMultiple(iterable $keys): bool {}

    /**
     * Makes a view of this cache whose values belong to these tags, too: 1 to 255 with those of this object, any strings of at most
     * 250 bytes that do not begin with a zero byte, shared by all caches of the Pool's prefix. A value is fresh while none of its
     * tags has been invalidated since before it was computed; one that lacks a tag of the view is past its TTL there.
     *
     * set(), setMultiple(), add() and replace() store with each tag as this process's first look at that key through a view has
     * found it since it last stored one, or as the election whose claim it holds: what was computed since may have been
     * invalidated. A look of before this Fiber's own invalidateTags(), deleteTags() or clear() counts as of that. What was not looked
     * at, or so long ago that 16,384 other keys were since, is as of the call.
     * remember(), publish() after lookup(), and update() need no care. update(), touch(), expire() and increment()
     * leave a value the tags that it has.
     *
     * The view has this object's defaults and counts in its stats(). Making it asks no server. Through it a hit is 1
     * round trip, a value with other tags than its own 2; values with tags through a Cache without are 2. A tag that
     * is not there yet is made before a value is computed, 1 round trip; set() without a look is 1 more. ValueError for
     * a tag that is empty or too long, and for too many. Each argument is a string or an array of strings: anything else is a
     * TypeError, also without strict_types, and named arguments are refused. See docs/classes/tags.md.
     *
     * @phpstan-param string|array<string> ...$tags
     * @no-discard
     */
    public function tagged(array|string ...$tags): Cache {}

    /**
     * Makes every value of any of these tags (1 to 255) stale, however many values there are: they count as past their
     * TTL. One caller rebuilds each, the others get the stale value within its grace. A tag that is lost, evicted or with its
     * server, takes its values with it, as deleteTags() does. Arguments are as of tagged().
     *
     * True when every server has been told; after false some of them may go on serving values of before: call it
     * again. Repeating is harmless. 1 round trip per server and tag, for each of the Pool's signing keys; over
     * Transport::Direct per server and 16 of them.
     *
     * @phpstan-param string|array<string> ...$tags
     */
    public function invalidateTags(array|string ...$tags): bool {}

    /**
     * Deletes every value of any of these tags (1 to 255), however many values there are: nothing of before is served. One caller
     * computes each, the others wait as for a key that is not there. Arguments are as of tagged().
     *
     * True when every server has been told; after false some of them may go on serving values of before: call it
     * again. What gets no answer is sent once more. 1 round trip per server and tag, for each of the Pool's signing keys; over
     * Transport::Direct per server and 16 of them, unless the Pool fails over.
     *
     * @phpstan-param string|array<string> ...$tags
     */
    public function deleteTags(array|string ...$tags): bool {}

    /**
     * Everything under this object's prefix, by all processes, at once: as deleteTags() with a tag that all of it
     * has. $strict false: as invalidateTags(), old values are served while each is rebuilt. Another prefix, also one that begins with
     * this one, is another namespace and stays. LogicException when the object was made without $clearable. True when every server
     * has been told. Anything but a bool is a TypeError, also without strict_types. 1 round trip per server.
     *
     * When it returns true, what this Fiber has looked at under the prefix is forgotten, and what get and lookup elected it for is
     * given back, 2 round trips each: what it sets from then on is fresh, and publish of before is refused. What other Fibers
     * and a remember that is running compute is old when it is stored.
     */
    public function clear(bool $strict = true): bool {}

    /**
     * What this object has seen: hits, stale, misses, elected, busy, waited, early, after_response,
     * stored, discarded (computed, but no longer wanted), changed (not stored by a guarded Cache), unstorable (computed, but no server takes it), unreadable
     * (foreign, corrupt, or of classes that are not there), forged (not signed right, where the Pool has a
     * signing key), errors, gave_up (changes that others kept coming before), compute_seconds (also from get()
     * to set()), saved_seconds (the compute time of the values served), near (hits that asked no server) and near_shared (of these:
     * out of the memory that this host's processes share; 0 where nothing is shared). No round trip.
     *
     * @return array
     * @phpstan-return array{COUNTS_OF_OBJECTS}
     */
    public function stats(): array {}
}
