<?php
/* The classes of the extension mcpatterns, for static analysers and IDEs: nothing here runs, and nothing may load it.
 * Generated from the extension's own stubs by tools/gen-stubs. */
/* SPDX-License-Identifier: MIT */

namespace McPatterns;

/**
 * Measures how consistent a Cache is: of so many fresh values that its remember() serves one is computed anew when the
 * response is over, and compared with what was served. The results are in Metrics and Cache::stats(). It stores nothing,
 * takes no claim, and audits for as long as the object lives.
 *
 * At most one value is checked for each request, after what Refresh::AfterResponse has to do: where the response has an end
 * (php-fpm, LiteSpeed, FrankenPHP), in Pool::endRequest() of a worker, and at the end of a command's script. A check costs
 * one computation and one round trip, and one more where the values differ. After a check of more than 100 ms this
 * process makes none for nine times as long.
 */
final class Audit
{
    /**
     * Asks no server. The Cache has one Audit: a later one takes the place of an earlier one, which audits no more. Of a
     * tagged() view it is its Cache's.
     *
     * $rate, 0 to 1: so large a part of the fresh hits is drawn; null: 0.001. $compare is given what was served and what
     * was computed, and says whether they are the same; null: they are if they would be stored as the same bytes. What the
     * computation or $compare throws is told to Pool::onError(), written to the error log, and counted as a failed check.
     *
     * @param (callable(mixed $cached, mixed $computed): bool)|null $compare
     */
    public function __construct(Cache $cache, ?float $rate = null, ?callable $compare = null) {}
}

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
     * @param callable(Old|null): T $change
     * @param-immediately-invoked-callable $change
     * @return T
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
     * @param \DateInterval|\Time\Duration|int|float|(callable(T): (\DateInterval|\Time\Duration|int|float|null))|null $ttl
     * @param (callable(): T)|(callable(Entry): T) $compute
     * @param (callable(T): array<string>)|null $tags
     * @param-immediately-invoked-callable $compute
     * @param-out Entry $entry
     * @return T
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
     * @template K of array-key
     * @template T
     * @param iterable<K> $keys
     * @param callable(list<string>): array<T> $compute
     * @param-immediately-invoked-callable $compute
     * @return array<K, T|null>
     */
    public function rememberMany(iterable $keys, \DateInterval|\Time\Duration|int|float|null $ttl, callable $compute): array {}

    /**
     * The values of many keys, as get() would answer each, in the order given. 1 round trip per server
     * and 8,000 bytes of keys, as many again for the running numbers among them, 1 more for each key this
     * caller is elected for.
     *
     * @template K of array-key
     * @param iterable<K> $keys
     * @return array<K, mixed>
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
     * @param iterable<array-key, mixed> $values
     */
    public function setMultiple(iterable $values, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /**
     * delete() for each key. True when all are gone. 1 round trip per key; over Transport::Direct, without copies and
     * failover, 1 for each 100 keys of a server, to all servers at the same time.
     *
     * @param iterable<array-key> $keys
     */
    public function deleteMultiple(iterable $keys): bool {}

    /**
     * expire() for each key. True when each had a value. 2 round trips per key.
     *
     * @param iterable<array-key> $keys
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
     * @param string|array<string> ...$tags
     */
    #[\NoDiscard]
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
     * @param string|array<string> ...$tags
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
     * @param string|array<string> ...$tags
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
     * @return array{hits: int, stale: int, misses: int, elected: int, busy: int, waited: int, early: int, after_response: int, stored: int, discarded: int, changed: int, unstorable: int, unreadable: int, forged: int, errors: int, gave_up: int, compute_seconds: float, saved_seconds: float, near: int, near_shared: int, audit_checked: int, audit_different: int, audit_still_stored: int, audit_inconclusive: int, audit_failed: int, audit_seconds: float, audit_oldest_seconds: float}
     */
    public function stats(): array {}
}

/**
 * The clock that McPatterns looks at, for an application's tests: stop it, move it on, and see values
 * expire without sleeping. Soft expiry, claims, locks and memory:// servers follow it; a real
 * memcached server has a clock of its own and does not. PHP's own time() never changes: code that is to
 * follow the test's clock asks now().
 *
 * Only this process (this thread) is affected, and only until the end of the request.
 *
 * @phpstan-all-methods-impure
 */
final class Clock
{
    private function __construct() {}

    /**
     * The time as McPatterns sees it, in seconds since 1970, to the millisecond: the system's, or the one
     * that was frozen or advanced. For an application's own code that is to follow a test's clock.
     */
    public static function now(): float {}

    /**
     * Stops the clock at $at, a Unix time in seconds, or at the present moment. Whatever would wait
     * then moves the clock on instead of sleeping. A later time than the clock has shown is as if it had
     * been advanced: what was to end until then has ended, held locks too. An earlier one gives nothing
     * back. $at that is negative, not finite or beyond the year 9999 is a ValueError.
     */
    public static function freeze(?float $at = null): void {}

    /**
     * Moves the clock $seconds on, frozen or running. Negative, not finite, or beyond the year 9999:
     * ValueError.
     */
    public static function advance(float $seconds): void {}

    /** Back to the system's time: earlier or later, as freeze() would go there. */
    public static function unfreeze(): void {}
}

/**
 * A number that many processes count on at once, never below 0 and never beyond PHP_INT_MAX.
 *
 * It is stored as plain digits under the pool's prefix and the name (a name that memcached would not take
 * is mapped, see docs/classes/keys.md), so that php-memcached, pecl-memcache and every other client can read and
 * increment it. Every method throws ServerException when the server could not be reached or did not
 * answer, unless $whenDown is given; then a change may have happened, and it is never repeated. What is stored and is no such number
 * is a StoredValueException, and stays; what counting takes for a number is memcached's rule, see
 * docs/spec/storage.md. A counter lives in memcached and can be evicted or lost in a restart: `drain()` it into
 * a database, and many of them by `drainMany()`.
 *
 * @phpstan-all-methods-impure
 */
final class Counter
{
    /**
     * Asks no server.
     *
     * $initial: what an absent counter starts from, 0 or more, or a callable that returns it (the
     * number kept in the database, say). One process runs it while the others wait, up to $wait
     * seconds (null: 2.5); a process that has waited so long runs it too. When it throws, nothing is left behind.
     * When it runs for longer than $wait and than 10 seconds, a process that has just come may run it
     * as well. A private method as `$this->load(...)`, not as an array, which is callable only inside
     * the class. $ttl: seconds from the counter's creation until it is gone, on memcached's clock of
     * whole seconds; counting does not prolong it. A DateInterval is as long as from now on. 0: no end.
     *
     * $whenDown: what increment(), decrement() and value() answer where they would throw ServerException, for a number that a
     * page only shows; null: they throw. Each such answer is told to Pool::onError() and counted by Metrics. Everything else
     * throws as ever, and so does what $initial throws.
     *
     * @param int|(callable(): int) $initial
     */
    public function __construct(Pool $pool, string $name, int|callable $initial = 0, \DateInterval|\Time\Duration|int|float $ttl = 0, int|float|null $wait = null, ?int $whenDown = null) {}

    /**
     * Adds $by and returns the new number; a negative $by is a decrement. Atomic. An absent counter is
     * created from its initial value, so that of calls at the same time none is lost. Beyond
     * PHP_INT_MAX it is a StoredValueException, and what was added is taken back: until then others
     * may be refused too; when that has no answer, or the process is killed before, it stays. 1 round
     * trip; 2 to create, 7 with a callable initial value, for the one that runs it; 2 when it is
     * beyond.
     *
     * @return int<0, max>
     */
    public function increment(int $by = 1): int {}

    /**
     * Subtracts $by, stops at 0, and returns the new number. As increment() in everything else.
     *
     * @return int<0, max>
     */
    public function decrement(int $by = 1): int {}

    /**
     * The number. That of an absent counter is its initial value: an integer is not written; a callable
     * one is run and stored as increment() does. 1 round trip; 7 for the one that runs the callable.
     *
     * @return int<0, max>
     */
    public function value(): int {}

    /** Sets the number, 0 or more; its TTL starts again. 1 round trip. */
    public function set(int $value): void {}

    /** Forgets the counter: the next use starts from the initial value again. 1 round trip. */
    public function reset(): void {}

    /**
     * Takes what has accumulated and returns it, for a periodic write to a database: all that was ever
     * drained and what is left are all that was ever counted, whatever counts or drains beside it. 0 from
     * an absent counter. 5 round trips. It takes the initial value too: do not drain a counter into the
     * place that its initial value comes from.
     *
     * $store is called with what was taken, unless that is 0; when it throws or exits, it is added back
     * and the exception goes on. A process killed (SIGKILL, SIGTERM) after taking and before storing loses
     * what it took, and no more. Decrements beside a drain may be cut off at 0, and after a reset(), set()
     * or eviction beside it what is counted then may be lost.
     *
     * LockTimeoutException when nothing could be taken for `wait` seconds, because other drains were at it
     * or the server answers too slowly. ServerException when it is not known whether the number was taken;
     * the message says how much it was.
     *
     * @param (callable(int<1, max>): void)|null $store
     * @param-immediately-invoked-callable $store
     * @return int<0, max>
     */
    public function drain(?callable $store = null): int {}

    /**
     * Drains many counters by few round trips, and returns how many amounts were stored. For each as drain() has it: nothing
     * that is counted meanwhile is lost or drained twice.
     *
     * $names: the counters' names, as many as there are; read as they are needed, 1,000 at a time, each once in a thousand.
     * $store is called with what was taken of such a thousand, name => amount, once, and not at all when that is nothing: an
     * absent counter, or one that is 0, is not in it. A name that looks like an integer is one there, as an array's key always
     * is. When it throws or exits, those amounts are added back (to a counter that is gone meanwhile as the start of a new one,
     * from 0, without an end), the exception goes on, and no further name is read. A process killed (SIGKILL, SIGTERM) after
     * taking and before storing loses these amounts, and no more.
     *
     * A counter that another process is draining is left to that, without waiting, and so is one whose server answers so
     * slowly that its guard (a second) would run out before the number is taken. Where a server fails, or what is stored is no
     * number, the others are drained and stored first; then it is a ServerException, or a StoredValueException, that names the
     * first of them. When it is not known whether some amounts were taken, it says how much they are together: they were not
     * given to $store.
     *
     * Not atomic: each counter by itself. Over Transport::Direct 4 round trips for each server and 100 counters, over libmemcached one
     * for all that is read and 3 for each counter; 1 for each counter, or 100 of them, to add them back. About 1.2 KB of memory for each counter of a thousand.
     *
     * @param iterable<string|int> $names
     * @param callable(non-empty-array<array-key, int<1, max>>): void $store
     * @param-immediately-invoked-callable $store
     * @return int<0, max>
     */
    public static function drainMany(Pool $pool, iterable $names, callable $store): int {}
}

/**
 * What Cache::entry() and Cache::lookup() found under a key, what a computation of Cache::remember() replaces, or
 * what remember() answered.
 */
final class Entry
{
    /** Fresh, Stale (old, no caller rebuilds it), Busy (another caller computes it: the value is the old one or null), Elected (this caller does, or has just done so) or Miss. */
    public readonly Status $status;

    /** The value, old ones included; null where there is none. */
    public readonly mixed $value;

    /** Seconds since the value was stored; null without one, and for another client's value. */
    public readonly ?float $age;

    /** Seconds until the value's TTL ends, negative when it has, 0 or less when an invalidation has ended it; null without a value or a TTL. */
    public readonly ?float $expiresIn;

    /** Seconds it took to compute the value; null when it was not measured. */
    public readonly ?float $computeTime;

    private function __construct() {}
}

/**
 * What happened lately, from all processes of all hosts, in one order: the last errors of a site, say.
 *
 * Time is cut into slots, and each slot is one item that events are appended to, which memcached does atomically.
 * Events older than $age seconds go, a slot at a time. An event is any value that the pool can serialize, at most 65536
 * bytes when that and compression are done, and a slot holds about a megabyte of them. With the pool's signingKey events
 * are signed, under the key of their slot. All processes that use one name must give it the same age and slots, and their
 * clocks must agree within a slot.
 *
 * Every method throws ServerException when the server could not be reached or did not answer, unless the log is $quiet: a part of the log is never
 * shown as the whole. What memcached loses (evicted, flushed, restarted) is missing; since() says so.
 *
 * @phpstan-all-methods-impure
 */
final class EventLog
{
    /**
     * Asks no server. $age: for how many seconds an event is kept, at least; $slots: in how many parts, 1 to 1000. The age
     * must be divisible by them: otherwise a ValueError.
     *
     * $quiet: where append(), last() and since() would throw ServerException, append() returns, and the others answer [] and
     * leave $cursor and $lost alone. Each such answer is told to Pool::onError() and counted by Metrics. clear() throws as ever.
     */
    public function __construct(Pool $pool, string $name, int $age = 3600, int $slots = 12, bool $quiet = false) {}

    /**
     * Adds one event, with the time of this moment. Atomic, and in the order of arrival; events of one process are in
     * its order. StoredValueException: it does not fit, because this slot's megabyte is full (more slots help) or the
     * server has no memory for it; then it was not added. TooLargeException: it is longer than 65536 bytes.
     * NotSerializableException: it cannot be stored. ServerException: it is not known whether it was added, and it is
     * not sent again. 1 round trip; 2 for the first event of a slot.
     */
    public function append(mixed $event): void {}

    /**
     * The last $n events, newest first: a list of [float $time, mixed $event]. What cannot be read here (of a class that
     * is not there, or not signed as the pool wants it) is left out; what the unserializing of an event throws is thrown.
     * The two newest slots are asked for first, then twice as many each time until there are enough: 1 round trip for
     * each of these and 8,000 bytes of keys. Slots come whole, however few events are wanted: last(10) takes this process some 80
     * microseconds of processor time where the newest slot has 1,000 events of fifty bytes, and ten times as much where it has
     * 10,000. Where slots are large, take more of them.
     *
     * @return list<array{float, mixed}>
     */
    public function last(int $n = 100): array {}

    /**
     * What came since $cursor, oldest first, at most $limit events: a list of [float $time, mixed $event]. $cursor null:
     * from the oldest that there is. $cursor is moved on behind what was returned: keep it as it is, anywhere, and hand it
     * in the next time. A reader that calls at least every age less two slots gets every event exactly once, as long as
     * clocks differ, and appends are delayed, by less than a slot together.
     *
     * $lost: how many slots were lost in between, or are damaged: left the log before they were read, evicted, flushed or
     * cleared. Not told of is a slot that was lost before the reader had seen anything of it. What unserializing an event
     * throws is thrown when that event is the first of those to come; $cursor is behind it then. A cursor of another log,
     * or none of ours, is a ValueError. 1 round trip for each two slots.
     *
     * @param-out string $cursor
     * @param-out int<0, max> $lost
     * @return list<array{float, mixed}>
     */
    public function since(?string &$cursor, int $limit = 1000, ?int &$lost = null): array {}

    /** Forgets all events; since() tells of that as of lost slots. As many round trips as slots, and two. */
    public function clear(): void {}
}

/**
 * Cache keys out of parameters: same parameters, same key, in every process and on every host.
 */
final class Key
{
    private function __construct() {}

    /**
     * '<head>:<32 hex digits>': a head to read, and 128 bits of SHA-256 over a canonical form of
     * $parts (docs/spec/keys.md). Different parts give different keys: "1", 1, 1.0 and true
     * are four. The order of string keys does not count, at any level; the order of a list does.
     *
     * Parts may be null, scalars, arrays, enum cases, DateTimeInterface (instant and timezone),
     * JsonSerializable and Stringable objects (their class counts too). Anything else, a closure or
     * a resource for example, at any depth, is a TypeError, and so is an array that contains itself.
     * An empty head is a ValueError. Runs the objects' jsonSerialize() and __toString().
     *
     * With mcpatterns.report_key_drift, parts that equal others by == or are a list in another order,
     * and so make a second key, are an E_NOTICE that names both places.
     *
     * @return non-falsy-string
     */
    public static function of(string $head, mixed ...$parts): string {}

    /**
     * Exactly md5(serialize($options)), for keys that must stay what they were. The order of array
     * keys counts. Throws what serialize() throws.
     *
     * @return non-falsy-string
     */
    public static function md5(mixed $options): string {}
}

/**
 * One holder at a time, among all processes and hosts that use the same memcached: `add` of a key whose
 * value names its holder and says until when, and `cas` of one whose holder's time is over.
 *
 * Durations are seconds, fractions allowed. Every method that asks the server throws ServerException
 * when it could not be reached or did not answer: "could not ask" is never `false`. A lock lives in
 * memcached and can be evicted or lost in a restart; work that must not be done twice even then sends
 * token() along to where it writes. Two objects of one name exclude each other, also in one process.
 *
 * A lock that nobody holds, as its process was killed or its server stored it after its caller had given up, is free at once to the
 * processes of the same host: on Linux; for a caller that lives, to processes that share its memory.
 *
 * @phpstan-all-methods-impure
 */
final class Lock
{
    /**
     * Asks no server.
     *
     * $ttl, greater than 0: how long an acquisition lasts unless it is refreshed; INF: until it is released.
     * A DateInterval is as long as from now on by Clock::now(), in UTC. The holder counts it on his own clock from before he asked. $owner, 1 to 255 bytes: the name
     * stored in the key, by which restore() finds it; null: 32 random digits. $autoRelease: the lock is
     * released when this object dies, the script ends, exits or fails, but never by a forked child. With
     * false only release() and its TTL end it, also when its process is killed.
     *
     * $skew: by how many seconds the hosts' wall clocks differ at most, the same for all processes
     * that use the name. Others take the lock over when its end, which stands in the key, is longer
     * ago than that, whatever memcached's clock says; on another host a dead holder's lock is free $skew after its
     * $ttl. INF believes no wall clock: memcached's TTL, up to 3 seconds longer than $ttl, ends it,
     * and may under load be late, or early after it was late.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true, int|float $skew = 1) {}

    /**
     * True when this object holds the lock now. Tries until $wait seconds have passed, with pauses of at
     * most an eighth of what was waited so far (2 to 100 ms, random), and at the moment when the lock
     * is free by what its key says; 0 tries once, INF goes on until it has it. Seconds, not milliseconds: 5000 are 83 minutes, and no wait
     * is refused for its length. True or false is a TypeError, also without strict_types: other libraries' acquire(true) is acquire(INF). The caller that waits longest has no better chance. A lock that this
     * object holds already is extended, also when its TTL has run out but not $skew too. 1 round trip
     * when it is free, 2 when it is taken, 3 to take it over when it is over or nobody holds it; 1 for each further
     * look; 2 to extend.
     *
     * It blocks the whole process: a Fiber that holds the lock by another object cannot release it while
     * this one waits. Between Fibers of one process try with 0 and suspend.
     *
     * With pcntl_async_signals(true), handlers of pcntl_signal() run while it waits: one that throws ends
     * the waiting, after another it goes on.
     *
     * An attempt whose answer did not come is settled by asking who holds the lock; when that cannot be
     * asked either it is a ServerException. What may have been stored then is free at once to processes that share this one's memory;
     * it is removed when this object dies, or runs out.
     */
    #[\NoDiscard]
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work under the lock and returns its result: acquires as acquire() does, and releases when
     * $work returns, throws or exits, or the script fails, also without autoRelease. $work is given this
     * Lock, so that it can refresh(), when its first parameter is required, or optional of a type that a
     * Lock has. A lock that this object held before stays held. The object is one holder: run() inside
     * run(), or beside it in another Fiber, goes in at once, and the last of them to end releases.
     * A function with `yield` returns before any of its body has run, which then runs without the lock:
     * iterate such a generator within $work.
     *
     * LockTimeoutException: it could not be had, $work was not run. LockLostException: $work has returned,
     * but the lock was lost in the middle, even if $work has acquired it again; one that was to stay held,
     * also when its TTL has run out. What $work released or detached is not lost. An exception of $work
     * goes before that. 3 round trips, 2 over Transport::Direct with proofs.
     *
     * @template T
     * @param (callable(): T)|(callable(Lock): T) $work
     * @param-immediately-invoked-callable $work
     * @return T
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Starts the TTL again, with $ttl for this time or else the constructor's, if it has not run out and
     * the lock is still this object's. False when not, and nothing changed: acquire it again. 2 round
     * trips (1 over Transport::Direct with proofs), none when it was not held or has run out.
     */
    #[\NoDiscard]
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Frees the lock if it is still this object's: compared and deleted atomically, so another holder's
     * is never freed. False when it was not held, had been lost, or its TTL and $skew were over. 2 round
     * trips (1 over Transport::Direct with proofs), none when not held.
     */
    public function release(): bool {}

    /**
     * Frees the lock of any holder; false when its key is gone. The holder is not told. True also when
     * the key was there and its time was over. 1 round trip.
     */
    public function forceRelease(): bool {}

    /**
     * Hands the lock over: returns the owner's name for restore() in another process. This object does
     * not hold the lock any more, and nothing releases it but its TTL, which goes on, and the process that
     * restores it: also the end of this process does not. 2 round trips (1 over Transport::Direct with proofs), none with
     * autoRelease: false or after restore(). LockLostException when it is not held; ServerException: it is held still.
     *
     * @return non-empty-string
     */
    #[\NoDiscard]
    public function detach(): string {}

    /**
     * Whether this object holds the lock and its TTL has not run out. $verify asks the server too, and
     * sees an eviction, a restart or a forceRelease(). No round trip; 1 with $verify.
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * Whether the lock has a holder. A dead holder's is held until its TTL and $skew are over, but for processes that
     * know that nobody holds it. Changes nothing. 1 round trip.
     */
    public function isLocked(): bool {}

    /**
     * How many seconds of this object's TTL are left; 0.0 when it does not hold the lock, INF without an
     * end. No round trip.
     */
    public function remaining(): float {}

    /**
     * A fencing token: a number that is larger than those of all earlier holders, also across evictions
     * and restarts of the server, as long as it makes fewer than a million changes a second on average.
     * Whatever is written under the lock can refuse a smaller token than it has seen. It is the server's
     * start in microseconds plus the cas id of the lock's key, read in one round trip that also proves
     * the lock is still held; later calls answer the same without asking.
     *
     * Where the server's own statistics are not to be had, as through a proxy, it is counted on a number
     * that all locks and semaphores of the pool's prefix share: 2 round trips, and when that number is new
     * 4 more and a wait of mostly $skew. All users of a name must reach its server alike.
     *
     * LockLostException when the lock is not held, has run out or was lost. ServerException when that
     * number cannot be used: with $skew INF, when a host's clock is wrong, or when the wait would be
     * longer than the lock is held or than 10 s.
     */
    public function token(): int {}

    /**
     * The name stored in the key while this object holds the lock.
     *
     * @return non-empty-string
     */
    public function owner(): string {}

    /**
     * The name of the lock's holder, this object or any other; null when it has none. Of a key that
     * another client has written: its value. Changes nothing. 1 round trip.
     */
    public function currentOwner(): ?string {}

    /**
     * The lock that was acquired elsewhere under this owner's name, and detached there (or created
     * with autoRelease: false): takes it over and starts its TTL again with $ttl. When it is not this
     * owner's any more, or its time and $skew are over, the object does not hold it: ask isHeld(). It
     * is released as any other. To learn the holder's name ask currentOwner(), which takes nothing. 2
     * round trips.
     */
    #[\NoDiscard]
    public static function restore(Pool $pool, string $name, string $owner, \DateInterval|\Time\Duration|int|float $ttl = 10, int|float $skew = 1): Lock {}
}

/**
 * The static wrapper of A. Smirnov's "Web, caching and memcached" (2008), to take the place of a
 * site's own class without touching its callers. `mcpatterns.mc_alias = On` also registers it as the
 * global class MC. Nothing here throws: a miss, a dead server and an impossible value are FALSE.
 *
 * With `mcpatterns.mc_legacy = On` (php.ini only) get() also reads what the published PHP code stored, as
 * long as it lives, whether pecl-memcache or php-memcached wrote it: only items whose flags say that
 * they are serialized, and none with an object in it; nothing where the Pool has a signing key, for nobody
 * has signed it. That code reads ours as misses: switch host by host, or all at once.
 *
 * @phpstan-all-methods-impure
 */
class MC
{
    /** Chooses the cache that all other methods work on. Otherwise one on Pool::default(). */
    public static function use(Cache $cache): void {}

    /**
     * The value; FALSE on a miss, and for the one caller that is elected to set() it anew after its
     * timeout, while the others get the old value. 1 round trip, 2 when elected.
     *
     * @param mixed $key
     */
    public static function get($key = null): mixed {}

    /**
     * Stores for $timeout seconds, and an old value for as long again. 0 or more than 1295999 (15 days
     * less a second) becomes 1295999. $flag: pecl-memcache's compress bit (2) compresses the value
     * also where it is shorter than the Pool's compressAbove, if that saves an eighth. 1 round trip.
     *
     * @param mixed $key
     * @param mixed $data
     * @param mixed $flag
     * @param mixed $timeout
     */
    public static function set($key = null, $data = null, $flag = false, $timeout = 3600): bool {}

    /**
     * TRUE when the key is gone. 1 round trip.
     *
     * @param mixed $key
     */
    public static function delete($key = null): bool {}

    /**
     * The new number, or FALSE when there is no integer under the key. 2 round trips.
     *
     * @param mixed $key
     * @param mixed $increment
     */
    public static function increment($key = null, $increment = 1): int|false {}
}

/**
 * Which of many things are in: who is online, which ids are being edited, which keys were seen.
 *
 * A set is an item that "+ member" and "- member" are appended to, which memcached does atomically, so that no change is
 * lost, whatever changes it at once. Who reads goes through these operations, and compacts the item when more than half of
 * it is of no use any more. All processes that use one name must give it the same shards.
 *
 * Every method throws ServerException when a server could not be reached or did not answer; a set that cannot be asked is
 * never an empty one. What is stored and is no set is a StoredValueException, until clear() takes it away. What memcached loses (evicted, flushed,
 * restarted) is an empty set, or with several shards a part of it.
 *
 * @phpstan-all-methods-impure
 */
final class MemberSet
{
    /**
     * Asks no server. $ttl: seconds from a shard's creation until it is gone, on memcached's clock of whole seconds; changes
     * do not prolong it. A DateInterval is as long as from now on. 0: no end. $shards: 1 to 256, over which a large or busy
     * set spreads, and with them over the servers: each holds about a megabyte.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Members join; those that are in stay where they are. A member is any string that is not empty, at most 65536 bytes.
     * All members of a call and of a shard come in at once. StoredValueException: they do not fit, though the shard was
     * compacted, or the server has no memory for them; then they were not added. ServerException: it is not known whether
     * they were, and nothing is sent again. TooLargeException: they would not fit into an empty shard. 1 round trip for each shard; 2 for the first of a shard; 2 more at least when it
     * is full.
     */
    public function add(string ...$members): void {}

    /** Members leave; others are ignored. 1 round trip for each shard; 1 more at least when it is full or not there. */
    public function remove(string ...$members): void {}

    /**
     * Whether the member is in. 1 round trip; now and then another that compacts. The member's whole shard comes and is read for it,
     * so that what it takes grows with the shard's members: some 80 microseconds of processor time for 10,000 of them, 11 in 16
     * shards. Give a set of many members more shards.
     */
    public function has(string $member): bool {}

    /**
     * The members, in the order in which they joined, one shard behind the other. 1 round trip per server; another for
     * each shard that is compacted.
     *
     * @return list<string>
     */
    public function members(): array {}

    /**
     * How many members there are. As members() in everything else.
     *
     * @return int<0, max>
     */
    public function count(): int {}

    /** Forgets all members. 1 round trip for each shard. */
    public function clear(): void {}
}

/**
 * What this host's processes have done with memcached: counted in memory that they share, without a lock and without a
 * round trip, while it happens.
 *
 * A group is a Cache's prefix: at most 128, those after them together as the group that is_other. Counters, locks and
 * tags are no reads of a Cache and count in no group. Calls through a memory:// Pool count in groups, and as no server's.
 *
 * All processes that share the memory (those of one php-fpm; with mcpatterns.shared_memory_path those of all that name the
 * same file) count and read the same numbers; where there is none each process has its own, and shared is false. A process that is
 * killed leaves what it has counted. With mcpatterns.metrics off nothing is counted, and everything here is empty. No method
 * asks a server. See docs/classes/metrics.md.
 *
 * @phpstan-all-methods-impure
 * @phpstan-type MetricsGroup array{group: string, is_other: bool, hits: int, near_hits: int, stale: int, misses: int, elections: int, takeovers: int, waits: int, wait_seconds: float, early: int, after_response: int, stored: int, discarded: int, changed: int, unstorable: int, unreadable: int, forged: int, gave_up: int, uncached: int, errors: int, computations: int, compute_seconds: float, saved_seconds: float, audit_checked: int, audit_different: int, audit_still_stored: int, audit_inconclusive: int, audit_failed: int, audit_seconds: float, audit_oldest_seconds: float, compute_times: non-empty-list<int>}
 * @phpstan-type MetricsServer array{server: string, calls: int, timeouts: int, failures: int, breaker_openings: int, when_down: int, is_open: bool, open_since: float|null, last_error: array{message: string, at: float}|null, last_used: float, seconds: float, round_trips: non-empty-list<int>}
 * @phpstan-type MetricsSample array{at: float, hits: int, near_hits: int, stale: int, misses: int, elections: int, takeovers: int, waits: int, wait_seconds: float, early: int, after_response: int, stored: int, discarded: int, changed: int, unstorable: int, unreadable: int, forged: int, gave_up: int, uncached: int, errors: int, computations: int, compute_seconds: float, saved_seconds: float, audit_checked: int, audit_different: int, audit_still_stored: int, audit_inconclusive: int, audit_failed: int, audit_seconds: float, audit_oldest_seconds: float, acquisitions: int, contention: int, losses: int, calls: int, timeouts: int, failures: int, breaker_openings: int, when_down: int, sessions: array{starts: int, waits: int, wait_seconds: float, takeovers: int, late: int, merges: int, conflicts: int, dropped: int, stored_again: int, refused: int, failures: int}}
 * @phpstan-type MetricsLock array{lock: string, acquisitions: int, contention: int, losses: int}
 * @phpstan-type MetricsSession array{prefix: string, starts: int, waits: int, wait_seconds: float, takeovers: int, late: int, merges: int, conflicts: int, dropped: int, stored_again: int, refused: int, failures: int}
 * @phpstan-type MetricsRebuild array{key: string, group: string, count: int, seconds: float}
 * @phpstan-type MetricsReading array{enabled: bool, shared: bool, since: float, now: float, processes: int, trace_failures: int, bounds: array{compute_times: non-empty-list<float>, round_trips: non-empty-list<float>}, groups: list<MetricsGroup>, servers: list<MetricsServer>, locks: list<MetricsLock>, sessions: list<MetricsSession>, rebuilds: list<MetricsRebuild>}
 * @phpstan-type MetricsLegend array{counts: list<array{of: 'cache'|'host'|'lock'|'server'|'session', name: string, kind: 'answer'|'peak'|'timed'|'trouble'|'work', unit: string, help: string}>, letters: list<array{letter: string, word: string, help: string}>}
 * @phpstan-type MetricsEvent array{at: float, letter: string, group: string, key: string, pid: int}
 */
final class Metrics
{
    private function __construct() {}

    /**
     * All numbers since reset() or since the memory was made; times in seconds. They are read while others count, so that
     * two of them may be one call apart.
     *
     * since, now: Unix times, by Clock::now(). processes: those alive that have counted. trace_failures: what the file of
     * mcpatterns.trace_file was not told.
     *
     * Of a group, what its reads were answered: hits (fresh, from memcached), near_hits (fresh, from this host's memory), stale (an old value), misses
     * (nothing), elections (this caller was told to rebuild); one read counts once among these. takeovers: elections after a
     * claim had run out, and computations of callers that had waited too long. waits: reads that paused for another
     * caller's value, and wait_seconds altogether. early: elections before the end of the TTL. after_response: rebuilds done
     * then. stored: values stored, by all methods. discarded: computed, but what it descended from was gone. changed: not stored by a guarded
     * Cache, as the key had changed since the look. unstorable: no server takes it.
     * unreadable: foreign, corrupt, or of classes that are not there. forged: not signed right. gave_up: changes that others kept coming
     * before. uncached: computed by remember() and rememberMany(), and not stored for want of a server, so that the next caller computes, too.
     * errors: calls that no server answered in time. computations and compute_seconds: what was computed to be stored;
     * compute_times is how many of them took at most as long as the bound in bounds['compute_times'] at the same
     * place, and longer than the one before; the last one counts what took longer than all bounds. saved_seconds: the compute time of the
     * values served, without which it would have been spent again.
     *
     * Of a server, by its address: calls (requests sent), timeouts, failures (timeouts and whatever else kept an answer away), breaker_openings
     * (a process began to leave it alone), when_down (answers that objects gave in its place, as `whenDown` and `quiet` have
     * them), is_open (at least one leaves it alone now), open_since (when that began, null if it is not), last_error (what a call failed of last, and
     * when, as Pool::lastErrors() has it, null if none did), last_used (when a call that was sent to it was seen last: it was not used since), and of one call in 64, which is timed, round_trips by
     * bounds['round_trips'], and their seconds altogether. At most 63, then those after them as "other".
     *
     * Of a lock or semaphore, by its name: acquisitions, contention (an acquire() that found it taken), losses (run
     * out, evicted or taken away before its release). At most 255, then those after them as "other".
     *
     * Of sessions, by the prefix of their keys (mcpatterns.session_prefix, or that of a SessionHandler's Pool): starts, those in vain
     * included; waits (starts that waited for another request's lock) and wait_seconds altogether; takeovers (of a lock whose holder's time
     * was over); late (writes by lock that found another request's change in their place); merges and conflicts (keys that two requests had
     * changed side by side); dropped (writes of sessions that had been destroyed); stored_again (the server had lost them); refused (too large, not
     * to be merged, or in another format: they stay as they were); failures (no answer, waited in vain, or the session was lost). At
     * most 31, then those after them as "other".
     *
     * rebuilds: the keys that cost most computing in the last minute (to five seconds), dearest first, at most 32: how
     * often, and how many seconds. Keys are cut after 56 bytes. Exact while no more than 64 different keys are computed in five seconds.
     *
     * @return MetricsReading
     */
    public static function read(): array {}

    /**
     * How all groups, locks and servers together stood, and all sessions, oldest first: every two seconds of the last two minutes, and every minute of the
     * hour before, as far as anything was done then, and not before the last reset(). The names are those of read(), those of sessions in an array
     * of their own; what was done between two samples is their difference.
     *
     * A sample is taken before the first request of its two seconds does anything, or at a call of read() or history(), by
     * whichever process comes first. Where the next one is late, nothing was begun in between: what was done came soon after the first.
     *
     * @return list<MetricsSample>
     */
    public static function history(): array {}

    /**
     * What there is to be read, for programs that show it: the counts in read() that it is of ("cache": a group), in their order, and the letters
     * of trace(). Another version may have more.
     *
     * kind: "answer" (what a read came to: each counts once among these), "trouble" (where it grows something is wrong, or could be
     * better), "timed" (a histogram of read() has it, too), or "work". unit: what is counted, in the singular, or "s". help: a sentence; a
     * letter's follows it, as "H: a fresh value was served" does. word: a letter in a word or two.
     *
     * @return MetricsLegend
     */
    public static function legend(): array {}

    /**
     * The same numbers in Prometheus's text exposition format 0.0.4, as a scraper wants them: send it with the Content-Type
     * "text/plain; version=0.0.4; charset=utf-8". All names begin with mcpatterns_. Without rebuilds, for keys are no labels.
     */
    public static function prometheus(): string {}

    /**
     * What happened last, oldest first: at most $last of the last 4096 events, of one group or (null) of all. Each has its time (Unix
     * time, to the millisecond), its letter, group, key (cut after 40 bytes, without the Pool's prefix and the Cache's) and process.
     *
     * The letters: H a fresh value was served; h one out of this host's memory; S an old one; M there was none, or an old one to be rebuilt; E as M, of a fresh one; L a claim was tried; B somebody else has it; W stored; U a claim was given back; R a result was
     * refused; w a pause of waiting; T as M, for a tag was invalidated; X a server failed; C computed, and no server is there to keep it; D a value that was served
     * differs from what an Audit has computed. An event that is just being written is left out, never shown in part. $last below 1 or above 4096: ValueError.
     *
     * @return list<MetricsEvent>
     */
    public static function trace(?string $group = null, int $last = 200): array {}

    /**
     * Begins anew, for all processes that share the memory: every number is 0 and the trace is empty. What others count at
     * the very moment may count or not.
     */
    public static function reset(): void {}
}

/**
 * How many different visitors there were in the last seconds or minutes ("N people are looking at this now").
 *
 * Time is cut into slots, each with a counter of its own, and the number is the sum of a window of them, the slot
 * that is going on included (A. Smirnov, "Web, caching and memcached", 2008; slots are named by their absolute
 * number). A visitor is counted in one slot, that of his last hit. So a visitor who comes back within the window is in every
 * number once, and one who is gone leaves it between one window and one window and a slot later.
 *
 * All processes that use one name must give it the same window and slots, and their clocks
 * must agree to a second. Every method throws ServerException when a server could not be reached or
 * did not answer, unless $whenDown is given: a part of an answer is never shown as the whole.
 *
 * @phpstan-all-methods-impure
 */
final class OnlineCounter
{
    /**
     * Asks no server. $window: seconds that the number covers; $slots: in how many parts, up to 86400.
     * The window must be divisible by them: otherwise a ValueError. More slots make count() more exact, and let a visitor change slots
     * more often. 1 slot is the smallest form, with two keys.
     *
     * $whenDown: what count() answers where it would throw ServerException, for a number that a page only shows; increment()
     * returns then, hit() answers false, perSlot() []. Each such answer is told to Pool::onError() and counted by Metrics.
     * Null: they throw.
     */
    public function __construct(Pool $pool, string $name, int $window = 300, int $slots = 5, ?int $whenDown = null) {}

    /** Counts $by visits that the caller knows to be unique. 1 round trip; 2 for the first of a slot. */
    public function increment(int $by = 1): void {}

    /**
     * Counts this visitor in the slot that is going on, and no longer in the slot of his last hit. True when the number did
     * not have him before. $visitor is any string of any length; it is stored as a hash. Of several requests of one
     * visitor at once one counts, the others take themselves back.
     *
     * Not atomic: while a visitor changes slots he is in the number twice for a moment. After a hit that failed, or whose process was
     * killed, he may be in it twice until the older slot has left the window, and his next hit counts him in any case. 1 round trip for a visitor who was
     * counted in this slot already, 3 for a new one, 4 for one who changes slots, and 1 more for the first of a slot.
     */
    public function hit(string $visitor): bool {}

    /**
     * The number: the sum of the slot that is going on and of the `slots` that have ended, so of one window at least and one window and
     * a slot at most. $smooth: an estimate for one window, with the matching share of the oldest slot; it moves evenly.
     * 1 round trip per server and 8,000 bytes of keys: 240 slots are 1, 1440 are 4.
     *
     * @return int<0, max>
     */
    public function count(bool $smooth = false): int {}

    /**
     * Slot start (Unix time) => visitors whose last hit was in it, newest first: the slot that is going on, then
     * those that have ended. 1 round trip per server and 8,000 bytes of keys.
     *
     * @return array<int, int<0, max>>
     */
    public function perSlot(): array {}
}

/**
 * The memcached servers an application uses, and how: what Cache, Lock, Counter and OnlineCounter are
 * built on.
 *
 * A Pool is cheap: it connects to nothing until something is asked for. Connections belong to the
 * process (to the thread in a thread-safe PHP), one per server, address, transport and timeouts, and are shared
 * by all pools that name the same ones, whatever their prefix, and were made as the same effective user and group; 128 of them are kept, those that were used
 * last. After a fork the child makes its own.
 *
 * A memcached server must be a trusted peer: one that answers nonsense can end the process inside
 * libmemcached (not with Transport::Direct), and what is stored there is unserialized. Close its port to all but your own hosts.
 *
 * @phpstan-type ErrorContext array{kind: 'server'|'unstorable'|'unreadable'|'computation'|'when_down'|'different', server: string, at: float, key?: string, exception?: \Throwable}
 * @phpstan-type Finding array{severity: 'error'|'warning'|'notice', code: non-empty-string, subject: non-empty-string, finding: non-empty-string, advice: non-empty-string}
 * @phpstan-type ServerFacts array{answers: bool, error: string|null, seconds: float, tls: bool, version: string|null, meta: bool|null, skew: float|null, cas: bool|null, evicts: bool|null, flush: bool|null, password: bool|null, uptime: int|null, time: int|null, items: int|null, memory_used: int|null, memory: int|null, evictions: int|null, evicted_unfetched: int|null, connections: int|null, connections_max: int|null, connections_rejected: int|null, item_size: int|null, udp_port: int|null}
 * @phpstan-type DiscoveryFacts array{endpoint: non-empty-string, tls: bool, version: int|string|null, servers: int<0, max>, asked: float|null, error: string|null, shared: bool}
 * @phpstan-type HostFacts array{php: string, mcpatterns: string, time: float, user: int, shared_memory: string, transport?: 'direct'|'libmemcached', serializer?: string, compression?: string}
 * @phpstan-all-methods-impure
 */
final class Pool
{
    /**
     * Connects to nothing, but for an endpoint of 'discover://' when it is time to ask it. A mistake is a ValueError that names the parameter and quotes the
     * offending part.
     *
     * A parameter that is null takes its mcpatterns.* setting: 'new Pool()' is the pool of php.ini, as Pool::default() is, and
     * new Pool(prefix: 'shop:') changes the prefix alone. A wrong setting is a ValueError that names the setting. $user, $password and
     * $tls take their settings only where $servers is null. $allowedClasses, $signingKey and $failover have no setting. "By default"
     * below is where php.ini says nothing: docs/operate/configuration.md has all settings.
     *
     * $servers: 'host:port', 'host' (port 11211), 'host:port:weight', '[::1]:11211', any of these
     * behind 'tcp://' or 'memcached://', which change nothing, or 'tls://'; 'unix:///path' and 'memory://name' (both with ':weight' after it when wanted, so a path
     * cannot end in a colon and digits), a list of them, or one string with commas; up to 1,000.
     * A memory server lives in this process's memory, by its name, as long as the process, with
     * memcached's exact semantics: for tests. All of them together hold at most mcpatterns.memory_limit
     * (memory_limit does not count it), and evict what was used least recently. A forked child goes on
     * with a copy.
     *
     * 'discover://host:port', alone, is the discovery endpoint of ElastiCache or Memorystore: it tells the servers
     * ('config get cluster'), and is asked once a minute by one process of the host, or with mcpatterns.shared_memory = 0 by each
     * process. A new list is taken between two calls; a failed, empty, wrong or older answer changes nothing, unless the endpoint
     * repeats a lower version 10 times in a row. Until the first list is known every operation fails as with a server that is away. 'discover://tls://host:port': the endpoint and its servers speak TLS.
     * See docs/operate/clouds.md.
     *
     * $prefix: put before every key on the wire, up to 64 bytes without spaces and control
     * characters; not one that begins with what other classes' keys begin with (lock:, online:, seen:, tag:,
     * mark:, log:, set:, row:, rate:, semaphore:, unique:), nor one that looks like a server (unix://…, localhost:22122,
     * 10.0.0.2:22122, cache2:11211): several servers are an array. A number is a TypeError, also without strict_types, for it
     * would be a port. It does not choose the server: the key without it does.
     *
     * $distribution: which of several servers a key lives on; all ways are those of php-memcached. By default Ketama.
     *
     * $connectTimeout and $timeout are seconds, from 0.001 to 60 (php-memcached's are milliseconds); the latter is for each reply.
     * By default 0.2 and 0.5.
     * $retryAfter is how many seconds, from 0 to 3600, by default 1, a server that failed, or whose answer took longer
     * than $timeout in all, is left alone: meanwhile reads are misses and writes are false, at once.
     *
     * $persistent: false gives this Pool connections of its own, which close with it.
     *
     * $serializer: what writes arrays, objects and null. By default Igbinary where that extension is loaded, else Php.
     * One whose extension is not loaded is a ValueError. Every Pool reads what was written by any that is there.
     *
     * $allowedClasses: as unserialize()'s allowed_classes. True: all. False or a list: objects of other classes
     * come back as __PHP_Incomplete_Class, and none of their code runs. igbinary and msgpack cannot be told:
     * what they wrote is a miss then, asking for one is a ValueError, by argument or setting, and where neither names a serializer it
     * is Serializer::Php; all of that only without a $signingKey.
     *
     * $signingKey: a secret, at best 32 random bytes. Each value that a Cache of this Pool stores carries a hash
     * of its key, flags and bytes, keyed by the secret, and what carries none that is right is a miss, counted
     * as 'forged' by Cache::stats(). A list: the first signs, all verify. Costs an HMAC-SHA-256 over the value at
     * each read, write and election. Counters, locks and running numbers are not covered. See docs/operate/security.md.
     *
     * $compression: how strings and serialized values longer than $compressAbove bytes (by default 2000) are stored, where that
     * saves an eighth of them. By default Zstd where it is built in, else Zlib where that is, else None. Asking for
     * one that is not built in is a ValueError. Every Pool reads what was compressed by any that is built in.
     * What would become more than mcpatterns.decompress_limit (16 MiB) is neither compressed nor inflated.
     *
     * $failover: while a server is left alone, its keys of Caches are kept on the next one. What another server held of
     * a key before this process came to it counts as past its TTL: it is served as old while one caller rebuilds,
     * or not at all with grace: 0. Values live 60 seconds at most on a server that is not theirs. What this process
     * set, deleted or expired elsewhere is deleted on the returned server before it is asked for anything else.
     * A process that saw nothing of the outage may read an old value as fresh until its TTL. Locks and counters never
     * move: they would be in two places. See docs/operate/failover.md.
     *
     * $transport: what carries the requests; both speak memcached's text protocol, and keys are placed alike. By default Libmemcached, or
     * Direct where mcpatterns was built without libmemcached; asking for what is not built in is a ValueError. With Direct $timeout bounds an answer as a whole (one more for each 64 KiB of it), and nothing that a server
     * answers can end the process. Connections are shared by pools of the same transport.
     *
     * $tls: options for servers that are written as 'tls://host:port', by the names of PHP's ssl context: cafile, capath,
     * peer_name, verify_peer, verify_peer_name, allow_self_signed, peer_fingerprint, local_cert, local_pk, passphrase, ciphers,
     * crypto_method. None: certificates are verified by what this host trusts, for the name in the list. TLS 1.2 or 1.3.
     * $connectTimeout is for connecting and the handshake together. With Transport::Direct alone, and PHP's openssl extension.
     * See docs/operate/tls.md.
     *
     * $user, $password: for a memcached with an authentication file (-Y): both or neither, without spaces. They are the first
     * request of each connection. A server that refuses them is left alone for $retryAfter, like one that is away, and its
     * reason says so. 'tls://user:password@host:port' and 'unix://user:password@/path' are for that server alone, with %40 for
     * an '@'. With Transport::Direct alone. Pools with different ones share no connection.
     *
     * @param string|array<string>|null $servers
     * @param bool|array<string> $allowedClasses
     * @param string|array<string>|null $signingKey
     * @param array<string, string|bool|int|null>|null $tls
     */
    public function __construct(
        #[\SensitiveParameter] string|array|null $servers = null,
        ?string $prefix = null,
        ?Distribution $distribution = null,
        ?Serializer $serializer = null,
        bool|array $allowedClasses = true,
        #[\SensitiveParameter] string|array|null $signingKey = null,
        ?Compression $compression = null,
        ?int $compressAbove = null,
        int|float|null $connectTimeout = null,
        int|float|null $timeout = null,
        int|float|null $retryAfter = null,
        bool $failover = false,
        ?bool $persistent = null,
        ?Transport $transport = null,
        #[\SensitiveParameter] ?array $tls = null,
        ?string $user = null,
        #[\SensitiveParameter] ?string $password = null,
    ) {}

    /**
     * The pool of the mcpatterns.* INI settings, as new Pool() makes it: the same object throughout a request while the
     * settings stay the same. A wrong setting is a ValueError that names it.
     */
    public static function default(): Pool {}

    /**
     * Ends a request of a process that serves many (a worker of Octane, RoadRunner or FrankenPHP, a queue's worker, a run of
     * tests), as PHP's own request ends: gives back the claims that are held, and what a Lock or a Semaphore has asked for without
     * learning whether it was done, forgets what this process
     * has read of tagged keys, and what Cache objects with $near keep of their own. Sends what the end of a script
     * sends and waits no longer: a second for all servers that do not answer, and what is left then ends by its TTL.
     *
     * What belongs to a call that goes on stays, so that a callback of it may call this: remember() keeps its claim, run()
     * its lock, drain() what it took. So does a rebuild that waits for the response's end (Refresh::AfterResponse): it
     * runs there. Objects stay, too, with the locks and permits that they hold, their listeners and statistics, and so do connections
     * and a Clock that was frozen. In a forked child nothing of its parent's is given back. Throws nothing, runs no code
     * of yours but an Audit's check, where one is due and no callback is running, and may be called as often as you like.
     */
    public static function endRequest(): void {}

    /**
     * What is wrong with the servers of $pool, with the settings of php.ini and with this host, and what to change: what
     * bin/doctor (mcpatterns-doctor) prints. Null: Pool::default(); where php.ini allows none, that is a finding. It is static: of one's own
     * Pool write Pool::diagnose($pool), as $pool->diagnose() looks at Pool::default(). 'findings' is empty where
     * there is nothing to say. Each is ['severity' => 'error', 'warning' or 'notice', 'code' => its name in docs/operate/doctor.md, which
     * lists them all, 'subject' => a server's address or a setting's name, 'finding' => what was found, 'advice' => what to do],
     * servers first, in the order of the list.
     *
     * 'servers' has by address what each server tells: 'answers', 'error' (why not, or null), 'seconds' of the round trip, 'tls', 'version',
     * 'meta' (it knows the meta commands), 'skew' (seconds by which its clock is ahead of this host's; it tells whole seconds), 'cas' (false: -C),
     * 'evicts' (false: -M), 'flush', 'password' (it asks for one, -Y), 'uptime', 'time', 'items', 'memory_used', 'memory' (-m), 'evictions',
     * 'evicted_unfetched', 'connections', 'connections_max' (-c), 'connections_rejected', 'item_size' (-I) and 'udp_port', in bytes and
     * seconds; null: it did not tell. 'host' has 'php', 'mcpatterns' (their versions), 'time', 'user' (its number) and 'shared_memory', and of the pool 'transport',
     * 'serializer' and 'compression'. 'discovery' is there for a Pool of 'discover://': 'endpoint', 'tls', the 'version' of the list (null: none yet)
     * and how many 'servers' it has, when this process 'asked' last (null: never) and the 'error' of that (or null; also the acceptance of a lower
     * version, until the next one), and whether the list is 'shared' by the processes of this host.
     *
     * Stores one item on each server, "mcpatterns-doctor", and deletes it, to try gets and cas. Throws nothing for a server that is down, hangs or lies: that is
     * a finding. Six round trips per server, up to two more with Transport::Direct, and the connection first where there is none. A server that has failed, or has taken $connectTimeout
     * and $timeout together, is asked no more; one that is left alone is not asked at all. As with ping(), a server that fails is
     * left alone for $retryAfter.
     *
     * @return array{findings: list<Finding>, servers: array<string, ServerFacts>, discovery?: DiscoveryFacts, host: HostFacts}
     */
    public static function diagnose(?Pool $pool = null): array {}

    /**
     * The servers in the order given, each as ['host' => string, 'port' => int, 'weight' => int].
     * Unix sockets and memory servers have their whole address as host, and port 0. Of 'discover://' those that are
     * known now; the endpoint itself while none is.
     *
     * @return non-empty-list<array{host: non-empty-string, port: int<0, 65535>, weight: int<1, max>}>
     */
    public function servers(): array {}

    /**
     * The address of the server that a Cache with no prefix of its own keeps $key on: 'host:port',
     * 'unix:///path' or 'memory://name'. Asks no server. An empty key is a ValueError.
     *
     * @return non-empty-string
     */
    public function serverFor(string $key): string {}

    /**
     * Address => seconds that a round trip to the server took, or null when it is down, does not
     * answer within the timeouts, or is being left alone because it failed a moment ago. One round
     * trip per server, and the connection first where there is none.
     *
     * @return non-empty-array<string, float|null>
     */
    public function ping(): array {}

    /**
     * Address => memcached's statistics by name, whole numbers as int and everything else as string;
     * null for a server that is down or does not give statistics (a proxy). One round trip per
     * server.
     *
     * @return non-empty-array<string, array<string, int|string>|null>
     */
    public function stats(): array {}

    /**
     * Address => what the server failed of last in this process, as ['message' => string, 'at' => float]
     * with the Unix time, or null when nothing failed. It stays when the server answers again, until its
     * connection is closed. The message says why: "the server could not be reached: connection refused,
     * nothing listens there". Asks no server. Memory servers never fail.
     *
     * @return non-empty-array<string, array{message: string, at: float}|null>
     */
    public function lastErrors(): array {}

    /**
     * $listener(string $message, array $context) is called when a server of this Pool fails an operation of this
     * Pool's Cache, Lock, Counter or any other object, when a value cannot be stored or read, when a computation fails
     * after the response, when an object answers in the place of a server (`whenDown`, `quiet`), and when an Audit finds that
     * a value differs from what is computed: at most once a second for each server and kind. null: none is called any more.
     *
     * $context has 'kind' ('server', 'unstorable', 'unreadable', 'computation', 'when_down' or 'different'), 'server' (its address),
     * 'at' (Unix time), of all but servers 'key' (of 'when_down' the object's name) and, where one was thrown, 'exception'.
     *
     * It is called after the operation, before the next statement or the catch; while a method waits or before
     * it runs a callback, then. What it throws is thrown there, an exit ends the script, and it may use the
     * same Cache, set another listener and suspend its Fiber. What fails until it returns is not told, and
     * neither is what fails after the last statement of the script or in endRequest().
     *
     * @param (callable(string, ErrorContext): void)|null $listener
     */
    public function onError(?callable $listener): void {}

    /**
     * Empties every server, of the data of all applications that use it. False when a server could
     * not be reached or did not answer; the others are emptied all the same. One round trip per
     * server. When it returns true, this Fiber's looks and claims there end, as by Cache::clear().
     */
    public function flush(): bool {}

    /**
     * Closes the connections to the servers, also for other pools that share them. They reconnect at
     * the next use, and a server that was left alone is tried again at once. Memory servers keep
     * what they hold.
     */
    public function close(): void {}
}

/**
 * At most so many in so much time, among all processes and hosts that use the same memcached: requests of a client,
 * logins to an account, mails an hour.
 *
 * Whether an attempt is within the limit is decided by the answer of one atomic command, so no number of attempts at
 * once gets past it. All that use one name must give it the same limit, period, `how`, slots and burst, and their
 * clocks must agree. The numbers end by themselves. Every method throws ServerException when the server could not be
 * reached or did not answer: "could not ask" is neither yes nor no, and whether that lets in is yours to decide, there or by
 * $whenDown. What is
 * stored and is no number is a StoredValueException, until it has ended or reset() takes it away.
 *
 * @phpstan-all-methods-impure
 */
final class RateLimiter
{
    /**
     * Asks no server. $limit attempts in $period seconds, at most 4294967. Not milliseconds: 60000 are 16 hours and 40 minutes.
     *
     * $algorithm: see Limiting; null: SlidingWindow. $slots, 1 to 1000, for Limiting::SlidingWindow alone: into how many parts the period is cut, each
     * at least 0.1 s long; the limit can be used up steadily at `slots` in `slots + 1` of its rate. $burst, for
     * Limiting::TokenBucket alone: how many at once after a while without any; null: the limit.
     *
     * $whenDown: what attempt() answers where it would throw ServerException: true lets everybody in, false nobody; anything but
     * these and null is a TypeError, also without strict_types.
     * remaining() is then the limit (TokenBucket: the burst) or 0, availableIn() 0.0 or the period. Each such answer is told to
     * Pool::onError() and counted by Metrics. Null: they throw; reset() always does.
     */
    public function __construct(Pool $pool, string $name, int $limit, int|float $period, ?Limiting $algorithm = null, int $slots = 10, ?int $burst = null, ?bool $whenDown = null) {}

    /**
     * True when this is still within the limit of $who, and counts it; $who is any string, '' where one limit is for
     * all. $cost, at most the limit (TokenBucket: the burst), counts as so many. A refused attempt does not count, but in a
     * FixedWindow it does.
     *
     * ServerException: it could not be asked; when the answer did not come, it may have counted. Also, and then
     * nothing was counted: the process stood still over the ends of three slots, or 64 others came in between in a
     * TokenBucket. FixedWindow: 1 round trip, 2 for its first. SlidingWindow: 2, refused 1, rarely 3. TokenBucket: 2, refused 1.
     */
    #[\NoDiscard]
    public function attempt(string $who = '', int $cost = 1): bool {}

    /**
     * How many more are within the limit of $who now; counts nothing. What an attempt finds a moment later may be
     * less. 1 round trip for each 8,000 bytes of keys.
     *
     * @return int<0, max>
     */
    public function remaining(string $who = ''): int {}

    /**
     * After how many seconds so much more is within the limit of $who, if none is admitted until then; 0.0: now. Counts nothing.
     * $cost, from 1 to the limit (TokenBucket: the burst), counts as so many, as attempt() has it; another one is a ValueError. 1 round
     * trip for each 8,000 bytes of keys.
     */
    public function availableIn(string $who = '', int $cost = 1): float {}

    /**
     * Forgets what was counted for $who before the call. A refused attempt at the same moment may take its cost from
     * what is counted after it. 1 round trip, and 1 for each slot that counted something; TokenBucket and FixedWindow at most 2.
     */
    public function reset(string $who = ''): void {}
}

/**
 * At most so many holders at a time, among all processes and hosts that use the same memcached: three exports beside each
 * other, ten connections to a service. Each permit is a lock of its own, with all that Lock promises of one.
 *
 * All that use one name must give it the same number of permits. Durations are seconds, fractions allowed. Every method
 * that asks the server throws ServerException when it could not be reached or did not answer: "could not ask" is never
 * `false`. Permits live in memcached and can be evicted or lost in a restart: then there are more holders than permits
 * until the lost ones' TTLs end. The hosts' wall clocks must agree to a second. Two objects of one name are two holders. A permit
 * that nobody holds is free at once to the processes of the same host, as a Lock's.
 *
 * @phpstan-all-methods-impure
 */
final class Semaphore
{
    /**
     * Asks no server. $permits, 1 to 1000: how many holders there may be at a time.
     *
     * $ttl, greater than 0: how long an acquisition lasts unless it is refreshed; INF: until it is released. A DateInterval
     * is as long as from now on by Clock::now(), in UTC. The holder counts it on its own clock from before it asked; on another
     * host a dead holder's permit is free a second after it. $owner, 1 to 255 bytes: the name stored in the permit's key, for people;
     * null: 32 random digits. $autoRelease: the permit is released when this object dies, the script ends, exits or
     * fails, but never by a forked child. With false only release() and its TTL end it.
     */
    public function __construct(Pool $pool, string $name, int $permits, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true) {}

    /**
     * True when this object holds a permit now. Tries until $wait seconds have passed, with pauses as Lock::acquire()
     * makes them, and at the moment when a permit is free by what its key says; 0 tries once, INF goes on until it has
     * one; as there, seconds, not milliseconds, and no bool. The caller that waits longest has no better chance. A permit that this object holds already is extended, and
     * stays the same one. 2 round trips, 1 when all are taken, for each 8,000 bytes of keys; 2 more for each permit that
     * another took in between or that a dead holder left; 1 for each further look; 2 to extend. Over Transport::Direct, with up
     * to 32 permits, 1 round trip instead of 2 when the one that it tries first, any of all, is free.
     *
     * An attempt whose answer did not come is settled by asking who holds that permit; when that cannot be asked either it
     * is a ServerException, no other permit is tried, and what may have been stored is removed when this object dies.
     */
    #[\NoDiscard]
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work with a permit and returns its result: acquires as acquire() does, and releases when $work returns, throws
     * or exits, or the script fails, also without autoRelease. $work is given this Semaphore, so that it can ask permit()
     * and refresh(), when its first parameter is required, or optional of a type that a Semaphore has. A permit that this
     * object held before stays held. A function with `yield` returns before any of its body has run, which then runs without
     * the permit: iterate such a generator within $work.
     *
     * LockTimeoutException: none could be had, $work was not run. LockLostException: $work has returned, but the permit was
     * lost in the middle. An exception of $work goes before that. 4 round trips; over Transport::Direct 2 when the first permit tried
     * is free.
     *
     * @template T
     * @param (callable(): T)|(callable(Semaphore): T) $work
     * @param-immediately-invoked-callable $work
     * @return T
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Starts the TTL again, with $ttl for this time or else the constructor's, if it has not run out and the permit is
     * still this object's. False when not, and nothing changed: acquire again. 2 round trips, none when none was held.
     */
    #[\NoDiscard]
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Frees the permit if it is still this object's, compared and deleted atomically. False when none was held, it had
     * been lost, or its time was over. 2 round trips, none when none was held.
     */
    public function release(): bool {}

    /**
     * Whether this object holds a permit and its TTL has not run out. $verify asks the server too, and sees an eviction or
     * a restart. No round trip; 1 with $verify.
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * How many permits nobody holds at this moment. Changes nothing. 1 round trip for each 8,000 bytes of keys.
     *
     * @return int<0, max>
     */
    public function available(): int {}

    /**
     * A fencing token, as Lock::token(): larger than those of all earlier holders of the same permit(). Tokens of two
     * permits are not to be compared. 1 round trip, and the server's start once for a connection, as with Lock::token();
     * where the server does not tell it 2, and when what tokens are counted on is new 4 more and a wait of a second.
     */
    public function token(): int {}

    /**
     * Which permit this object holds, from 0 to permits - 1: the same number while it is held, and no other holder's
     * meanwhile, so a worker can have a port, a temporary directory or a connection by it. No round trip.
     * LockLostException when none is held, it has run out or was lost.
     *
     * @return int<0, max>
     */
    public function permit(): int {}
}

/**
 * PHP's sessions on a Pool, for session_set_save_handler() and for frameworks that call a handler themselves; php.ini's
 * session.save_handler = mcpatterns needs no object. The lock is a courtesy, the cas id is the guarantee: each write says which
 * version it is made of, and where another request has stored since it was read, both are merged, key by key, or the
 * write is refused, as the mode says (docs/classes/sessions.md).
 *
 * An object has one session open at a time. Used without open(), read() opens, and write() and destroy() give the lock back;
 * so do the object's end and the request's. A child of a fork gives back nothing that its parent holds.
 *
 * What cannot be done throws, and leaves the stored session as it was: LockTimeoutException where the lock is another's until the end
 * of the wait, ServerException where the server could not be asked or has lost the session, StoredValueException where what is stored
 * is of another format, or cannot be merged, TooLargeException where the session is larger than a server takes. They never have the
 * session's id in their message.
 *
 * @phpstan-all-methods-impure
 */
final class SessionHandler implements \SessionHandlerInterface, \SessionIdInterface, \SessionUpdateTimestampHandlerInterface
{
    /**
     * Asks no server.
     *
     * $locking: null is Locking::Lock. $lockWait: seconds that a request waits for another one's lock, at least 0. $lockExpire: seconds
     * after which a lock is over, more than 0; those who wait take it over a second later, so that a killed request blocks nobody
     * for long. $ttl: seconds that a session lives after its last request, at least 1; null: session.gc_maxlifetime. $format: which of PHP's
     * formats the data is in, php, php_serialize, php_binary, igbinary or msgpack; null: session.serialize_handler. Only the first
     * two can be merged. Frameworks that call the handler themselves have php_serialize. $mergeDepth, 1 to 8: down to which level
     * arrays are merged that two requests have changed.
     *
     * $foreignPrefix: the prefix of another handler's keys, as "memc.sess.key.": where there is no session, its item is read as old data. null: none.
     * A ValueError if the Pool has a signingKey: such an item is not signed, so it would let anybody who can write to memcached choose the data.
     *
     * Sessions are signed where the Pool has a signingKey, and compressed as its other values are. failover plays no part.
     */
    public function __construct(
        Pool $pool, ?Locking $locking = null, int|float $lockWait = 35, int|float $lockExpire = 30, ?int $ttl = null, ?string $format = null,
        int $mergeDepth = 1, ?string $foreignPrefix = null,
    ) {}

    /** True. Asks no server: the Pool says where sessions are. */
    public function open(string $path, string $name): bool {}

    /** True, and the lock is given back if it is still held: 1 round trip then. */
    public function close(): bool {}

    /**
     * The session's data, '' where there is none. By lock it waits for its turn: 1 round trip over Direct, 2 over libmemcached,
     * and 1 for each look while it waits; without a lock 1.
     */
    public function read(string $id): string {}

    /**
     * True when the data is stored, also where the session was destroyed meanwhile, and stays so. 1 round trip, 2 by lock over libmemcached; 2 more
     * for each other request that has come between. Data of an id that was not read is merged with what is there: 2 more.
     * After a read() that has thrown it throws the same, once, as the data was made without the session that is there.
     */
    public function write(string $id, string $data): bool {}

    /**
     * True when no session of this id is left, whatever other requests have stored since it was read. Requests that began before cannot
     * store it again, nor add to a session that is begun later. 1 round trip, 2 by lock over libmemcached. On a memcached that has no
     * memory for this (-M) the session is deleted: 2 or 3 more.
     */
    public function destroy(string $id): bool {}

    /** 0: memcached ends what is too old. Asks no server. */
    public function gc(int $max_lifetime): int {}

    /** A random id, as session.sid_length says; where servers are left alone one of those that are not. Asks no server. */
    public function create_sid(): string {}

    /**
     * False when it is known that there is no session of this id. True where the server could not be asked: read() says so then. The
     * round trips of read(), which asks no more after it.
     */
    public function validateId(string $id): bool {}

    /** Keeps the session for another $ttl, as write() with the data that was read; 0 round trips where read() has renewed it. */
    public function updateTimestamp(string $id, string $data): bool {}

    /**
     * The request that holds the session's lock, as "host pid start path"; null when nobody does. Throws ServerException.
     * Changes nothing. 1 round trip.
     */
    public function holder(string $id): ?string {}
}

/**
 * Rows by their ids, and which ids there are: the running jobs with their progress, say.
 *
 * Each row is an item of its own, any value that the pool can serialize, signed with the pool's signingKey; the ids are
 * kept as a MemberSet is. A put stores the row and then lists its id, so that a process which dies in between leaves a row
 * that get() finds and rows() does not, until the id is put or deleted again. All processes that use one name must give it
 * the same shards.
 *
 * Every method throws ServerException when a server could not be reached or did not answer: a part of the rows is never
 * shown as all. A row that cannot be read here (not signed as the pool wants it, of a class that is not there) is as good as
 * none. If a row's own code throws while the row is read, get(), rows() and update() throw that exception: a Table is the only
 * place of its rows, and a miss would have update() replace one. What stands in the index's place and is none is a StoredValueException of ids(), rows() and count(), until clear()
 * takes it away.
 *
 * @phpstan-all-methods-impure
 */
final class Table
{
    /**
     * Asks no server. $ttl: seconds from a row's last put until it is gone; 0: no end. A DateInterval is as long as from now
     * on. The ids have no end: those of rows that are gone are left out of rows(), and in time out of the index. $shards: 1
     * to 256, over which the index spreads.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Stores the row, new or in place of another. $id: any string that is not empty, at most 65536 bytes.
     * TooLargeException: larger than the server takes. StoredValueException: the index is full (more shards help); the row is
     * stored then, but not listed. 2 round trips; 3 for the first of a shard.
     */
    public function put(string $id, mixed $row): void {}

    /** The row, or $default. 1 round trip. */
    public function get(string $id, mixed $default = null): mixed {}

    /** Whether there is a row, signed as the pool wants it; also one whose value cannot be read here, for which get() answers
     * $default. 1 round trip. */
    public function has(string $id): bool {}

    /**
     * Puts what $change makes of the row, and returns it: $change is given the old row, or null where there is none, and
     * runs again when another process was faster, so that no change is lost. Nothing is stored when it throws. 4 round
     * trips.
     *
     * @template Old
     * @template T
     * @param callable(Old|null): T $change
     * @param-immediately-invoked-callable $change
     * @return T
     */
    public function update(string $id, callable $change): mixed {}

    /** Takes the row away. 2 round trips. */
    public function delete(string $id): void {}

    /** The ids that are listed, in the order in which they came, one shard behind the other; also of rows that have ended.
     * 1 round trip per server; now and then more, to compact the index.
     *
     * @return list<string>
     */
    public function ids(): array {}

    /**
     * id => row, of all ids or of these; an id without a row is left out. Not a picture of one moment. 1 round trip per
     * server and 8,000 bytes of keys, and before that 1 per server when all are asked for; more when many rows have ended.
     *
     * @param array<array-key>|null $ids
     * @return array<array-key, mixed>
     */
    public function rows(?array $ids = null): array {}

    /**
     * How many ids are listed. As ids() in everything else.
     *
     * @return int<0, max>
     */
    public function count(): int {}

    /**
     * Takes all rows away that are listed. Of an index that another client has damaged it takes the index away: rows that
     * it alone named stay until they end, or are put or deleted again. A row that is put meanwhile may stay. After a ServerException: call it again. 2 round trips for each shard, and 1 for
     * each row; over Transport::Direct 1 for each 100 rows of a server.
     */
    public function clear(): void {}
}

/**
 * About how many different visitors there were in a window of time: readers of an article today, and of all articles of a
 * section, without counting anybody twice. Visitors who come and go count once, unlike in OnlineCounter, which says how many
 * are here now.
 *
 * By HyperLogLog (Flajolet et al. 2007) with the estimator of O. Ertl (2017): an estimate, from a few kilobytes for each
 * slot of time. A hit may be repeated, doubled, delayed or reordered, and the number stays the same. What is stored is a
 * hash of the visitor, keyed by the last `signingKey` of a Pool that has one; without, somebody who chooses names can
 * make the number too large, and a hash of something short can be guessed. All that use one name must give it the same
 * window, slots and precision, and their clocks must agree to a second. Every method throws ServerException when a
 * server could not be reached or did not answer, unless $whenDown is given: part of an answer is never shown as the whole.
 *
 * @phpstan-all-methods-impure
 */
final class UniqueVisitors
{
    /**
     * Asks no server. $window: seconds that the number covers; $slots, 1 to 1000: in how many parts, the one that is going
     * on included; the window must be divisible by them. 1 slot of a day is the day so far, in UTC; 24 are the last 23 to 24
     * hours.
     *
     * $precision, 4 to 14: how exact. The standard error is 1.04 / sqrt(2 ** $precision), ±1.6 % at 12 with 3 KB for each
     * slot, ±0.8 % at 14 with 12 KB, ±26 % at 4 with 12 bytes.
     *
     * $whenDown: what count() answers where it would throw ServerException, for a number that a page only shows; hit() returns
     * then, perSlot() answers []. Each such answer is told to Pool::onError() and counted by Metrics. Null: they throw; reset()
     * always does.
     */
    public function __construct(Pool $pool, string $name, int $window = 86400, int $slots = 24, int $precision = 12, ?int $whenDown = null) {}

    /**
     * Sees a visitor: any string, of any length. Whether he had been seen is not known, and not answered. When the answer did
     * not come it is sent again; after a ServerException it may be called again as often as you like.
     *
     * No round trip when this process knows that it would change nothing, else 1; 2 for the first of a slot, and 2 more at
     * each 256th that a process sends. What a process knows of a slot it believes for 60 seconds: visitors of a slot that was
     * evicted are missing for so long. StoredValueException: the slot's item is full, or the server has no memory for it.
     */
    public function hit(string $visitor): void {}

    /**
     * About how many different visitors there were in the window that ends now; with $others, in any of them: the union,
     * in which nobody counts twice. Theirs may be other names, windows and Pools, with the same precision and the same
     * signing key. 1 round trip for each of them and each 8,000 bytes of keys, and 1 for each slot that has to be folded.
     * StoredValueException: what stands there is no sketch of this precision; its slot's end, or reset(), takes it away.
     *
     * @return int<0, max>
     */
    public function count(UniqueVisitors ...$others): int {}

    /**
     * Slot start (Unix time) => about how many different visitors it had, newest first, the slot that is going on included.
     * Somebody who came in two slots is in both numbers. Round trips as count().
     *
     * @return array<int, int<0, max>>
     */
    public function perSlot(): array {}

    /**
     * Forgets all visitors of the window that ends now, and what another client has left in a slot's place. What other
     * processes know of a slot they believe for 60 seconds more: visitors that they have seen are missing for so long. After
     * a ServerException: call it again. 1 round trip for each slot; over Transport::Direct 1 per server.
     */
    public function reset(): void {}
}

/** How the keys of a Pool are spread over its servers. */
enum Distribution
{
    /**
     * crc32 of the key, modulo the number of servers: the placement that classic clients share.
     * A server more or less moves nearly all keys.
     */
    case Modulo;

    /** The consistent ring, weighted: a server more or less moves only its share of the keys. */
    case Ketama;

    /**
     * Jenkins' one-at-a-time hash of the key, modulo the number of servers: the placement of php-memcached where no option is set.
     * Weights count for nothing. A server more or less moves nearly all keys.
     */
    case OneAtATime;
}

/**
 * How values that are neither strings nor scalars become bytes. What a Pool reads does not depend on it:
 * which one wrote a value stands in its flags.
 */
enum Serializer
{
    /** serialize() and unserialize(). */
    case Php;

    /** The igbinary extension. Values with cases of enums are written by serialize(). */
    case Igbinary;

    /**
     * JSON: arrays and scalars, readable by other languages. Objects, INF and NAN, strings that are no UTF-8
     * and arrays that contain themselves are a TypeError; references become values.
     */
    case Json;

    /** The msgpack extension. Values with objects or references are written by serialize(). */
    case Msgpack;
}

/** How large values are made smaller. What a Pool reads does not depend on it. */
enum Compression
{
    case None;

    /** Needs an extension that was built with zlib. */
    case Zlib;

    /** Needs an extension that was built with libzstd. */
    case Zstd;
}

/** When the caller that was elected to rebuild a value does it. */
enum Refresh
{
    /** At once: the elected caller waits for its own result. */
    case Inline;

    /** After the response was sent: the elected caller gets the old value at once. */
    case AfterResponse;
}

/** What carries a Pool's requests to its servers. */
enum Transport
{
    /** libmemcached, by its text protocol. A ValueError where mcpatterns was built without it, as `php --ri mcpatterns` says. */
    case Libmemcached;

    /** A connection of our own: a string read takes a third of the instructions, and a server that sends byte by byte is cut
     * off by the timeout. */
    case Direct;
}

/** How a RateLimiter counts time. */
enum Limiting
{
    /**
     * From one multiple of the period to the next: 1 round trip, up to twice the limit around the boundary between
     * two. A refused attempt counts, too.
     */
    case FixedWindow;

    /** In no interval of the period more than the limit, by slots of time. 2 round trips. */
    case SlidingWindow;

    /** Smoothly, after a burst one at a time (the generic cell rate algorithm). 2 round trips, more when many contend. */
    case TokenBucket;
}

/** How requests of one session get along with each other. */
enum Locking
{
    /** One after the other, as with PHP's own files. */
    case Lock;

    /** Side by side: what each has changed is merged, key by key. Of what two have changed the later one's stays. */
    case Merge;

    /** Side by side: the session of the one that is stored last stays as a whole. */
    case None;
}

/** What a cache found for a key, and what the caller is to do. */
enum Status
{
    /** A value before its soft expiry. */
    case Fresh;

    /** A value past its soft expiry that no caller is rebuilding. */
    case Stale;

    /** This caller, and no other, is to compute the value; the old one is there, too. */
    case Elected;

    /** Claimed: another caller is computing the value. With the old one, or null where there is none. */
    case Busy;

    /** No value, and no caller is computing it. */
    case Miss;
}

/** Catch this to catch everything that McPatterns throws on its own account. */
interface Exception extends \Throwable
{
}

/**
 * The server could not be reached, did not answer in time, or answered what libmemcached
 * took for an error. The message says which server it was and why, as Pool::lastErrors() does. Whether a
 * write happened that got no answer is not known; the message says so then.
 */
class ServerException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * What is for one at a time could not be had within the time given to wait: the lock of Lock::run(), the
 * turn of Counter::drain().
 */
class LockTimeoutException extends \RuntimeException implements \McPatterns\Exception
{
}

/** A lock ran out, or was taken away, while the work under it was still running. */
class LockLostException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * What is stored, or would be stored, is not what the operation needs: not a number, too large for
 * the server, a counter beyond PHP_INT_MAX. Nothing was changed.
 */
class StoredValueException extends \UnexpectedValueException implements \McPatterns\Exception
{
}

/**
 * Catch this for every value that cannot be stored, for whatever reason. What was stored before is still there.
 * remember() and rememberMany() return such a value instead of throwing.
 */
interface UnstorableException extends \McPatterns\Exception
{
}

/** The value is larger than a server takes, or than mcpatterns.item_size_limit lets anybody read. */
class TooLargeException extends StoredValueException implements UnstorableException
{
}

/** The value, or something in it, cannot be serialized so that it could be read again. */
class NotSerializableException extends \TypeError implements UnstorableException
{
}

/**
 * remember() found no value, and does not compute one: the computation has failed before, and the next try is further
 * off than is worth waiting for. An answer for now ("503, Retry-After") is better than a worker that waits.
 */
class RebuildPausedException extends \RuntimeException implements \McPatterns\Exception
{
    /** Seconds until the key's computation is tried again. */
    public float $retryAfter = 0.0;
}
