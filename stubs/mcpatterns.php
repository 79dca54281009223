<?php
/* The classes of the extension mcpatterns, for static analyzers and IDEs: nothing here runs, and nothing may load it.
 * Generated from the extension's own stubs by tools/gen-stubs. */
/* SPDX-License-Identifier: MIT */

namespace McPatterns;

/**
 * Measures how often a Cache serves a value that differs from the recomputed value.
 *
 * A sample of the fresh values that remember() serves is recomputed after the response. Each recomputed value is
 * compared with the served value. The results are in Metrics and Cache::stats(). An Audit never stores values or takes
 * claims. It works as long as the Audit object exists.
 *
 * At most one value per request is checked, after the rebuilds of Refresh::AfterResponse. Checks run after the response
 * if the SAPI can finish it early (PHP-FPM, LiteSpeed, FrankenPHP), in Pool::endRequest() of a worker, and at the end
 * of a command-line script.
 *
 * After a check that took more than 100 ms, the process pauses checks for 9 times as long. A check costs 1 computation
 * and 1 round trip, and 1 more round trip if the values differ. See docs/classes/audit.md.
 */
final class Audit
{
    /**
     * Starts to audit a cache. No network access.
     *
     * A Cache and its tagged() views share one Audit. A new Audit replaces the previous Audit, which then stops.
     *
     * @param Cache $cache Cache whose fresh hits are sampled. If it is a tagged() view, the underlying Cache is
     *        audited.
     * @param float|null $rate Probability that a fresh hit is sampled, 0 to 1. null: 0.001.
     * @param (callable(mixed $cached, mixed $computed): bool)|null $compare
     *        Returns whether the served and the recomputed value are equal. null: they are equal if they would be
     *        stored as the same bytes. An exception from $compare or from the computation is reported to
     *        Pool::onError(), written to the error log, and counted as a failed check.
     *
     * @throws \ValueError if $rate is out of range.
     */
    public function __construct(Cache $cache, ?float $rate = null, ?callable $compare = null) {}
}

/**
 * Caches values. One caller rebuilds an expired value while all other callers get the stale value.
 *
 * A value is fresh until its TTL expires. Then it is stale until its grace period ends, at ttl + grace. The protocol
 * follows A. Smirnov, "Web, caching and memcached" (2008), and elects the caller with a compare-and-swap. See
 * docs/classes/cache.md.
 *
 * Durations are seconds, fractions included. A TTL or a grace can also be a DateInterval or, as of PHP 8.6, a
 * Time\Duration. A DateInterval is added to Clock::now(), in UTC, by DateTimeImmutable::add(). If a TTL or a grace is a
 * number from 978307200 to 4102444800, the call throws ValueError, because the number is probably a Unix time (2001 to
 * 2100).
 *
 * Keys are non-empty strings. If a server is down or slow, reads miss and writes return false within the Pool's
 * timeouts, and stats() counts the failures. Only update() throws because of a network failure. If memcached runs
 * without CAS values (-C), methods that need CAS values throw ServerException.
 *
 * @phpstan-all-methods-impure
 */
final class Cache
{
    /**
     * Creates a cache. No network access.
     *
     * Options are the defaults for calls. Parameters of remember() can override the options of the same names.
     *
     * @param Pool $pool The servers and their connection settings.
     * @param string $prefix Prefix of every key, after the Pool's prefix. A number causes a TypeError even without
     *        strict_types.
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds until a value is stale. 0 or INF: never.
     * @param \DateInterval|\Time\Duration|int|float|null $grace Grace period: seconds after the TTL in which the stale
     *        value can be served. null: as long as the TTL. INF: until the value is rebuilt.
     * @param int|float $lease Maximum lifetime of a claim in seconds, above 0. If a call sets no lease and the last
     *        computation was measured, a claim lives 3 times as long as that computation took, from 1 s up to this
     *        value.
     * @param int|float|null $wait Maximum seconds that remember() waits for the value of another caller. null: 2.5.
     * @param bool $stale If false, stale values count as missing, and get() elects no caller. entry() and lookup() are
     *        not affected. remember() and rememberMany() wait for the new value. After $wait, they return the stale
     *        value.
     * @param bool $staleOnError If true, remember() returns the stale value if the computation throws.
     * @param float|null $early Parameter beta of XFetch, the algorithm for early rebuilds (Vattani, Chierichetti,
     *        Lowenstein, VLDB 2015), 0 to 1000. 1 is the published value. null or 0: disabled.
     * @param float|null $jitter Random spread of the TTLs, 0 to 1. 0.1 is ±10 %. null: none.
     * @param int $copies Number of distinct servers that store each value, 1 to 8, at most as many as the Pool has. A
     *        value that all these servers acknowledged survives the loss of all but one of them. If a write returns
     *        false, some copies can contain the new value. Costs: see docs/classes/copies.md.
     * @param int|float $near Maximum seconds for which a fresh value is served from the near cache of this host,
     *        without a request: 0.001 to 60. 0: disabled. Changes and invalidations by this host are visible
     *        immediately, those by other hosts after at most $near seconds. See docs/classes/near.md.
     * @param bool $clearable If true, clear() can delete all values under the prefix. Each read requests one more key
     *        of about 35 bytes in the same round trip. Reads of values that were stored without this option miss. See
     *        docs/classes/tags.md.
     * @param bool $foreign If true, values that php-memcached or pecl-memcache stored count as stale, with the grace of
     *        this object. Otherwise, reads of these values miss. See docs/classes/values.md.
     * @param bool $guarded If true, a value that was read from a database before a change and stored after this change
     *        is served for at most $holdoff. For code that calls get(), reads the database and calls set(). See
     *        docs/classes/guarded.md.
     * @param int|float $holdoff Seconds, above 0, until a value that was stored after a conflict is rebuilt. Used only
     *        if $guarded is true.
     *
     * @throws \ValueError if an option is out of range. Also for these combinations: $clearable and $foreign,
     *        $clearable and $copies above 1, $foreign and $copies above 1.
     * @throws \LogicException if $guarded is combined with $copies above 1 or with a Pool that fails over.
     */
    public function __construct(Pool $pool, string $prefix = "", \DateInterval|\Time\Duration|int|float $ttl = 3600, \DateInterval|\Time\Duration|int|float|null $grace = null, int|float $lease = 10, int|float|null $wait = null, bool $stale = true, bool $staleOnError = false, ?float $early = null, ?float $jitter = null, int $copies = 1, int|float $near = 0, bool $clearable = false, bool $foreign = false, bool $guarded = false, int|float $holdoff = 10) {}

    /**
     * Returns the value, or $default on a miss. Stale values are returned.
     *
     * When a value has expired, exactly one caller on all hosts is elected. It gets $default and should call set() with
     * the new value within the lease, on any object with the same servers and prefix. The other callers get the stale
     * value.
     *
     * If the object's option $stale is false, every caller gets $default, and no caller is elected. To read without
     * being elected, use peek().
     *
     * Cost: 1 round trip. 2 for the elected caller, and for a running number (the separate item that increment()
     * changes). A missing key costs the same as for peek().
     *
     * @param mixed $default The result for a miss and for the elected caller.
     *
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function get(string $key, mixed $default = null): mixed {}

    /**
     * Returns the value, or $default on a miss. Elects no caller.
     *
     * Stale values are returned unless the object's option $stale is false. peek() never changes a value, but it can
     * write other items. In a guarded Cache, the first read of a missing key stores a marker for a minute. Through a
     * tagged() view or a clearable Cache, a read that misses creates missing tag versions.
     *
     * Cost: 1 round trip, 2 for a running number. If the key is missing, 1 more in a guarded Cache. Created tag
     * versions cost 1 more each, or 1 more per 16 over Transport::Direct.
     */
    public function peek(string $key, mixed $default = null): mixed {}

    /**
     * Returns the value with its status, age and expiry. Elects no caller.
     *
     * Stale values are reported even if the object's option $stale is false. The method can write the same items as
     * peek().
     *
     * Cost: as peek().
     */
    public function entry(string $key): Entry {}

    /**
     * Returns the entry like entry(), and elects a caller like get().
     *
     * If the status is Elected, this process holds the claim, and the entry contains the stale value. Call publish() or
     * abandon() next. Without these calls, the claim is released when the request ends.
     *
     * Cost: 1 round trip. 2 if this caller is elected, and for a running number. A missing key costs the same as for
     * peek().
     *
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function lookup(string $key): Entry {}

    /**
     * Stores the value that this process computed after get() or lookup() elected it.
     *
     * The value is not stored if a delete(), expire() or set() came after the election. publish() never replaces the
     * value of a later election.
     *
     * Cost: 2 round trips. 1 over Transport::Direct if the election is verified by CAS and the entry has not changed. 0
     * without a claim.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until the value is stale. null: the object's TTL.
     *
     * @return bool true if the value was stored. false if the value was outdated, if there is no claim (in both cases
     *        nothing has changed), or if the server is down.
     *
     * @throws UnstorableException if the value cannot be stored (see set()).
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function publish(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Releases the claim that get() or lookup() took, so that another caller can be elected immediately.
     *
     * Cost: 2 round trips.
     *
     * @return bool false if this process no longer holds the claim, or if the server is down.
     */
    public function abandon(string $key): bool {}

    /**
     * Returns whether peek() would find a value. The method can write the same items as peek().
     *
     * Cost: as peek().
     */
    public function has(string $key): bool {}

    /**
     * Stores a value unconditionally. If a rebuild of the key is in progress, its result will not be stored.
     *
     * If the server is unreachable or does not reply in time, the outcome is unknown: the write can still take effect
     * later, and then replaces a newer value. If that matters, use remember(), publish(), update(), add() or replace().
     * In a guarded Cache, a set() after a read stores the value only if the key has not changed since that read. See
     * docs/classes/guarded.md.
     *
     * Cost: 1 round trip. 1 more for the first value above 8 KiB on a connection, to query the item limit. In a guarded
     * Cache, 2 after a read (see docs/spec/cost.md#guarded-caches).
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until the value is stale. null: the object's TTL.
     * @param \DateInterval|\Time\Duration|int|float|null $grace Grace period in seconds. null: the object's grace.
     *
     * @return bool true if the server acknowledged the write.
     *
     * @throws TooLargeException if the value exceeds the item limit of the server. If a proxy does not report the
     *        limit, 1 MiB is assumed. The previous value is kept unless the server rejects the new value.
     * @throws NotSerializableException if serialize() rejects the value, if the value contains a resource, or if arrays
     *        and objects are nested deeper than 4096 levels. The previous value is kept.
     * @throws ServerException if the Cache is guarded and memcached runs without CAS values (-C).
     */
    public function set(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /**
     * Stores the value if no fresh value exists. Of concurrent callers, exactly one succeeds.
     *
     * Cost: 1 round trip if the key is missing, 2 if a fresh value exists, 3 to replace a stale value. Over
     * Transport::Direct, 1 less for values of up to 4 KiB without copies and failover.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until the value is stale. null: the object's TTL.
     * @param \DateInterval|\Time\Duration|int|float|null $grace Grace period in seconds. null: the object's grace.
     *
     * @return bool true if this caller has stored the value.
     *
     * @throws TooLargeException as set().
     * @throws NotSerializableException as set().
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function add(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /**
     * Stores the value if a fresh or stale value exists.
     *
     * Cost: 2 round trips.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until the value is stale. null: the object's TTL.
     * @param \DateInterval|\Time\Duration|int|float|null $grace Grace period in seconds. null: the grace of the
     *        existing value.
     *
     * @return bool true if the value was stored.
     *
     * @throws TooLargeException as set().
     * @throws NotSerializableException as set().
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function replace(string $key, mixed $value, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /**
     * Changes the value without losing the change of another caller, and returns the stored result.
     *
     * The result of $change is stored if the value has not changed since $change received it. Otherwise $change is
     * called again with the newer value, after a random and growing pause. The value keeps its grace. After update(),
     * as after set(), increment() counts from the stored result.
     *
     * Cost: 3 round trips without contention, 2 over Transport::Direct without tags, copies, failover and an object
     * cache. 6 with a running number.
     *
     * @template Old
     * @template T
     *
     * @param callable(Old|null): T $change Receives the current value, or null if the key has no value. Returns
     *        the new value.
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until the value is stale. null: the object's TTL.
     *
     * @param-immediately-invoked-callable $change
     *
     * @return T the value that was stored.
     *
     * @throws ServerException if it is not certain that the value was stored: the server is unreachable, the reply is
     *        lost, the retries are exhausted, or memcached runs without CAS values (-C).
     * @throws StoredValueException if the value and the view together have more than 255 tags.
     * @throws UnstorableException if the result cannot be stored (see set()).
     */
    public function update(string $key, callable $change, \DateInterval|\Time\Duration|int|float|null $ttl = null): mixed {}

    /**
     * Deletes the value and returns it. Of concurrent callers, exactly one gets the value. The others get $default.
     *
     * pull() also deletes the marker of a guarded read. Through a guarded Cache, it deletes any item of the key.
     *
     * Cost: 2 round trips. 4 with a running number, and a few more while other callers increment it.
     *
     * @param mixed $default The result if no value exists or the server is down.
     *
     * @throws ServerException if other callers changed the value until the retries were exhausted, or if memcached runs
     *        without CAS values (-C).
     */
    public function pull(string $key, mixed $default = null): mixed {}

    /**
     * Deletes the key.
     *
     * If a rebuild by remember() or for publish() is in progress, its result will not be stored. The same applies to an
     * update() of the deleted value. A set(), an add(), or an update() that found no value can still be stored after
     * the delete().
     *
     * Cost: 1 round trip.
     *
     * @return bool true if the key no longer exists, even if it did not exist before.
     */
    public function delete(string $key): bool {}

    /**
     * Deletes the key like delete(), and returns whether the server had an item to delete.
     *
     * Of concurrent callers that forget the same value, one gets true. Every kind of item counts: a value after its
     * grace period, the placeholder of a remember() that is computing or has failed, and the marker of a guarded read.
     *
     * Cost: 1 round trip.
     *
     * @return bool false if no item existed, and also if the server was unreachable or did not reply. delete()
     *        distinguishes these cases.
     */
    public function forget(string $key): bool {}

    /**
     * Makes the value stale immediately. The next caller rebuilds it, and the others get the stale value during its
     * grace period.
     *
     * If the grace is 0, the value is no longer served. If a rebuild is in progress, its result will not be stored.
     *
     * Cost: 2 round trips.
     *
     * @return bool false if no value exists, or if the server is down.
     *
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function expire(string $key): bool {}

    /**
     * Gives the existing value a new TTL. The length of its grace period does not change.
     *
     * Cost: 2 round trips. 4 if a running number gets a longer lifetime.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds from now until the value is stale. null: the
     *        object's TTL.
     *
     * @return bool false if no value exists, or if the server is down.
     *
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function touch(string $key, \DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Adds to a cached integer and returns the new number.
     *
     * No increment is lost or counted twice as long as the value and its running number exist. After set(), counting
     * starts from the value that was set. Stale values can be incremented unless the object's option $stale is false. A
     * number that is not negative never falls below 0. See docs/spec/increments.md.
     *
     * If $initial is set and no value exists, one caller across all hosts stores $initial + $by. The others add to the
     * stored value. If a rebuild of the key is in progress, its result will not be stored.
     *
     * Cost: 2 round trips, also to store $initial. 3 for the first increment of a stored value.
     *
     * @param int $by The number to add. PHP_INT_MIN causes a ValueError.
     * @param int|null $initial The number to start with if no value exists. null: the call returns false.
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until a value that was stored from $initial is
     *        stale. null: the object's TTL. An existing value keeps its TTL.
     *
     * @return int|false false if no value exists and $initial is null, or if the server is unreachable. Also false if
     *        the reply is lost: the increment might have been counted, and is not repeated. Also false if the retries
     *        are exhausted: the increment is not counted, and stats() reports it in `gave_up`.
     *
     * @throws StoredValueException if the value is not an integer, or if the result does not fit into an integer.
     *        Nothing changes.
     * @throws \LogicException if the Cache has several copies. Use update().
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function increment(string $key, int $by = 1, ?int $initial = null, \DateInterval|\Time\Duration|int|float|null $ttl = null): int|false {}

    /**
     * Subtracts from a cached integer and returns the new number. In all other respects, it behaves like increment().
     *
     * Cost: as increment().
     *
     * @param int $by The number to subtract. PHP_INT_MIN causes a ValueError.
     *
     * @return int|false false as for increment() without $initial.
     *
     * @throws StoredValueException if the value is not an integer, or if the result does not fit into an integer.
     *        Nothing changes.
     * @throws \LogicException if the Cache has several copies. Use update().
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function decrement(string $key, int $by = 1): int|false {}

    /**
     * Returns the value. Computes and stores it if necessary.
     *
     * One caller on all hosts runs $compute. If the value has expired, the others get the stale value immediately. If
     * no value exists, the others wait up to $wait seconds and then compute the value themselves.
     *
     * A caller inside another computation waits about as long as that computation has run, at most a quarter of $wait,
     * to prevent deadlocks. The result is not stored if set(), delete() or expire() changed the key in the meantime.
     *
     * If $compute throws, the claim is released, elections of the key are paused, and the exception is rethrown. The
     * pause doubles with each failure. Without a stale value, callers wait for the end of the pause if this end is less
     * than a quarter of $wait away.
     *
     * A result that cannot be stored is returned. For the duration of a lease, callers then do not wait: without a
     * stale value, each caller computes the value itself. If the code of a stored object throws while it is
     * unserialized, the value counts as missing. If $compute also throws, the exception of the stored object is
     * attached as the previous exception. See docs/classes/cache.md.
     *
     * Cost: 1 round trip for a fresh value. 4 if this caller computes the value, 3 over Transport::Direct if the
     * election is verified by CAS. $tags cost 1 more.
     *
     * @template T
     *
     * @param \DateInterval|\Time\Duration|int|float|(callable(T): (\DateInterval|\Time\Duration|int|float|null))|null $ttl
     *        Seconds until the value is stale. null: the object's TTL. A callable receives the computed value and
     *        returns the TTL. If it returns null, the value is returned and not stored.
     * @param (callable(): T)|(callable(Entry): T) $compute Returns the value. The callable receives an Entry of
     *        the previous value (Fresh, Stale or Miss) if its first parameter is required or has Entry in its type. An
     *        Entry helps with conditional HTTP requests, for example. Any other optional parameter keeps its default,
     *        so that 'time' or User::all(...) can be passed. A method that __call() handles receives nothing.
     * @param \DateInterval|\Time\Duration|int|float|null $grace As in the constructor. null: the object's option, here
     *        and below.
     * @param int|float|null $lease Lifetime of the claim in seconds, however long the last computation took.
     * @param int|float|null $wait Maximum seconds to wait for the value of another caller.
     * @param bool|null $stale If false, wait for the new value even if a stale value exists.
     * @param bool|null $staleOnError If true, return the stale value when $compute throws, until the end of its grace
     *        period.
     * @param float|null $early As in the constructor.
     * @param float|null $jitter As in the constructor.
     * @param Refresh|null $refresh With Refresh::AfterResponse, the elected caller also gets the stale value
     *        immediately, and $compute runs after the response. If the SAPI does not support this, or if no stale value
     *        exists, $compute runs immediately. null: Refresh::Inline.
     * @param bool $force If true, rebuild even a fresh value. Of concurrent forced callers, one computes. The others
     *        wait up to $wait for the computed value, then get the stale value. If $stale is true in this call, they
     *        get the stale value immediately. The result of a rebuild that began before the call also ends their wait.
     *        To exclude such a rebuild, call expire() first. A pause after a failure applies here, too.
     * @param Entry|null $entry Receives the details of the returned value. The status is Fresh, Stale, Busy (another
     *        caller is computing the value) or Elected (this call has computed the value). If the status is Elected,
     *        age is 0, and expiresIn is the TTL, whether the value was stored or not. If there is no TTL or $ttl
     *        returned null, expiresIn is null. With Refresh::AfterResponse, the details are those of the stale value.
     *        If remember() throws, $entry is unchanged.
     * @param (callable(T): array<string>)|null $tags Receives the computed value, before a callable $ttl does,
     *        and returns additional tags, at most 255 tags in total. If such a tag is invalidated during the
     *        computation, the value is not invalidated. If the server of the tags does not reply, the value is returned
     *        and not stored. Not possible with several copies.
     *
     * @param-immediately-invoked-callable $compute
     * @param-out Entry $entry
     *
     * @return T the value.
     *
     * @throws RebuildPausedException if no value exists, earlier computations failed, and the next attempt is more than
     *        a quarter of $wait away.
     * @throws \LogicException if $compute asks for its own key and no stale value exists.
     * @throws \ValueError if a parameter is out of range. $ttl, $grace, $jitter and $tags are checked only if this
     *        caller must compute the value, before it claims the key.
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function remember(string $key, \DateInterval|\Time\Duration|int|float|callable|null $ttl, callable $compute, \DateInterval|\Time\Duration|int|float|null $grace = null, int|float|null $lease = null, int|float|null $wait = null, ?bool $stale = null, ?bool $staleOnError = null, ?float $early = null, ?float $jitter = null, ?Refresh $refresh = null, bool $force = false, ?Entry &$entry = null, ?callable $tags = null): mixed {}

    /**
     * Returns the values of many keys, like remember() with the object's options. Computes and stores missing values.
     *
     * $compute receives the keys that this caller was elected for. Then rememberMany() waits for the values that other
     * callers compute, within one common wait. When this wait is over, $compute is called again for the keys that are
     * still missing.
     *
     * A value that cannot be stored is returned and does not affect the others. Here and in all methods for many keys,
     * iterators are read to their end before the first request.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys. If values are computed, 1 more per server, and 2 per
     * computed value. Over Transport::Direct 2 per server and per 100 computed values. With copies or failover 3 per
     * computed value. See docs/spec/cost.md#cache.
     *
     * @template K of array-key
     * @template T
     *
     * @param iterable<K> $keys The keys, as strings or integers.
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until a value is stale. null: the object's TTL.
     * @param callable(list<string>): array<T> $compute Receives keys in the order of $keys and returns their
     *        values by key. For a key that $compute omits, the result contains null, and the claim is released.
     *
     * @param-immediately-invoked-callable $compute
     *
     * @return array<K, T|null> all keys with their values, in the order of $keys.
     *
     * @throws RebuildPausedException if a key has no value and its next computation is more than a quarter of the wait
     *        away. The values that this caller was elected to compute are computed and stored first.
     * @throws \LogicException if $compute asks for one of its own keys and no stale value exists.
     * @throws \ValueError if $compute returns a list for keys that are not a list, or if $ttl is invalid.
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function rememberMany(iterable $keys, \DateInterval|\Time\Duration|int|float|null $ttl, callable $compute): array {}

    /**
     * Returns the values of many keys, each as get() returns it.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys. The same again for the running numbers among the
     * values, and 1 more for each key that this caller is elected for. More than 4,096 keys are read in several calls,
     * of which each can take the timeout.
     *
     * @template K of array-key
     *
     * @param iterable<K> $keys The keys, as strings or integers.
     * @param mixed $default The result for keys that miss or that this caller is elected for.
     *
     * @return array<K, mixed> all keys with their values, in the order of $keys.
     *
     * @throws ServerException if an election needs CAS values and memcached runs without them (-C).
     */
    public function getMultiple(iterable $keys, mixed $default = null): array {}

    /**
     * Reads many values before they are needed, so that later reads of this object need no round trip.
     *
     * Until the end of the request, all reads except lookup() and pull() take these values from memory. A value is used
     * for at most 3 seconds, or $near seconds if that option is set. The value is not used after this host has changed
     * the value's key, tags or cache.
     *
     * Only fresh values are kept, up to 1,000 values and 8 MiB per object. Values of other keys are read when they are
     * needed. prefetch() does not elect callers, does not count hits or misses, and does not throw if a server fails.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys. The same again for the running numbers among the
     * values.
     *
     * @param iterable<array-key> $keys The keys, as strings or integers.
     */
    public function prefetch(iterable $keys): void {}

    /**
     * Stores many values, each like set().
     *
     * A value that cannot be stored does not affect the others. The exception is thrown after all other values have
     * been sent.
     *
     * If an iterator has several values for a key, the last value is stored. Nothing is stored if a key is empty, if a
     * key is neither a string nor an integer, or if an iterator throws. Without a reply, the outcome is unknown, as for
     * set().
     *
     * Cost: 1 round trip per key. Over Transport::Direct, without copies and failover, 1 per server and per 100 keys or
     * 256 KiB. The servers work concurrently. Tags cost 1 more per server.
     *
     * @param iterable<array-key, mixed> $values Key => value.
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until the values are stale. null: the object's
     *        TTL.
     * @param \DateInterval|\Time\Duration|int|float|null $grace Grace period in seconds. null: the object's grace.
     *
     * @return bool true if all values were stored.
     *
     * @throws TooLargeException as set(), after all other values have been sent. Up to 100 further exceptions are
     *        attached as previous exceptions.
     * @throws NotSerializableException as set().
     * @throws ServerException if the Cache is guarded and memcached runs without CAS values (-C).
     */
    public function setMultiple(iterable $values, \DateInterval|\Time\Duration|int|float|null $ttl = null, \DateInterval|\Time\Duration|int|float|null $grace = null): bool {}

    /**
     * Deletes many keys, each like delete().
     *
     * Cost: 1 round trip per key. Over Transport::Direct, without copies and failover, 1 per server and per 100 keys.
     * The servers work concurrently.
     *
     * @param iterable<array-key> $keys The keys, as strings or integers.
     *
     * @return bool true if none of the keys exists any longer.
     */
    public function deleteMultiple(iterable $keys): bool {}

    /**
     * Makes many values stale, each like expire().
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys, and 1 per key. Over Transport::Direct, without copies
     * and failover, 2 per server and per 100 keys, and 1 more for each 256 KiB of values. With failover, 2 per key.
     *
     * @param iterable<array-key> $keys The keys, as strings or integers.
     *
     * @return bool true if each key had a value.
     *
     * @throws ServerException if memcached runs without CAS values (-C).
     */
    public function expireMultiple(iterable $keys): bool {}

    /**
     * Creates a view of this cache. Values that are stored through the view also have these tags.
     *
     * The view has the options of this object, and its calls count in this object's stats(). A value is fresh only if
     * none of its tags was invalidated after the computation of the value began. In the view, a value that lacks one of
     * the view's tags is stale.
     *
     * remember(), rememberMany(), update(), and lookup() with publish() handle tag versions themselves. The other
     * methods, such as set() and setMultiple(), store the tag versions that this process recorded. A process records
     * them when it reads the key through a view for the first time since it last stored the key. The versions of a held
     * claim take precedence.
     *
     * After a Fiber has called invalidateTags(), deleteTags() or clear(), its recorded reads have the new versions.
     * Without a recorded read, the versions at the time of the storing call are stored. Reads of up to 16,384 keys are
     * recorded.
     *
     * A value keeps its tags through update(), touch(), expire() and increment(). Named arguments are rejected. See
     * docs/classes/tags.md and docs/spec/tags.md#t10-recorded-reads.
     *
     * Cost: none. Through the view, a hit costs 1 round trip. A hit on a value with other tags costs 2, or 1 if this
     * process has read the value recently. Through a Cache without tags, a hit on a value with tags costs 2. Creating a
     * missing tag version before a computation costs 1. A set() or add() without a read costs 1 more. Over
     * Transport::Direct, it costs nothing more if this process has stored values recently and no tag has been
     * invalidated since then.
     *
     * @param string|array<string> ...$tags Strings or arrays of strings, 1 to 255 tags including those of this
     *        object. A tag has 1 to 250 bytes and does not begin with a null byte. All caches with the Pool's prefix
     *        share their tags.
     *
     * @throws \ValueError if a tag is empty, too long or begins with a null byte, if there are too many tags, or if the
     *        Cache has several copies.
     * @throws \TypeError if an argument is neither a string nor an array of strings, even without strict_types.
     */
    #[\NoDiscard]
    public function tagged(array|string ...$tags): Cache {}

    /**
     * Makes all values that have any of these tags stale, however many values there are.
     *
     * One caller rebuilds each value, and the others get the stale value during its grace period. If a tag version is
     * lost with its server or because of an eviction, the tag's values are not served, as after deleteTags(). See
     * docs/classes/tags.md.
     *
     * Cost: 1 round trip per server and per tag, for each signing key of the Pool. Over Transport::Direct 1 per server
     * and 16 tags.
     *
     * @param string|array<string> ...$tags 1 to 255 tags, as for tagged().
     *
     * @return bool true if every server has acknowledged the invalidation. After false, some servers can serve the
     *        previous values as fresh, so call the method again. A repetition is harmless.
     *
     * @throws \ValueError as tagged().
     * @throws \TypeError as tagged().
     */
    public function invalidateTags(array|string ...$tags): bool {}

    /**
     * Deletes all values that have any of these tags, however many values there are.
     *
     * One caller computes each value, and the others wait, as for a missing key. A command without a reply is sent
     * again, once. See docs/classes/tags.md.
     *
     * Cost: 1 round trip per server and per tag, for each signing key of the Pool. Over Transport::Direct 1 per server
     * and 16 tags, unless the Pool fails over.
     *
     * @param string|array<string> ...$tags 1 to 255 tags, as for tagged().
     *
     * @return bool true if every server has acknowledged the deletion. After false, some servers can serve the previous
     *        values, so call the method again.
     *
     * @throws \ValueError as tagged().
     * @throws \TypeError as tagged().
     */
    public function deleteTags(array|string ...$tags): bool {}

    /**
     * Deletes all values under the prefix of this object, for all processes, in one step.
     *
     * It works like deleteTags() with a tag that all these values have. A prefix that begins with this prefix is a
     * separate namespace, and its values are kept.
     *
     * If clear() returns true, the recorded reads and claims of this Fiber under the prefix are dropped. Values that
     * the Fiber sets after clear() are fresh. A publish() for an election that preceded clear() returns false. Results
     * of other Fibers and of a remember() in progress are stale when they are stored.
     *
     * Cost: 1 round trip per server, and 2 for each claim of get() or lookup() that is released.
     *
     * @param bool $strict If false, the values become stale, as with invalidateTags(). Any type other than bool causes
     *        a TypeError, even without strict_types.
     *
     * @return bool true if every server has acknowledged the request.
     *
     * @throws \LogicException if the object was created without $clearable.
     */
    public function clear(bool $strict = true): bool {}

    /**
     * Returns the counts of this object and its views.
     *
     * Reads are counted in `hits`, `stale` or `misses`. Elections of this object are counted in `elected`, and stale
     * values served while another caller held the claim in `busy`. Pauses to wait for the value of another caller are
     * counted in `waited`.
     *
     * Elections before the TTL expired are counted in `early`, and rebuilds after the response in `after_response`. The
     * time spent on computing, including the time from get() to set(), is `compute_seconds`. The compute time of the
     * values served is `saved_seconds`.
     *
     * Stored values are counted in `stored`, outdated results in `discarded`, and values that a guarded Cache did not
     * store in `changed`. Results that cannot be stored are counted in `unstorable`, and changes whose retries were
     * exhausted in `gave_up`.
     *
     * Values from other clients, damaged values, and objects of missing classes are counted in `unreadable`. If the
     * Pool has a signing key, values without a valid signature are counted in `forged`. Calls without a reply are
     * counted in `errors`.
     *
     * Hits without a request are counted in `near`. Hits from this host's shared memory are also counted in
     * `near_shared`. For more, see docs/spec/metrics.md#statistics-of-one-object.
     *
     * Cost: none.
     *
     * @return array{hits: int, stale: int, misses: int, elected: int, busy: int, waited: int, early: int, after_response: int, stored: int, discarded: int, changed: int, unstorable: int, unreadable: int, forged: int, errors: int, gave_up: int, compute_seconds: float, saved_seconds: float, near: int, near_shared: int, audit_checked: int, audit_different: int, audit_still_stored: int, audit_inconclusive: int, audit_failed: int, audit_seconds: float, audit_oldest_seconds: float}
     */
    public function stats(): array {}
}

/**
 * Controls the clock that mcpatterns uses, for tests of an application.
 *
 * TTLs, claims, locks and memory:// servers follow this clock, so values expire without sleeping. A real memcached
 * server has its own clock, which is not affected. PHP's time() is not affected, either: code that must follow the
 * test's clock calls now(). Changes apply only to this process (this thread), until the end of the request. No network
 * access. See docs/classes/clock.md and docs/start/testing.md.
 *
 * @phpstan-all-methods-impure
 */
final class Clock
{
    private function __construct() {}

    /**
     * Returns the time as mcpatterns sees it: the system's time, or the frozen or advanced time.
     *
     * @return float The Unix time in seconds, to the millisecond.
     */
    public static function now(): float {}

    /**
     * Stops the clock. While it is stopped, a call that would wait advances the clock instead of sleeping.
     *
     * If $at is later than the clock's time, freeze() acts like advance(): everything whose time ends before $at
     * expires, including held locks. If $at is earlier, expired values and locks remain expired.
     *
     * @param float|null $at Unix time in seconds. null: the current time of the clock.
     *
     * @throws \ValueError if $at is negative, not finite or after the year 9999.
     */
    public static function freeze(?float $at = null): void {}

    /**
     * Advances the clock, whether it is frozen or running.
     *
     * @param float $seconds Time to advance, 0 or more, fractions included.
     *
     * @throws \ValueError if $seconds is negative or not finite, or the new time is after the year 9999.
     */
    public static function advance(float $seconds): void {}

    /**
     * Sets the clock to the system's time again. A change of the time has the same effects as with freeze().
     */
    public static function unfreeze(): void {}
}

/**
 * Keeps a number from 0 to PHP_INT_MAX that many processes change at the same time.
 *
 * The key is the Pool's prefix and the name, and the value is plain digits. Every client, such as php-memcached or
 * pecl-memcache, can read and increment the counter. A name that memcached would reject is mapped to a valid key: see
 * docs/classes/keys.md.
 *
 * Methods throw ServerException if the server is down or does not reply, unless $whenDown is set. A change without a
 * reply might have been counted, and is never repeated. If the stored value is not a number by memcached's rules,
 * methods throw StoredValueException, and the value is kept. See docs/spec/storage.md#counter.
 *
 * A counter can be evicted, or lost when memcached restarts. To keep the counts, write them to a database with drain(),
 * or with drainMany() for many counters. See docs/classes/counter.md.
 *
 * @phpstan-all-methods-impure
 */
final class Counter
{
    /**
     * Creates a counter object. No network access.
     *
     * @param int|(callable(): int) $initial
     *        First number of a missing counter, 0 or more, or a callable that returns it. One process runs the callable
     *        while the others wait. If the callable throws, nothing is stored. If the callable runs longer than both
     *        $wait and 10 s, later callers can also run it. Pass a private method as `$this->load(...)`, because the
     *        array form is callable only inside the class.
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds from the counter's creation until it expires, by
     *        memcached's clock, which counts whole seconds. Counting does not extend this time. A DateInterval is
     *        measured from now. 0: never expires.
     * @param int|float|null $wait Maximum seconds to wait for another process that runs $initial, or that drains the
     *        counter. If the wait for $initial ends without a result, the process runs $initial itself. null: 2.5.
     * @param int|null $whenDown Number that increment(), decrement() and value() return instead of throwing
     *        ServerException, for a number that a page only displays. null: the methods throw. Metrics counts each use
     *        of $whenDown, and Pool::onError() reports uses at most once a second per server. Other methods always
     *        throw. Exceptions from $initial are always rethrown.
     *
     * @throws \ValueError if $name is empty, or if $initial, $ttl or $wait is out of range.
     * @throws \TypeError if $initial is neither an integer nor callable.
     */
    public function __construct(Pool $pool, string $name, int|callable $initial = 0, \DateInterval|\Time\Duration|int|float $ttl = 0, int|float|null $wait = null, ?int $whenDown = null) {}

    /**
     * Adds $by and returns the new number.
     *
     * The change is atomic. A missing counter is created from its initial value, and no concurrent count is lost. A sum
     * beyond PHP_INT_MAX is undone, and the call throws. Until the undo, calls of other processes can also throw. If
     * the undo gets no reply, or the process is killed before the undo, the counter can keep the sum. See
     * docs/spec/counter.md.
     *
     * Cost: 1 round trip; 2 to create the counter, or if the sum exceeds PHP_INT_MAX. The caller that runs a callable
     * initial value: 7, or 6 over Transport::Direct.
     *
     * @param int $by Amount. Negative: decrements.
     *
     * @return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the change might have been counted.
     * @throws StoredValueException if the stored value is not a number, or the sum exceeds PHP_INT_MAX.
     * @throws \Throwable if the callable initial value throws.
     */
    public function increment(int $by = 1): int {}

    /**
     * Subtracts $by and returns the new number, which is never below 0. In all other respects, it behaves like
     * increment().
     *
     * Cost: as for increment().
     *
     * @param int $by Amount. Negative: increments.
     *
     * @return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the change might have been counted.
     * @throws StoredValueException if the stored value is not a number, or the result exceeds PHP_INT_MAX.
     * @throws \ValueError if $by is PHP_INT_MIN.
     * @throws \Throwable if the callable initial value throws.
     */
    public function decrement(int $by = 1): int {}

    /**
     * Returns the number. For a missing counter, it returns the initial value.
     *
     * An integer initial value is not stored. A callable is run and its result is stored, as with increment().
     *
     * Cost: 1 round trip. The caller that runs the callable: 7, or 6 over Transport::Direct.
     *
     * @return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if the stored value is not a number.
     * @throws \Throwable if the callable initial value throws.
     */
    public function value(): int {}

    /**
     * Sets the number and restarts its TTL.
     *
     * Cost: 1 round trip.
     *
     * @param int $value New number, 0 or more.
     *
     * @throws ServerException if the server is down or does not reply. If the reply is missing, the number might have
     *        been set.
     * @throws \ValueError if $value is negative.
     */
    public function set(int $value): void {}

    /**
     * Deletes the counter. The next use starts from the initial value again.
     *
     * Cost: 1 round trip.
     *
     * @throws ServerException if the server is down or does not reply. If the reply is missing, the counter might have
     *        been deleted.
     */
    public function reset(): void {}

    /**
     * Subtracts the current number, passes it to $store and returns it, for a periodic write to a database.
     *
     * The sum of all drained amounts and the remaining number equals the sum of all increments, even with concurrent
     * drains. The amount includes the initial value, so do not drain a counter into the source of its initial value.
     *
     * If $store throws or exits, the amount is added back and the exception is rethrown. If the process is killed
     * (SIGKILL, SIGTERM) between the subtraction and the end of $store, only that amount is lost. A decrement during a
     * drain can stop at 0. After a concurrent reset(), set() or eviction, increments of that moment can be lost.
     *
     * Cost: 5 round trips; over Transport::Direct 4. Each guard (a lock) that a killed drain left costs the next drain
     * 7 more.
     *
     * @param (callable(int<1, max>): void)|null $store
     *        Receives the amount. It is not called if the amount is 0.
     * @param-immediately-invoked-callable $store
     *
     * @return int<0, max>
     *        The drained amount, or 0 if the counter does not exist.
     *
     * @throws LockTimeoutException if nothing could be drained within the constructor's $wait, because other drains
     *        were running or the server replied too slowly.
     * @throws ServerException if the server is down, or if it is unknown whether the amount was subtracted. The message
     *        then contains the amount.
     * @throws StoredValueException if the stored value is not a number.
     */
    public function drain(?callable $store = null): int {}

    /**
     * Drains many counters in few round trips. Each counter is drained as with drain(). The call as a whole is not
     * atomic.
     *
     * If $store throws or exits, the amounts of that call are added back, the exception is rethrown, and no further
     * name is read. If a counter is missing by then, it is created from 0 and never expires. If the process is killed
     * (SIGKILL, SIGTERM) between the subtraction and the end of $store, only these amounts are lost.
     *
     * Counters that another process is draining are skipped without waiting. A counter is also skipped if its server
     * replies so slowly that the guard (a lock of 1 s) would expire before the subtraction. If a server fails, or a
     * stored value is not a number, the other counters are drained and stored first. The exception then names the first
     * counter that failed.
     *
     * Each counter takes about 1.4 KB of memory, for at most 1,000 names at a time. See docs/classes/counter.md.
     *
     * Cost: over Transport::Direct 4 round trips per server and per 100 counters. Over libmemcached 1 for all reads,
     * and 3 per counter. Adding amounts back costs 1 per counter, over Transport::Direct 1 per 100 counters.
     *
     * @param iterable<string|int> $names
     *        Names of any number of counters. They are read as needed, 1,000 at a time. Duplicates within 1,000 names
     *        are drained once.
     * @param callable(non-empty-array<array-key, int<1, max>>): void $store
     *        Receives the amounts of up to 1,000 names, as name => amount. Names with the amount 0 are omitted. $store
     *        is not called without amounts. A name that looks like an integer is an integer key.
     * @param-immediately-invoked-callable $store
     *
     * @return int<0, max>
     *        The number of amounts that were stored.
     *
     * @throws ServerException if a server failed, or if it is unknown whether some amounts were subtracted. The message
     *        then contains the sum of these amounts, which were not passed to $store.
     * @throws StoredValueException if a stored value is not a number.
     * @throws \TypeError if a name is neither a string nor an integer.
     * @throws \ValueError if a name is empty.
     * @throws \Throwable if the iteration of $names throws.
     */
    public static function drainMany(Pool $pool, iterable $names, callable $store): int {}
}

/**
 * Describes a key: the result of Cache::entry() and lookup(), the previous value that a computation of
 * Cache::remember() receives, and the details of the value that remember() returned.
 */
final class Entry
{
    /** State of the key. For the entry of remember(), Elected means that this call has computed the value. */
    public readonly Status $status;

    /** The value, stale values included, or null if no value exists. */
    public readonly mixed $value;

    /** Seconds since the value was stored. Null if no value exists, and for a value from another client. */
    public readonly ?float $age;

    /** Seconds until the TTL expires, 0 or less for a stale or an invalidated value. Null without a value or a TTL. */
    public readonly ?float $expiresIn;

    /** Seconds that the computation of the value took. Null if it was not measured. */
    public readonly ?float $computeTime;

    private function __construct() {}
}

/**
 * Keeps the latest events of all processes and hosts in one order, for example the last errors of a site.
 *
 * Time is divided into slots, and each slot is one item. memcached appends events to the current slot atomically.
 * Events older than $age are dropped, one slot at a time. An event is any value that the Pool can serialize, at most
 * 65,536 bytes after serialization and compression. A slot holds at most 1 MiB.
 *
 * If the Pool has a signingKey, events are signed together with the key of their slot. All processes that use a name
 * must use the same age and slots, and their clocks must agree to within a slot.
 *
 * Methods throw ServerException if the server is down or does not reply, unless $quiet is true. They never return a
 * partial log as if it were the whole log. Events that memcached loses (through an eviction, flush or restart) are
 * missing, and since() reports the loss. See docs/classes/event-log.md.
 *
 * @phpstan-all-methods-impure
 */
final class EventLog
{
    /**
     * Creates an event log object. No network access.
     *
     * @param int $age Minimum seconds that an event is kept. It must be divisible by $slots.
     * @param int $slots Number of slots into which the age is divided, 1 to 1000.
     * @param bool $quiet true: instead of throwing ServerException, append() drops the event, and last() and since()
     *        return an empty array and do not change $cursor and $lost. Metrics counts each such case, and
     *        Pool::onError() reports such cases at most once a second per server. clear() always throws.
     *
     * @throws \ValueError if $name is empty, $slots is out of range, or $age is not a multiple of $slots.
     */
    public function __construct(Pool $pool, string $name, int $age = 3600, int $slots = 12, bool $quiet = false) {}

    /**
     * Adds one event with the current time.
     *
     * The append is atomic. The log has the order in which the events arrived at the server, so events of one process
     * keep their order.
     *
     * Cost: 1 round trip; 2 for the first event of a slot.
     *
     * @param mixed $event Any value that the Pool can serialize.
     *
     * @throws StoredValueException if the slot is full (use more slots), or if the server has no memory for the event.
     *        The event was not added.
     * @throws TooLargeException if the event exceeds 65,536 bytes.
     * @throws NotSerializableException if the event cannot be serialized.
     * @throws ServerException if the server is down or does not reply. If the reply is missing, the event might have
     *        been added. It is not sent again.
     */
    public function append(mixed $event): void {}

    /**
     * Returns the latest events, newest first.
     *
     * Events that this process cannot read are omitted: objects of a missing class, and events without a valid
     * signature. Slots are read as a whole, however few events are requested. If slots are large, use more slots. See
     * docs/classes/event-log.md#limits.
     *
     * Cost: 1 round trip for the two newest slots, then 1 for 8 times as many slots each time, until enough events are
     * found. A read whose keys exceed 8,000 bytes costs 1 per 8,000 bytes of keys.
     *
     * @param int $n Maximum number of events, at least 1.
     *
     * @return list<array{float, mixed}>
     *        A list of [time, event]. The time is a Unix time in seconds.
     *
     * @throws ServerException if the server is down or does not reply, unless the log is quiet.
     * @throws \ValueError if $n is less than 1.
     * @throws \Throwable if unserializing an event throws.
     */
    public function last(int $n = 100): array {}

    /**
     * Returns the events after $cursor, oldest first, and moves $cursor past them.
     *
     * Store the cursor anywhere, and pass it to the next call. If the pauses between calls are at most $age minus 2
     * slots, the reader gets each event exactly once. This requires that clock differences and append delays together
     * are shorter than a slot.
     *
     * If unserializing an event throws, the call first returns the events before that event. The next call throws, and
     * moves $cursor past that event.
     *
     * Cost: 1 round trip per 2 slots, from the cursor's slot to the current one.
     *
     * @param string|null $cursor Cursor that the previous call returned. null: start with the oldest event.
     * @param int $limit Maximum number of events, at least 1.
     * @param int|null $lost Receives the number of lost slots: dropped before they were read, evicted, flushed, cleared
     *        or damaged. A slot that was lost before the reader read any part of it is not counted.
     * @param-out string $cursor
     * @param-out int<0, max> $lost
     *
     * @return list<array{float, mixed}>
     *        A list of [time, event]. The time is a Unix time in seconds.
     *
     * @throws ServerException if the server is down or does not reply, unless the log is quiet.
     * @throws \ValueError if $cursor is not a cursor of this log, or $limit is less than 1.
     * @throws \Throwable if unserializing the first event throws.
     */
    public function since(?string &$cursor, int $limit = 1000, ?int &$lost = null): array {}

    /**
     * Deletes all events. since() reports them as lost slots.
     *
     * Cost: 2 round trips, and 1 per slot; over Transport::Direct 1 per 32 slots.
     *
     * @throws ServerException if the server is down or does not reply, even if the log is quiet.
     */
    public function clear(): void {}
}

/**
 * Creates cache keys from parameters. Equal parameters give the same key in every process and on every host.
 *
 * No network access. See docs/classes/keys.md.
 */
final class Key
{
    private function __construct() {}

    /**
     * Returns a key: $head, a colon, and 32 hexadecimal digits.
     *
     * The digits are 128 bits of SHA-256 over a canonical form of $parts: see docs/spec/keys.md#canonical-form.
     * Different parts give different keys, even if only their types differ: `"1"`, `1`, `1.0` and `true` give 4 keys.
     * The order of string keys does not matter at any level. The order of a list matters.
     *
     * If `mcpatterns.report_key_drift` is on, an E_NOTICE reports that parts which are equal by `==`, or which contain
     * the same list in another order, gave different keys. The notice names both places in the code.
     *
     * @param string $head Readable beginning of the key, not empty.
     * @param mixed ...$parts
     *        The parameters: null, scalars, arrays, enum cases, DateTimeInterface (instant and timezone), and
     *        JsonSerializable or Stringable objects. The class of an object is part of the key. jsonSerialize() and
     *        __toString() are called.
     *
     * @return non-falsy-string
     *
     * @throws \ValueError if $head is empty.
     * @throws \TypeError if a part, at any depth, has another type (a closure, a resource), contains itself, or is
     *        nested more than 128 levels deep.
     * @throws \Throwable if jsonSerialize() or __toString() throws.
     */
    public static function of(string $head, mixed ...$parts): string {}

    /**
     * Returns exactly `md5(serialize($options))`, for code that must keep its existing keys. The order of array keys
     * matters.
     *
     * @param mixed $options The parameters: any value that serialize() accepts.
     *
     * @return non-falsy-string
     *
     * @throws \Throwable if serialize() throws.
     */
    public static function md5(mixed $options): string {}
}

/**
 * Lets only one holder at a time work, among all processes and hosts that use the same memcached.
 *
 * Durations are seconds, fractions included. Two objects with the same name exclude each other, even in one process. A
 * lock can be evicted, or lost when memcached restarts. If two simultaneous holders would do harm, send the result of
 * token() with each write.
 *
 * Methods that send a request throw ServerException if the server is down or does not reply. They never return false
 * for that reason.
 *
 * On Linux, a killed holder's lock is immediately free for processes of the same host. If the server stores a lock
 * after acquire() has thrown, the lock is immediately free for processes that use the same shared memory
 * (`mcpatterns.shared_memory`). See docs/classes/lock.md and docs/spec/lock-holders.md.
 *
 * @phpstan-all-methods-impure
 */
final class Lock
{
    /**
     * Creates a lock object. No network access.
     *
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds that an acquisition lasts unless it is refreshed,
     *        greater than 0. INF: until it is released. A DateInterval is measured from Clock::now(), in UTC. The
     *        holder measures the TTL on its own clock, starting before it sends its request.
     * @param string|null $owner Owner name in the item, 1 to 255 bytes. restore() finds the lock by this name. null: 32
     *        random hexadecimal digits.
     * @param bool $autoRelease true: the lock is released when this object is destroyed, or when the script ends, also
     *        with exit or a fatal error. A forked child never releases it. false: the lock lasts until it is released
     *        or its TTL expires, even if the process is killed.
     * @param int|float $skew Maximum difference between the hosts' wall clocks in seconds, 0 or more, the same in all
     *        processes that use the name. Other callers can take over the lock when both its TTL and this time have
     *        passed, whatever memcached's clock shows. INF: no wall clock is used, and memcached removes the lock up to
     *        3 s after $ttl. Under load, memcached's clock can fall behind and catch up, and the lock can then expire
     *        late or early. See docs/classes/lock.md#clock-skew.
     *
     * @throws \ValueError if $name is empty, or $ttl, $owner or $skew is out of range.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true, int|float $skew = 1) {}

    /**
     * Acquires the lock and returns whether this object holds it.
     *
     * The call retries with random pauses until $wait seconds have passed, and also at the moment when the holder's TTL
     * and $skew have passed. Fairness is not guaranteed. If this object already holds the lock, the TTL restarts. An
     * expired TTL also restarts, if $skew has not passed since it expired.
     *
     * The call blocks the process: a Fiber that holds the lock through another object cannot release it during the
     * wait. Between Fibers of one process, use `wait: 0` and suspend the waiting Fiber between attempts. With
     * `pcntl_async_signals(true)`, handlers of pcntl_signal() run during the wait. An exception from a handler ends the
     * wait.
     *
     * If a reply is lost, the lock's owner is read back. If that read also fails, the call throws. If the server stored
     * the lock although the call threw, processes that use the same shared memory can acquire it immediately. For other
     * processes, the lock remains until this object is destroyed or the lock expires.
     *
     * Cost: 1 round trip if no lock is stored, 2 if the lock is held, 3 if it has expired or its holder was killed.
     * Each further attempt while waiting costs 1, rarely 2. Extending a held lock costs 2, over Transport::Direct
     * usually 1.
     *
     * @param int|float $wait Maximum seconds to wait. Not milliseconds: 5000 is 83 minutes. 0: try once. INF: wait
     *        without limit, like `acquire(true)` of other libraries.
     *
     * @return bool true if this object holds the lock now.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    #[\NoDiscard]
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work under the lock and returns its result.
     *
     * run() acquires the lock like acquire(). When $work returns, throws, exits or ends with a fatal error, run()
     * releases the lock that it acquired, even with `autoRelease: false`. If this object already held the lock, the
     * lock remains held.
     *
     * One object is one holder. A run() of the same object inside run(), or in another Fiber, starts immediately. The
     * last of these calls to finish releases the lock. An exception from $work is rethrown and takes precedence over a
     * lost lock.
     *
     * A function with `yield` returns before its body runs, so the body would run without the lock. Iterate such a
     * generator within $work.
     *
     * Cost: 3 round trips, also for a held lock; over Transport::Direct usually 2.
     *
     * @template T
     * @param (callable(): T)|(callable(Lock): T) $work
     *        Receives this Lock, for refresh(), if its first parameter is required or accepts a Lock.
     * @param int|float $wait Maximum seconds to wait, as for acquire().
     * @param-immediately-invoked-callable $work
     *
     * @return T
     *
     * @throws LockTimeoutException if the lock could not be acquired within $wait. $work was not run.
     * @throws LockLostException if $work returned and the lock was lost in the meantime, even if $work has acquired it
     *        again. A lock that was held before run() counts as lost if its TTL has expired. A lock that $work released
     *        or detached does not count as lost.
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Restarts the TTL if this object holds the lock and the lock has not expired. Otherwise, nothing changes: call
     * acquire() again.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if the lock was not held or has expired.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl TTL for this call: seconds, greater than 0, or INF. null:
     *        the TTL of the constructor.
     *
     * @return bool true if the TTL was restarted.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $ttl is out of range.
     */
    #[\NoDiscard]
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Releases the lock if this object still holds it. The release is an atomic compare-and-delete, which never removes
     * another holder's lock.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if the lock was not held.
     *
     * @return bool false if the lock was not held or was lost, or if its TTL and $skew have passed.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     */
    public function release(): bool {}

    /**
     * Releases the lock of any holder. The holder is not notified.
     *
     * Cost: 1 round trip.
     *
     * @return bool true if the key existed, even if the lock had expired.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     */
    public function forceRelease(): bool {}

    /**
     * Detaches the lock from this object, and returns the owner name for restore() in another process.
     *
     * This object no longer holds the lock, and the TTL continues. The lock lasts until its TTL expires, or until a
     * process that has restored it releases it. The end of this process does not release it.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 with `autoRelease: false` or after restore().
     *
     * @return non-empty-string
     *
     * @throws LockLostException if the lock is not held.
     * @throws ServerException if the server is down, or if the outcome is unknown. The lock is then still held.
     */
    #[\NoDiscard]
    public function detach(): string {}

    /**
     * Returns whether this object holds the lock and its TTL has not expired.
     *
     * Cost: 0 round trips; 1 with `verify: true`.
     *
     * @param bool $verify true: also query the server, to detect an eviction, a restart or a forceRelease().
     *
     * @throws ServerException if $verify is true and the server is down or does not reply.
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * Returns whether the lock has a holder. Read-only.
     *
     * A killed holder's lock counts as held until its TTL and $skew have passed, except, on Linux, for processes of the
     * same host.
     *
     * Cost: 1 round trip.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function isLocked(): bool {}

    /**
     * Returns the seconds until the lock's TTL expires.
     *
     * Cost: 0 round trips.
     *
     * @return float 0.0 if the lock is not held. INF if the lock never expires.
     */
    public function remaining(): float {}

    /**
     * Returns a fencing token: a number greater than the tokens of all previous holders.
     *
     * Store the largest token with the data, and reject smaller tokens. Tokens keep growing across evictions and
     * restarts of the server, as long as the server executes fewer than 1 million changes per second on average.
     *
     * A token is the server's start time in microseconds plus the CAS value of the lock's item. Reading the CAS value
     * also verifies the lock. Later calls return the same number.
     *
     * If the server does not report its start time, for example behind a proxy, tokens come from a shared number. All
     * locks and semaphores with the Pool's prefix share this number. Creating it usually requires a wait of $skew. All
     * processes that use a name must reach the server in the same way, either directly or through a proxy. See
     * docs/spec/lock-holders.md#fence.
     *
     * Cost: 1 round trip for the first call of an acquisition, then 0. With the shared number, the first call costs 2.
     * It costs 3 if it waits because the number is new, and 6 if it creates the number.
     *
     * @throws LockLostException if the lock is not held, has expired or was lost.
     * @throws ServerException if the server is down, or if the shared number cannot be used. This is the case with
     *        `skew: INF`, if the number is too far ahead of this host's clock, or if the wait would exceed the
     *        remaining TTL or 10 s.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function token(): int {}

    /**
     * Returns this object's owner name, which is stored in the lock's item while this object holds the lock.
     *
     * Cost: 0 round trips.
     *
     * @return non-empty-string
     */
    public function owner(): string {}

    /**
     * Returns the owner name of the lock's current holder. Read-only.
     *
     * Cost: 1 round trip.
     *
     * @return string|null null if the lock has no holder. If another client wrote the key, the result is the value of
     *        the key.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function currentOwner(): ?string {}

    /**
     * Takes over a lock that another object acquired under the owner name $owner, and restarts its TTL.
     *
     * That object must have detached the lock, or have been created with `autoRelease: false`. If the lock no longer
     * belongs to $owner, or its TTL and $skew have passed, the returned object does not hold the lock, so check
     * isHeld(). The returned object releases the lock like any other Lock. currentOwner() returns the owner name
     * without taking the lock.
     *
     * Cost: 2 round trips.
     *
     * @param string $owner Owner name that detach() or owner() returned, 1 to 255 bytes.
     * @param \DateInterval|\Time\Duration|int|float $ttl TTL from now: seconds, greater than 0, or INF.
     * @param int|float $skew As for the constructor.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $name is empty, or $owner, $ttl or $skew is out of range.
     */
    #[\NoDiscard]
    public static function restore(Pool $pool, string $name, string $owner, \DateInterval|\Time\Duration|int|float $ttl = 10, int|float $skew = 1): Lock {}
}

/**
 * Provides the static cache class of A. Smirnov, "Web, caching and memcached" (2008). It can replace a site's own copy
 * of that class without changes in the calling code.
 *
 * With `mcpatterns.mc_alias = 1`, this class is also the global class MC. MC never throws. It returns FALSE on a miss,
 * if the server is down, and if the value cannot be stored. See docs/migrate/mc-class.md.
 *
 * With `mcpatterns.mc_legacy = 1` (php.ini only), get() also reads values that the published PHP code stored through
 * pecl-memcache or php-memcached. It reads only items whose flags mark them as serialized, and ignores items that
 * contain objects. If the Pool has a signing key, get() ignores all these items, because they are not signed.
 *
 * The published code cannot read the values of this class. You can switch your hosts to this class one by one or all
 * together.
 *
 * @phpstan-all-methods-impure
 */
class MC
{
    /**
     * Sets the Cache that all other methods use. Without this call, they use a Cache on Pool::default().
     *
     * Cost: none.
     */
    public static function use(Cache $cache): void {}

    /**
     * Returns the value, or FALSE on a miss.
     *
     * When the $timeout of set() has passed, one caller is elected. It gets FALSE and should call set() with the new
     * value. The others get the stale value.
     *
     * Cost: 1 round trip, 2 if this caller is elected.
     *
     * @param mixed $key A non-empty string.
     */
    public static function get($key = null): mixed {}

    /**
     * Stores the value.
     *
     * Cost: 1 round trip.
     *
     * @param mixed $key A non-empty string.
     * @param mixed $data The value.
     * @param mixed $flag If MEMCACHE_COMPRESSED (2) is set, a value shorter than the Pool's compressAbove is also
     *        compressed, if that saves at least 1/8.
     * @param mixed $timeout Seconds until the value is stale. After that, the stale value can be served for the same
     *        number of seconds. 0 and values above 1295999 (15 days less 1 s) become 1295999.
     *
     * @return bool TRUE if the server acknowledged the write.
     */
    public static function set($key = null, $data = null, $flag = false, $timeout = 3600): bool {}

    /**
     * Deletes the key.
     *
     * Cost: 1 round trip.
     *
     * @param mixed $key A non-empty string.
     *
     * @return bool TRUE if the key no longer exists, even if it did not exist before.
     */
    public static function delete($key = null): bool {}

    /**
     * Adds to a stored integer and returns the new number.
     *
     * Cost: 2 round trips.
     *
     * @param mixed $key A non-empty string.
     * @param mixed $increment The number to add.
     *
     * @return int|false FALSE if no value exists, if the value is not an integer, or if the server is down.
     */
    public static function increment($key = null, $increment = 1): int|false {}
}

/**
 * Keeps a set of strings that many processes change, for example the ids of documents that are being edited.
 *
 * Each shard of a set is an item to which `+ member` and `- member` operations are appended. memcached's append is
 * atomic, so no concurrent change is lost. A reader of a shard replays the operations, and compacts an item above 4 KiB
 * if more than half of it is outdated. All processes that use a name must use the same number of shards.
 *
 * Methods throw ServerException if a server is down or does not reply. An unreachable set is never returned as an empty
 * set. If the stored value is not a set, methods throw StoredValueException until clear() removes the value. A set that
 * memcached loses (through an eviction, flush or restart) is empty. With several shards, only the members of the lost
 * shards are missing. See docs/classes/member-set.md.
 *
 * @phpstan-all-methods-impure
 */
final class MemberSet
{
    /**
     * Creates a set object. No network access.
     *
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds from a shard's creation until it expires, by
     *        memcached's clock, which counts whole seconds. Changes do not extend this time. A DateInterval is measured
     *        from now. 0: never expires.
     * @param int $shards Number of items that the set is divided into, 1 to 256. Each holds at most 1 MiB. Several
     *        shards distribute a large or busy set over the servers.
     *
     * @throws \ValueError if $name is empty, or $ttl or $shards is out of range.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Adds members. Existing members keep their position. All members of a call that belong to the same shard are added
     * together.
     *
     * Cost: 1 round trip per shard; 2 for the first members of a shard. If the shard is full, at least 4 more, until a
     * compaction has freed space.
     *
     * @param string ...$members
     *        Non-empty strings of at most 65,536 bytes.
     *
     * @throws StoredValueException if a stored value is not a set, if the members do not fit after a compaction of the
     *        shard, or if the server has no memory for the members. The members of this shard are not added. Members of
     *        other shards might have been added.
     * @throws TooLargeException if the members of a shard would not fit into an empty shard.
     * @throws ServerException if a server is down or does not reply. If the reply is missing, the members might have
     *        been added. The change is not sent again.
     * @throws \ValueError if a member is empty or longer than 65,536 bytes.
     */
    public function add(string ...$members): void {}

    /**
     * Removes members. Absent members are ignored.
     *
     * Cost: 1 round trip per shard. If the shard is missing, 1 more. If the shard is full, at least 2 more.
     *
     * @param string ...$members
     *        Non-empty strings of at most 65,536 bytes.
     *
     * @throws StoredValueException if a stored value is not a set, or if a shard has no room for the change.
     * @throws ServerException if a server is down or does not reply. If the reply is missing, the members might have
     *        been removed.
     * @throws \ValueError if a member is empty or longer than 65,536 bytes.
     */
    public function remove(string ...$members): void {}

    /**
     * Returns whether the string is a member.
     *
     * The whole shard is read, so the CPU time grows with the number of members in the shard. Use more shards for a
     * large set. See docs/classes/member-set.md#limits.
     *
     * Cost: 1 round trip; at least 1 more if the shard is compacted.
     *
     * @param string $member Non-empty string of at most 65,536 bytes.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws StoredValueException if the stored value is not a set.
     * @throws \ValueError if $member is empty or longer than 65,536 bytes.
     */
    public function has(string $member): bool {}

    /**
     * Returns the members in the order in which they were added, one shard after the other.
     *
     * Cost: 1 round trip per server; at least 1 more if a shard is compacted.
     *
     * @return list<string>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if a stored value is not a set.
     */
    public function members(): array {}

    /**
     * Returns the number of members. count() reads the same items as members().
     *
     * Cost: 1 round trip per server; at least 1 more if a shard is compacted.
     *
     * @return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if a stored value is not a set.
     */
    public function count(): int {}

    /**
     * Removes all members, and stored values that are not sets.
     *
     * Cost: 1 round trip per shard.
     *
     * @throws ServerException if a server is down or does not reply.
     */
    public function clear(): void {}
}

/**
 * Reports statistics about the memcached use of the processes on this host.
 *
 * Counts are kept in shared memory (`mcpatterns.shared_memory`), without a lock or a round trip. All processes that use
 * the same shared memory read the same numbers. Without shared memory, each process has its own numbers, and `shared`
 * is false. Counts of a killed process are kept. If `mcpatterns.metrics` is off, counting is disabled and all results
 * are empty. No method uses the network.
 *
 * A group contains the counts of all Caches with the same prefix. Calls to counters, locks and tags are not counted in
 * groups. Calls through a memory:// Pool are counted in groups, but not for a server. See docs/classes/metrics.md.
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
     * Returns all numbers since reset(), or since the shared memory was created.
     *
     * Times are seconds. `since` and `now` are Unix times by Clock::now(). `processes` is the number of running
     * processes that have counted anything. Other processes count during the read, so one number can include a call
     * that another number does not include.
     *
     * `compute_times` and `round_trips` are histograms, and `bounds` contains their limits. `rebuilds` contains at most
     * 32 keys that were rebuilt in the last minute (to within 5 s), the most expensive keys first. See
     * docs/classes/metrics.md#numbers for the lists, and docs/spec/metrics.md for the meaning of each count.
     *
     * @return MetricsReading
     */
    public static function read(): array {}

    /**
     * Returns samples of past totals of all groups, locks, servers and sessions, oldest first.
     *
     * There is a sample for every 2 s of the last 2 minutes, and for every minute of the hour before that. The activity
     * between two samples is their difference. Times without activity, and times before the last reset(), have no
     * samples. The names are those of read(). Session counts are in the array `sessions`.
     *
     * A sample is taken at the first request in a 2 s interval, before this request counts anything, and by read() and
     * history(). If the next sample is late, the activity occurred soon after the earlier sample.
     *
     * @return list<MetricsSample>
     */
    public static function history(): array {}

    /**
     * Returns descriptions of the counts and event codes, for programs that display all of them.
     *
     * `counts` are in the order of read(). `of` names the list that contains them ("cache": the list `groups`). `kind`
     * is "answer" for the result of a read (each read has exactly one), and "trouble" if growth indicates a problem.
     * `kind` is "timed" if read() also has a histogram, "peak" for a maximum, and otherwise "work".
     *
     * `unit` is the unit in the singular, or "s" for seconds. `help` is a sentence.
     *
     * `letters` are the event codes of trace(). `word` is a short name, and `help` continues a sentence, as in "H: a
     * fresh value was served". Other versions can have more counts and codes.
     *
     * @return MetricsLegend
     */
    public static function legend(): array {}

    /**
     * Returns the numbers of read() in Prometheus' text exposition format 0.0.4.
     *
     * Send the text with the Content-Type "text/plain; version=0.0.4; charset=utf-8". All names begin with mcpatterns_.
     * `rebuilds` are omitted, because keys would create too many labels.
     */
    public static function prometheus(): string {}

    /**
     * Returns the latest events, oldest first.
     *
     * The trace keeps the last 4,096 events of all groups together. An event contains its Unix time (to the
     * millisecond), event code (`letter`), group, key and process id. The key is truncated after 40 bytes, and does not
     * include the prefixes of the Pool and the Cache. An event that is being written is omitted.
     *
     * legend() and docs/spec/metrics.md#event-codes list the event codes.
     *
     * @param string|null $group Prefix of a Cache. null: all groups.
     * @param int $last Maximum number of returned events, 1 to 4096.
     *
     * @return list<MetricsEvent>
     *
     * @throws \ValueError if $last is out of range.
     */
    public static function trace(?string $group = null, int $last = 200): array {}

    /**
     * Resets all numbers to 0 and empties the trace, for all processes that use the same shared memory.
     *
     * Increments by other processes at the same moment can be kept or lost.
     */
    public static function reset(): void {}
}

/**
 * Counts the distinct visitors of the last few seconds or minutes ("N people are looking at this now").
 *
 * Time is divided into slots, each with its own counter. The number is the sum of the current slot and of a window of
 * slots before it (A. Smirnov, "Web, caching and memcached", 2008).
 *
 * A visitor counts only in the slot of the visitor's last hit, so a visitor who returns within the window counts once.
 * A visitor who leaves is counted for at least one window, and at most one window plus one slot.
 *
 * All processes that use a name must use the same window and slots, and their clocks must agree to within 1 s. Methods
 * throw ServerException if a server is down or does not reply, unless $whenDown is set. They never return a partial
 * number as if it were the whole. See docs/classes/online-counter.md.
 *
 * @phpstan-all-methods-impure
 */
final class OnlineCounter
{
    /**
     * Creates an online counter object. No network access.
     *
     * @param int $window Length of the window in seconds. It must be divisible by $slots.
     * @param int $slots Number of slots into which the window is divided, 1 to 86400. More slots make count() more
     *        exact, but visitors change slots more often. With 1 slot, only two keys are used.
     * @param int|null $whenDown Number that count() returns instead of throwing ServerException, for a page that only
     *        displays the number. If a server is down, increment() then does nothing, hit() returns false, and
     *        perSlot() returns an empty array. null: the methods throw. Metrics counts each use of $whenDown,
     *        and Pool::onError() reports uses at most once a second per server.
     *
     * @throws \ValueError if $name is empty, $slots is out of range, or $window is not a multiple of $slots.
     */
    public function __construct(Pool $pool, string $name, int $window = 300, int $slots = 5, ?int $whenDown = null) {}

    /**
     * Counts visits that the caller knows to be unique.
     *
     * Cost: 1 round trip; 2 for the first call in a slot.
     *
     * @param int $by Number of visits, 0 or more.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the visits might have been counted.
     * @throws StoredValueException if the stored value is not a number.
     * @throws \ValueError if $by is negative.
     */
    public function increment(int $by = 1): void {}

    /**
     * Counts a visitor in the current slot, and no longer in the slot of the visitor's previous hit.
     *
     * If a visitor sends several concurrent requests, one request counts the visitor, and the others undo their counts.
     * The call is not atomic, so a visitor who changes slots is briefly counted twice. After a failed hit or a killed
     * process, the visitor can count twice until the previous slot leaves the window. The visitor's next hit is counted
     * in any case.
     *
     * Cost: 1 round trip if the visitor was already counted in this slot, 3 for a new visitor, 4 for a visitor who
     * changes slots. The first visitor of a slot costs 1 more. Over Transport::Direct, 2 for a new visitor if the items
     * of the slot and the visitor are on one server.
     *
     * @param string $visitor Any string, of any length. A hash of the string is stored.
     *
     * @return bool true if the number did not include the visitor before the call.
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not valid.
     */
    public function hit(string $visitor): bool {}

    /**
     * Returns the number of visitors.
     *
     * The number is the sum of the current slot and the `slots` slots before it, so it covers one window plus up to one
     * slot.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys: 1 for 240 slots, 4 for 1,440.
     *
     * @param bool $smooth true: an estimate for exactly one window, with the matching share of the oldest slot. The
     *        number then changes gradually.
     *
     * @return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     */
    public function count(bool $smooth = false): int {}

    /**
     * Returns the number of visitors of each slot, newest first: the current slot, then the past slots.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys.
     *
     * @return array<int, int<0, max>>
     *        The number of visitors whose last hit was in the slot, by the slot's start (Unix time).
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     */
    public function perSlot(): array {}
}

/**
 * Holds the list of memcached servers and the connection settings of an application. All other classes use a Pool.
 *
 * A Pool is cheap to create and connects at its first request. Connections belong to the process, or to the thread in a
 * thread-safe PHP. There is one connection per combination of server address, transport, TLS options, credentials,
 * timeouts, $retryAfter, and effective user and group.
 *
 * All Pools with the same combination share the connection, whatever their prefix. The 128 most recently used
 * connections stay open, or 28 plus the number of servers in the longest list, if that is more. A forked child opens
 * its own connections. See docs/classes/pool.md.
 *
 * A memcached server must be a trusted peer, because its values are unserialized. An invalid reply can crash the
 * process inside libmemcached, but not with Transport::Direct. Allow connections to the server's port only from your
 * own hosts. See docs/operate/security.md.
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
     * Creates a pool. Sends no request, except to a 'discover://' endpoint or to DNS if the list is due for a refresh.
     *
     * If a parameter is null, its `mcpatterns.*` setting applies. So `new Pool(prefix: 'shop:')` changes only the
     * prefix. The settings for $user, $password and $tls apply only if $servers is null. $allowedClasses, $signingKey
     * and $failover have no setting. The defaults below apply if php.ini does not set the value. See
     * docs/operate/configuration.md.
     *
     * A memory server ('memory://name') is for tests and behaves like memcached. A memory server exists in this process
     * until the process ends. All memory servers together hold up to `mcpatterns.memory_limit`, which does not count
     * toward PHP's memory_limit. They evict the least recently used items. See docs/start/testing.md.
     *
     * @param string|array<string>|null $servers A server, a list of servers, or one string with commas, up to
     *        1,000: 'host', 'host:port', 'host:port:weight', '[::1]:11211', 'unix:///path' or 'memory://name'. The
     *        default port is 11211. 'tcp://' and 'memcached://' are optional. 'tls://' selects TLS. A weight can follow
     *        a path or a name, so a path cannot end in a colon and digits. 'discover://host:port' must be the only
     *        entry. It is an endpoint of ElastiCache or Memorystore that lists the servers. For TLS, write
     *        'discover://tls://host:port'. See docs/operate/clouds.md. 'dns://name:port' and 'dns+srv://name' must also
     *        be the only entry. The servers are the addresses of the name in DNS, or the hosts and ports of its SRV
     *        records. See docs/operate/servers.md.
     * @param string|null $prefix Prefix of every key, up to 64 bytes, without spaces or control characters. It does not
     *        affect the choice of the server. It must not begin with a prefix that the classes use: `lock:`, `online:`,
     *        `seen:`, `tag:`, `mark:`, `log:`, `set:`, `row:`, `rate:`, `semaphore:`, `sess:` or `unique:`. It must not
     *        look like a server, such as localhost:22122. A number causes a TypeError even without strict_types,
     *        because it is probably a port.
     * @param Distribution|null $distribution Key distribution. Each is compatible with php-memcached. null:
     *        Distribution::Ketama.
     * @param Serializer|null $serializer Format of arrays, objects and null. null: igbinary if that extension is
     *        loaded, otherwise Serializer::Php. A Pool reads every format whose extension is loaded.
     * @param bool|array<string> $allowedClasses As `allowed_classes` of unserialize(). true: all. false or a
     *        list: objects of other classes become `__PHP_Incomplete_Class`, and none of their code runs. Without a
     *        $signingKey, reads of igbinary and msgpack values then miss, the constructor throws ValueError for these
     *        serializers, and the default is Serializer::Php.
     * @param string|array<string>|null $signingKey A secret, preferably 32 random bytes. In a list, the first
     *        key signs, and all keys verify. Each value of a Cache carries a hash of its key, flags and bytes. Reads of
     *        values without a valid hash miss and are counted as `forged`. Each read, write and election computes an
     *        HMAC-SHA-256 of the value. Counters, locks and running numbers are not covered. See
     *        docs/operate/security.md.
     * @param Compression|null $compression Compression of strings and serialized values. A value is stored compressed
     *        if this saves at least 1/8 of its size. null: zstd, zlib or none, the first that is built in. A Pool can
     *        read every compression that is built in. Values that would exceed `mcpatterns.decompress_limit` (16 MiB)
     *        are neither compressed nor decompressed.
     * @param int|null $compressAbove Bytes above which values are compressed. null: 2000.
     * @param int|float|null $connectTimeout Maximum seconds to connect, 0.001 to 60. null: 0.2. The limit includes the
     *        TLS handshake.
     * @param int|float|null $timeout Maximum seconds to wait for a reply, 0.001 to 60, not milliseconds as in
     *        php-memcached. null: 0.5. With Transport::Direct, the limit applies to the whole reply, and each further
     *        64 KiB adds the same time. With libmemcached, the limit applies to each wait for data.
     * @param int|float|null $retryAfter Seconds for which a failed server is skipped, 0 to 3600. null: 1. A server has
     *        failed if it is unreachable, or if its reply takes longer than $timeout. While the server is skipped,
     *        reads miss and writes return false immediately.
     * @param bool $failover If true, other servers store the cached values of a skipped server, for at most 60 seconds.
     *        When the server has recovered, values from before its outage are stale. Locks and counters never move. See
     *        docs/operate/failover.md.
     * @param bool|null $persistent If false, the Pool has separate connections, which close when the Pool is destroyed.
     *        null: true.
     * @param Transport|null $transport Transport of the requests. null: Transport::Libmemcached if it is built in,
     *        otherwise Transport::Direct. Both map keys to the same servers. See docs/start/transports.md.
     * @param array<string, string|bool|int|null>|null $tls Options for 'tls://' servers, named as in PHP's ssl
     *        context: `cafile`, `capath`, `peer_name`, `verify_peer`, `verify_peer_name`, `allow_self_signed`,
     *        `peer_fingerprint`, `local_cert`, `local_pk`, `passphrase`, `ciphers`, `crypto_method`. Without options,
     *        certificates are verified with the CAs of this host and against the name in $servers, and TLS 1.2 or 1.3
     *        is used. Requires Transport::Direct and PHP's openssl extension. See docs/operate/tls.md.
     * @param string|null $user User for a memcached with an authentication file (-Y), without spaces. Requires
     *        $password and Transport::Direct. A server that rejects the user is skipped like a failed server. A single
     *        server can have its own user: 'tls://user:password@host:port' or 'unix://user:password@/path', with %40
     *        for '@'. See docs/operate/tls.md.
     * @param string|null $password Password of $user, without spaces. Pools with different users or passwords never
     *        share a connection.
     *
     * @throws \ValueError if a parameter or a setting is invalid. The message names the parameter or setting, and
     *        quotes the invalid part. Also if a required extension is not loaded, or a compression or transport is not
     *        built in.
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
     * Returns the Pool that the `mcpatterns.*` settings define, as `new Pool()` does.
     *
     * Within a request, the method returns the same object unless a setting changes.
     *
     * Cost: none.
     *
     * @throws \ValueError if a setting is invalid. The message names the setting.
     */
    public static function default(): Pool {}

    /**
     * Ends a request in a process that serves many requests: a worker of Octane, RoadRunner or FrankenPHP, a queue
     * worker, a test run.
     *
     * endRequest() does what the end of a PHP request does. It releases the claims that the process holds, and the
     * locks and permits whose acquisition had an unknown outcome. It drops the recorded reads of tagged and guarded
     * keys, and the object caches of $near.
     *
     * If servers do not reply, endRequest() waits at most 1 second for all of them, plus the timeouts of the release
     * in progress. Claims, locks and permits that it could not release expire by their TTL.
     *
     * Callbacks can call endRequest(), because it does not affect calls in progress. A remember() in progress keeps its
     * claim, a run() keeps its lock, and a drain() keeps its amount. Rebuilds that wait for the end of the response
     * (Refresh::AfterResponse) are run.
     *
     * Objects keep their locks, permits, listeners and statistics. Connections remain open, and a frozen Clock remains
     * frozen. A forked child never releases what its parent holds.
     *
     * endRequest() never throws and can be called at any time. The only user code that it can run is the due check of
     * an Audit, if no callback is running. See docs/classes/long-running-workers.md.
     *
     * Cost: a few round trips for each claim, lock and permit that is released, as at the end of a script.
     */
    public static function endRequest(): void {}

    /**
     * Diagnoses the servers of a Pool, the settings of php.ini and this host, and returns findings with advice.
     *
     * The program `mcpatterns-doctor` (bin/doctor) prints the findings. The method is static: for your own Pool, call
     * `Pool::diagnose($pool)`, because `$pool->diagnose()` ignores `$pool` and examines Pool::default(). If a setting
     * of php.ini is invalid, a finding reports this setting.
     *
     * The list `findings` can contain notices even if nothing is wrong, so filter it by severity. Each finding has a
     * severity, a code, the subject (an address or a setting), the finding and the advice. Findings about servers come
     * first, in the order of the list. docs/operate/doctor.md lists all codes.
     *
     * `servers` contains, by address, the facts that each server reported, in bytes and seconds. A fact is null if it
     * was not reported. The fields `answers` and `error` show whether the server replied, and `seconds` is the duration
     * of the round trip.
     *
     * The field `meta` shows whether the server supports the meta commands. The field `skew` is the time by which the
     * server's clock is ahead of this host's clock, in whole seconds. Fields for memcached's start options are `cas`
     * (false with -C), `evicts` (false with -M), `flush`, `password` (-Y), `memory` (-m), `connections_max` (-c) and
     * `item_size` (-I).
     *
     * `host` contains the versions of PHP and mcpatterns, the time, the user id (uid), and the state of the shared
     * memory. It also contains the transport, serializer and compression of the Pool.
     *
     * `discovery` contains the facts of a 'discover://' endpoint, or of a name in DNS. The version of the server list
     * (for DNS, the number of the list) is null before the first list. The field `asked` is the time of this process's
     * last query, or null without a query.
     *
     * The field `error` is the failure of that query, a message that a lower version of the list was accepted, or null.
     * The field `shared` shows whether the processes of this host share the list.
     *
     * The method stores the item "mcpatterns-doctor" on each server and deletes it, to test `gets` and `cas`. It never
     * throws for a server that is down, hangs or sends invalid replies.
     *
     * A server that fails, or takes longer than $connectTimeout plus $timeout, receives no further requests and is
     * skipped for $retryAfter, as after ping(). A server that is already skipped receives no request.
     *
     * Cost: 6 round trips per server, up to 2 more with Transport::Direct, and a connection if none is open.
     *
     * @param Pool|null $pool The Pool to examine. null: Pool::default().
     *
     * @return array{findings: list<Finding>, servers: array<string, ServerFacts>, discovery?: DiscoveryFacts, host: HostFacts}
     */
    public static function diagnose(?Pool $pool = null): array {}

    /**
     * Returns the servers in the order of the list, each with host, port and weight.
     *
     * For a Unix socket or a memory server, `host` is the whole address and `port` is 0. With 'discover://' or DNS, the
     * result contains the current servers, or the endpoint itself before the first list.
     *
     * Cost: none.
     *
     * @return non-empty-list<array{host: non-empty-string, port: int<0, 65535>, weight: int<1, max>}>
     */
    public function servers(): array {}

    /**
     * Returns the address of the server on which a Cache without a prefix stores a key.
     *
     * Cost: none.
     *
     * @param string $key A non-empty string, without the Pool's prefix.
     *
     * @return non-empty-string the address: 'host:port', 'unix:///path' or 'memory://name'.
     *
     * @throws \ValueError if the key is empty.
     */
    public function serverFor(string $key): string {}

    /**
     * Measures a round trip to each server, and returns the seconds by address.
     *
     * The value is null for a server that is down, that does not reply within the timeouts, or that is skipped because
     * it has failed within the last $retryAfter seconds.
     *
     * Cost: 1 round trip per server, and a connection if none is open.
     *
     * @return non-empty-array<string, float|null>
     */
    public function ping(): array {}

    /**
     * Returns memcached's statistics of each server by address.
     *
     * Whole numbers have the type int. All other statistics have the type string. The value is null for a server that
     * is down or reports no statistics, such as a proxy.
     *
     * Cost: 1 round trip per server.
     *
     * @return non-empty-array<string, array<string, int|string>|null>
     */
    public function stats(): array {}

    /**
     * Returns the last failure of each server in this process, by address.
     *
     * A failure has a message and the Unix time at which it happened. The value is null if no request failed. A failure
     * is kept after the server has recovered, until the server's connection is closed. Memory servers never fail.
     *
     * Cost: none.
     *
     * @return non-empty-array<string, array{message: string, at: float}|null>
     */
    public function lastErrors(): array {}

    /**
     * Sets a listener for failures of the objects that use this Pool. The listener gets at most 1 call per second for
     * each server and kind of failure.
     *
     * The listener is called if an operation fails on a server, a value cannot be stored or read, or a computation
     * fails after the response. It is also called if `whenDown` or `quiet` replaces a result, and if an Audit finds a
     * difference.
     *
     * PHP calls the listener after the operation and before the next statement or catch block. If the operation waits
     * or runs a callback, the listener can be called earlier. The operation throws an exception that the listener has
     * thrown. If the listener calls exit, the script ends.
     *
     * The listener may use the same Cache, set another listener and suspend its Fiber. Failures while the listener
     * runs, after the last statement of the script or in endRequest() are not reported. See
     * docs/classes/pool.md#onerror and docs/spec/pool.md#listeners.
     *
     * Cost: none.
     *
     * @param (callable(string, ErrorContext): void)|null $listener Receives a message and a context. The
     *        context contains the `kind`, the address of the `server`, and the Unix time `at`. All kinds but 'server'
     *        have a `key`, which for 'when_down' is the name of the object. If an exception was thrown, the context
     *        contains it as `exception`. null removes the listener.
     */
    public function onError(?callable $listener): void {}

    /**
     * Deletes all items of every server, including the data of all other applications that use these servers.
     *
     * If the call returns true, this Fiber's recorded reads and claims on these servers are dropped, as with
     * Cache::clear().
     *
     * Cost: 1 round trip per server.
     *
     * @return bool false if a server was unreachable or did not reply. All other servers are emptied in any case.
     */
    public function flush(): bool {}

    /**
     * Closes the connections to the servers, also for other Pools that share these connections.
     *
     * The Pools reconnect at their next use, and a server that was skipped is tried again immediately. Memory servers
     * keep their items.
     *
     * Cost: none.
     */
    public function close(): void {}
}

/**
 * Admits at most N attempts per period, counted over all processes and hosts that use the same memcached.
 *
 * For example: requests of a client, logins to an account, emails per hour. The reply of one atomic command decides
 * whether an attempt is admitted, so concurrent attempts never exceed the limit. For each period and algorithm, all
 * processes that use a name must use the same limit, slots and burst. All hosts need synchronized clocks. Stored
 * numbers expire without cleanup.
 *
 * Methods throw ServerException if the server is down or does not reply. In that case, admit or reject the attempt as
 * your application requires, or set $whenDown. If a stored value is not a number, methods throw StoredValueException
 * until the value expires or reset() removes it. See docs/classes/rate-limiter.md.
 *
 * @phpstan-all-methods-impure
 */
final class RateLimiter
{
    /**
     * Creates a rate limiter object. No network access.
     *
     * @param int $limit Maximum number of attempts per period, at least 1.
     * @param int|float $period Seconds, greater than 0, up to 4294967. At least 0.1 except for TokenBucket. Not
     *        milliseconds: 60000 is 16 hours and 40 minutes.
     * @param Limiting|null $algorithm See Limiting. null: SlidingWindow.
     * @param int $slots Number of slots into which the period is divided, 1 to 1000, each at least 0.1 s long. Used
     *        only by SlidingWindow. A steady stream of attempts gets `slots / (slots + 1)` of the limit.
     * @param int|null $burst Maximum number of simultaneous attempts after a pause. Only for TokenBucket. null: the
     *        limit.
     * @param bool|null $whenDown Result of attempt() instead of a ServerException. true admits all attempts, false
     *        rejects all attempts. null: methods throw. With true, remaining() returns the limit (TokenBucket: the
     *        burst) and availableIn() returns 0.0. With false, remaining() returns 0, and availableIn() returns the
     *        period. Metrics counts each use of $whenDown, and Pool::onError() reports uses at most once a second per
     *        server. reset() always throws.
     *
     * @throws \ValueError if $name is empty or an option is out of range, or if $burst is set for another algorithm.
     * @throws \TypeError if $whenDown is neither bool nor null, even without strict_types.
     */
    public function __construct(Pool $pool, string $name, int $limit, int|float $period, ?Limiting $algorithm = null, int $slots = 10, ?int $burst = null, ?bool $whenDown = null) {}

    /**
     * Returns whether an attempt is admitted, and counts it if it is.
     *
     * A rejected attempt is not counted, except by FixedWindow.
     *
     * Cost: FixedWindow 1 round trip, 2 for the first attempt of a period. SlidingWindow 2 (rarely 3), or 1 if
     * rejected. TokenBucket 2, or 1 if rejected, and 2 more for each time that another attempt came first.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     * @param int $cost Number of attempts that this attempt counts as, 1 to the limit (TokenBucket: the burst).
     *
     * @return bool true if the attempt is within the limit of $who.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the attempt might have been counted. Also if the process was paused for more than 3 slots, or if 64 other
     *        attempts changed a TokenBucket first. In these 2 cases, the attempt is not counted.
     * @throws StoredValueException if a stored value is not a number.
     * @throws \ValueError if $cost is out of range.
     */
    #[\NoDiscard]
    public function attempt(string $who = '', int $cost = 1): bool {}

    /**
     * Returns how many more attempts are within the limit of $who now. Does not count an attempt.
     *
     * By the time of the next attempt, the number can be smaller.
     *
     * Cost: 1 round trip per 8,000 bytes of keys.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     *
     * @return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     */
    public function remaining(string $who = ''): int {}

    /**
     * Returns the seconds until $cost more attempts are within the limit of $who. Does not count an attempt.
     *
     * Cost: 1 round trip per 8,000 bytes of keys.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     * @param int $cost Number of attempts, 1 to the limit (TokenBucket: the burst).
     *
     * @return float The seconds, provided that no other attempt is admitted in the meantime. 0.0: now.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     * @throws \ValueError if $cost is out of range.
     */
    public function availableIn(string $who = '', int $cost = 1): float {}

    /**
     * Deletes the attempts of $who that were counted before the call.
     *
     * The cost of an attempt that is rejected at the same moment can be subtracted from later counts.
     *
     * Cost: SlidingWindow 1 round trip, and 1 for each slot with a count. TokenBucket 1. FixedWindow at most 2.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function reset(string $who = ''): void {}
}

/**
 * Lets at most N holders work at the same time, among all processes and hosts that use the same memcached.
 *
 * For example: three concurrent exports, ten connections to a service. Each permit is a lock with all guarantees of
 * Lock. All processes that use a name must use the same number of permits. Two objects with the same name are two
 * holders. Durations are seconds, fractions included. The hosts' wall clocks must agree to within 1 s.
 *
 * Methods that send a request throw ServerException if the server is down or does not reply. They never return false
 * for that reason. Permits can be evicted, or lost when memcached restarts. There can then be more holders than permits
 * until the TTLs of the lost permits expire.
 *
 * On Linux, a killed holder's permit is immediately free for processes of the same host, as with Lock. See
 * docs/classes/semaphore.md.
 *
 * @phpstan-all-methods-impure
 */
final class Semaphore
{
    /**
     * Creates a semaphore object. No network access.
     *
     * @param int $permits Maximum number of holders at a time, 1 to 1000.
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds that an acquisition lasts unless it is refreshed,
     *        greater than 0. INF: until it is released. A DateInterval is measured from Clock::now(), in UTC. The
     *        holder measures the TTL on its own clock, starting before it sends its request. For processes of other
     *        hosts, a killed holder's permit is free 1 s after the TTL.
     * @param string|null $owner Owner name in the permit's item, for human readers, 1 to 255 bytes. null: 32 random
     *        hexadecimal digits.
     * @param bool $autoRelease true: the permit is released when this object is destroyed, or when the script ends,
     *        also with exit or a fatal error. A forked child never releases it. false: the permit lasts until it is
     *        released or its TTL expires.
     *
     * @throws \ValueError if $name is empty, or $permits, $ttl or $owner is out of range.
     */
    public function __construct(Pool $pool, string $name, int $permits, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true) {}

    /**
     * Acquires a permit and returns whether this object holds a permit.
     *
     * The call retries with random pauses until $wait seconds have passed, and also when a permit expires. Fairness is
     * not guaranteed. If this object already holds a permit, it keeps the same permit, and the TTL restarts.
     *
     * If a reply is lost, the permit's owner is read back. If that read also fails, the call throws and does not try
     * another permit. If the server stored the permit although the call threw, the permit remains until this object is
     * destroyed or the permit expires.
     *
     * Cost: 2 round trips; if all permits are taken, 1 per 8,000 bytes of keys. Each permit that another caller took
     * first, or that belonged to a killed holder, costs 2 more. Each further attempt while waiting costs 1, rarely 2.
     * Extending a held permit costs 2. Over Transport::Direct, with up to 32 permits, 1 if the first permit that the
     * call tries (a random permit) is free.
     *
     * @param int|float $wait Maximum seconds to wait, not milliseconds. 0: try once. INF: wait without limit.
     *
     * @return bool true if this object holds a permit now.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    #[\NoDiscard]
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work with a permit and returns its result.
     *
     * run() acquires a permit like acquire(). It releases this permit when $work returns, throws, exits or ends with a
     * fatal error, even with `autoRelease: false`. If this object already held a permit, the permit remains held. An
     * exception from $work is rethrown and takes precedence over a lost permit.
     *
     * A function with `yield` returns before its body runs, so the body would run without the permit. Iterate such a
     * generator within $work.
     *
     * Cost: 4 round trips; over Transport::Direct 2 if the first permit that the call tries is free.
     *
     * @template T
     * @param (callable(): T)|(callable(Semaphore): T) $work
     *        Receives this Semaphore, for permit() and refresh(), if its first parameter is required or accepts a
     *        Semaphore.
     * @param int|float $wait Maximum seconds to wait, as for acquire().
     * @param-immediately-invoked-callable $work
     *
     * @return T
     *
     * @throws LockTimeoutException if no permit could be acquired within $wait. $work was not run.
     * @throws LockLostException if $work returned and the permit was lost in the meantime.
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Restarts the TTL if this object holds a permit that has not expired. Otherwise, nothing changes: call acquire()
     * again.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if no permit was held.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl TTL for this call: seconds, greater than 0, or INF. null:
     *        the TTL of the constructor.
     *
     * @return bool true if the TTL was restarted.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $ttl is out of range.
     */
    #[\NoDiscard]
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Releases the permit if this object still holds it. The release is an atomic compare-and-delete.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if no permit was held.
     *
     * @return bool false if no permit was held, or if the permit was lost or had expired.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     */
    public function release(): bool {}

    /**
     * Returns whether this object holds a permit and its TTL has not expired.
     *
     * Cost: 0 round trips; 1 with `verify: true`.
     *
     * @param bool $verify true: also query the server, to detect an eviction or a restart.
     *
     * @throws ServerException if $verify is true and the server is down or does not reply.
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * Returns how many permits are free at this moment. Read-only.
     *
     * Cost: 1 round trip per 8,000 bytes of keys.
     *
     * @return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function available(): int {}

    /**
     * Returns a fencing token like Lock::token(): greater than the tokens of all previous holders of the same permit().
     *
     * Tokens of two permits cannot be compared.
     *
     * Cost: 1 round trip for the first call of an acquisition, then 0. The server's start time is read once per
     * connection. If the server does not report its start time, the token comes from a shared number. The first call
     * then costs 2. It costs 3 if it waits (1 s) because the number is new, and 6 if it creates the number.
     *
     * @throws LockLostException if no permit is held, or if the permit has expired or was lost.
     * @throws ServerException if the server is down, or if the shared number cannot be used.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function token(): int {}

    /**
     * Returns the number of the permit that this object holds.
     *
     * The number does not change while the permit is held, and no other holder has the same number. A worker can use it
     * for a port, a temporary directory or a connection.
     *
     * Cost: 0 round trips.
     *
     * @return int<0, max>
     *        The number, from 0 to permits - 1.
     *
     * @throws LockLostException if no permit is held, or if the permit has expired or was lost.
     */
    public function permit(): int {}
}

/**
 * Stores PHP's sessions in a Pool, for session_set_save_handler() and for frameworks that call a handler themselves.
 *
 * With `session.save_handler = mcpatterns` in php.ini, no object is needed. Each write contains the CAS value of the
 * version that it is based on. If another request has stored a later version, both versions are merged by key. If a
 * merge is impossible, the write is rejected. With Locking::None, the write replaces the later version. See
 * docs/classes/sessions.md.
 *
 * An object has one session open at a time. Without open(), read() opens the session, and write() and destroy() release
 * the lock. The lock is also released when the object is destroyed or the request ends. A forked child never releases
 * its parent's lock.
 *
 * A method that fails throws, and the stored session is kept. LockTimeoutException: another request held the lock until
 * the end of the wait. ServerException: the server is down or has lost the session. StoredValueException: the stored
 * session has another format, or cannot be merged. TooLargeException: the session exceeds the server's item limit.
 * Messages never contain the session's id.
 *
 * @phpstan-all-methods-impure
 */
final class SessionHandler implements \SessionHandlerInterface, \SessionIdInterface, \SessionUpdateTimestampHandlerInterface
{
    /**
     * Creates a session handler. No network access.
     *
     * Sessions are signed if the Pool has a signingKey, and compressed like the Pool's other values. The Pool's
     * failover does not apply to sessions.
     *
     * @param Locking|null $locking See Locking. null: Lock.
     * @param int|float $lockWait Maximum seconds that a request waits for another request's lock, 0 or more.
     * @param int|float $lockExpire Seconds until a lock expires, greater than 0. A waiting request takes over the lock
     *        1 s later, so a killed request does not block others for long.
     * @param int|null $ttl Seconds that a session lives after its last request, at least 1. null:
     *        session.gc_maxlifetime.
     * @param string|null $format PHP's format of the data: php, php_serialize, php_binary, igbinary or msgpack. null:
     *        session.serialize_handler. Only sessions in the formats php and php_serialize can be merged. Frameworks
     *        that call the handler themselves use php_serialize.
     * @param int $mergeDepth Number of array levels at which changes of two requests are merged, 1 to 8.
     * @param string|null $foreignPrefix Key prefix of another handler's sessions, such as `memc.sess.key.`. If a
     *        session is missing, it is read from the item of that handler. null: disabled.
     *
     * @throws \ValueError if an option is out of range, or if $foreignPrefix is set and the Pool has a signingKey.
     *        Sessions of another handler are unsigned, so any client that can write to memcached can choose their data.
     */
    public function __construct(
        Pool $pool, ?Locking $locking = null, int|float $lockWait = 35, int|float $lockExpire = 30, ?int $ttl = null, ?string $format = null,
        int $mergeDepth = 1, ?string $foreignPrefix = null,
    ) {}

    /**
     * Does nothing: the Pool determines where sessions are stored. No network access.
     *
     * @param string $path Ignored.
     * @param string $name Ignored.
     *
     * @return bool true.
     */
    public function open(string $path, string $name): bool {}

    /**
     * Closes the session and releases its lock if it is still held.
     *
     * Cost: 1 round trip if the lock is held, otherwise 0.
     *
     * @return bool true.
     */
    public function close(): bool {}

    /**
     * Returns the session's data. With Locking::Lock, read() also acquires the session's lock.
     *
     * Cost: over Transport::Direct 1 round trip. Over libmemcached 2 with a lock, otherwise 1. Each poll while waiting
     * costs 1.
     *
     * @param string $id The session's id.
     *
     * @return string The data. Empty: there is no session.
     *
     * @throws LockTimeoutException if another request held the lock until the end of $lockWait.
     * @throws ServerException if the server is down or does not reply.
     * @throws StoredValueException if the stored session has another format.
     * @throws \ValueError if $id is empty.
     */
    public function read(string $id): string {}

    /**
     * Stores the session's data.
     *
     * If another request destroyed the session meanwhile, the write is dropped, which counts as success. If the session
     * was not read, $data is merged with the stored session. If read() threw, the next write() throws the same
     * exception, because the data was created without the stored session.
     *
     * Cost: 1 round trip; over libmemcached with a lock 2. Each other request that stored the session meanwhile costs 2
     * more. A session that was not read also costs 2 more.
     *
     * @param string $id The session's id.
     * @param string $data The session in the handler's format.
     *
     * @return bool true. A failure throws.
     *
     * @throws ServerException if the server is down, has lost the session, or does not reply and the outcome is
     *        unknown.
     * @throws StoredValueException if the sessions cannot be merged.
     * @throws TooLargeException if the session exceeds the server's item limit.
     * @throws LockTimeoutException if read() threw it.
     * @throws \ValueError if $id is empty.
     */
    public function write(string $id, string $data): bool {}

    /**
     * Deletes the session, whatever other requests have stored since it was read.
     *
     * Requests that began before the call cannot store the session again. They also cannot change a new session with
     * the same id.
     *
     * Cost: 1 round trip; over libmemcached with a lock 2. If memcached has no memory for the item that records the
     * deletion (-M), deleting the session costs 2 or 3 more.
     *
     * @param string $id The session's id.
     *
     * @return bool true. A failure throws.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty.
     */
    public function destroy(string $id): bool {}

    /**
     * Does nothing: memcached removes expired sessions. No network access.
     *
     * @param int $max_lifetime Ignored.
     *
     * @return int 0.
     */
    public function gc(int $max_lifetime): int {}

    /**
     * Returns a random id with the length that session.sid_length sets. No network access.
     *
     * The id is chosen so that a server whose circuit breaker is closed stores the session, if there is such a server.
     *
     * @throws \Throwable if the system's random number generator fails.
     */
    public function create_sid(): string {}

    /**
     * Returns whether a session with this id might exist.
     *
     * Cost: as for read(). A read() that follows sends no further request.
     *
     * @param string $id The session's id.
     *
     * @return bool false if no session with this id exists. If the server is down, the result is true, and read()
     *        throws.
     *
     * @throws \ValueError if $id is empty.
     */
    public function validateId(string $id): bool {}

    /**
     * Extends the session to $ttl seconds from now, like write() with the data that was read.
     *
     * Cost: 0 round trips if read() has renewed the session, otherwise as for write().
     *
     * @param string $id The session's id.
     * @param string $data The session in the handler's format.
     *
     * @return bool true. A failure throws.
     *
     * @throws ServerException if the server is down, has lost the session, or does not reply and the outcome is
     *        unknown.
     * @throws StoredValueException if the sessions cannot be merged.
     * @throws TooLargeException if the session exceeds the server's item limit.
     * @throws LockTimeoutException if read() threw it.
     * @throws \ValueError if $id is empty.
     */
    public function updateTimestamp(string $id, string $data): bool {}

    /**
     * Returns the request that holds the session's lock. Read-only.
     *
     * Cost: 1 round trip.
     *
     * @param string $id The session's id.
     *
     * @return string|null The holder as "host pid start path". null: no request holds the lock.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty.
     */
    public function holder(string $id): ?string {}
}

/**
 * Keeps rows by id, and the list of ids, for example the running jobs with their progress.
 *
 * Each row is one item. A row can be any value that the Pool can serialize, and is signed if the Pool has a signingKey.
 * The list of ids is called the index, and is stored like a MemberSet.
 *
 * put() stores the row and then adds its id to the index. If the process is killed in between, get() finds the row but
 * rows() does not, until the id is put or deleted again. All processes that use a name must use the same number of
 * shards.
 *
 * Methods throw ServerException if a server is down or does not reply. They never return a part of the rows as if it
 * were all rows. A row that this process cannot read (unsigned, or an object of a missing class) counts as missing.
 *
 * If a row is an object whose own code throws during decoding, get(), rows() and update() rethrow the exception. If
 * they treated the row as missing, update() would replace the only copy of the row.
 *
 * If the stored index is not valid, ids(), rows() and count() throw StoredValueException until clear() removes the
 * index. See docs/classes/table.md.
 *
 * @phpstan-all-methods-impure
 */
final class Table
{
    /**
     * Creates a table object. No network access.
     *
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds from a row's last put() until it expires. A
     *        DateInterval is measured from now. 0: never expires. Ids do not expire. rows() omits ids of expired rows,
     *        and compactions remove these ids.
     * @param int $shards Number of items that the index is divided into, 1 to 256.
     *
     * @throws \ValueError if $name is empty, or $ttl or $shards is out of range.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Stores a new row, or replaces an existing row.
     *
     * Cost: 2 round trips; 3 for the first row of a shard. Over Transport::Direct, 1 if the row and the shard are on
     * one server.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     * @param mixed $row Any value that the Pool can serialize.
     *
     * @throws TooLargeException if the row exceeds the server's item limit.
     * @throws StoredValueException if the index is full: use more shards. The row is stored, but its id is not listed.
     * @throws NotSerializableException if the row cannot be serialized.
     * @throws ServerException if a server is down or does not reply. If the reply is missing, the row might be in
     *        memcached already, or might arrive there later.
     * @throws \ValueError if $id is empty or too long.
     */
    public function put(string $id, mixed $row): void {}

    /**
     * Returns the row, or $default if it is missing.
     *
     * Cost: 1 round trip.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     * @param mixed $default Result if there is no row that this process can read.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty or too long.
     * @throws \Throwable if the row's own code throws while it is read.
     */
    public function get(string $id, mixed $default = null): mixed {}

    /**
     * Returns whether a row exists, with a valid signature if the Pool has a signingKey.
     *
     * Cost: 1 round trip.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     *
     * @return bool true even for a row that this process cannot read, for which get() returns $default.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty or too long.
     */
    public function has(string $id): bool {}

    /**
     * Changes a row without losing a concurrent change, and returns the new row.
     *
     * If $change throws, nothing is stored.
     *
     * Cost: 4 round trips; 2 more each time that another process changed the row first.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     * @template Old
     * @template T
     * @param callable(Old|null): T $change
     *        Receives the current row, or null if it is missing, and returns the new row. The callable runs again if
     *        another process changed the row first.
     * @param-immediately-invoked-callable $change
     *
     * @return T
     *
     * @throws TooLargeException if the new row exceeds the server's item limit.
     * @throws StoredValueException if the index is full. The row is stored, but its id is not listed.
     * @throws NotSerializableException if the new row cannot be serialized.
     * @throws ServerException if a server is down or does not reply, or if other processes changed the row first in
     *        each of 1,000 attempts.
     * @throws \ValueError if $id is empty or too long.
     * @throws \Throwable if the row's own code throws while it is read.
     */
    public function update(string $id, callable $change): mixed {}

    /**
     * Deletes a row.
     *
     * Cost: 2 round trips. Over Transport::Direct, 1 if the row and the shard are on one server.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the index is full.
     * @throws \ValueError if $id is empty or too long.
     */
    public function delete(string $id): void {}

    /**
     * Returns the listed ids in the order in which they were added, one shard after the other, including ids of expired
     * rows.
     *
     * Cost: 1 round trip per server; 4 more if a shard of the index is compacted.
     *
     * @return list<string>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the stored index is not valid.
     */
    public function ids(): array {}

    /**
     * Returns all rows, or the rows of $ids. The result is not a snapshot of one moment.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys. For all rows, 1 more per server for the ids. If most
     * rows have expired, the index is compacted, which costs 4 more per shard.
     *
     * @param array<array-key>|null $ids
     *        Ids of the rows. null: all.
     *
     * @return array<array-key, mixed>
     *        The rows, as id => row. Ids without a row are omitted.
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the stored index is not valid.
     * @throws \TypeError if an id is not a string.
     * @throws \ValueError if an id is empty or too long.
     * @throws \Throwable if a row's own code throws while it is read.
     */
    public function rows(?array $ids = null): array {}

    /**
     * Returns the number of listed ids, including ids of expired rows.
     *
     * Cost: 1 round trip per server; 4 more if a shard of the index is compacted.
     *
     * @return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the stored index is not valid.
     */
    public function count(): int {}

    /**
     * Deletes all listed rows.
     *
     * If another client damaged the index, only the index is deleted. The rows remain until they expire, or until they
     * are put or deleted again. A row that is put during clear() can remain. After a ServerException, call clear()
     * again.
     *
     * Cost: 2 round trips per shard, and 1 per row; over Transport::Direct 1 per server and per 100 rows.
     *
     * @throws ServerException if a server is down or does not reply.
     */
    public function clear(): void {}
}

/**
 * Estimates the number of distinct visitors in a window of time, with a few kilobytes per slot of time.
 *
 * For example: readers of an article today, or of all articles of a section. Visitors who return count once. For
 * visitors who are present now, use OnlineCounter.
 *
 * The estimate uses HyperLogLog (Flajolet et al. 2007) with the estimator of O. Ertl (2017). A hit can be repeated,
 * duplicated, delayed or reordered without changing the number. Each slot stores a sketch: data derived from a hash of
 * each visitor, keyed by the last `signingKey` of the Pool. Without a key, an attacker can inflate the number with
 * chosen names, and guess short names.
 *
 * All processes that use a name must use the same window, slots and precision, and their clocks must agree to within 1
 * s. Methods throw ServerException if a server is down or does not reply, unless $whenDown is set. They never return a
 * partial number as if it were the whole. See docs/classes/unique-visitors.md.
 *
 * @phpstan-all-methods-impure
 */
final class UniqueVisitors
{
    /**
     * Creates a unique visitors object. No network access.
     *
     * @param int $window Length of the window in seconds. It must be divisible by $slots.
     * @param int $slots Number of slots into which the window is divided, 1 to 1000, including the current slot. 1 slot
     *        of a day is the current day in UTC. 24 slots are the last 23 to 24 hours.
     * @param int $precision 4 to 14. The standard error is `1.04 / sqrt(2 ** $precision)`: ±26 % at 4 with 12 bytes per
     *        slot, ±1.6 % at 12 with 3 KB, ±0.8 % at 14 with 12 KB.
     * @param int|null $whenDown Number that count() returns instead of throwing ServerException, for a page that only
     *        displays the number. If a server is down, hit() then does nothing, and perSlot() returns an empty array.
     *        null: the methods throw. Metrics counts each use of $whenDown, and Pool::onError() reports uses at most
     *        once a second per server. reset() always throws.
     *
     * @throws \ValueError if $name is empty, $slots or $precision is out of range, or $window is not a multiple of
     *        $slots.
     */
    public function __construct(Pool $pool, string $name, int $window = 86400, int $slots = 24, int $precision = 12, ?int $whenDown = null) {}

    /**
     * Counts a visitor. hit() does not report whether the visitor is new.
     *
     * If the reply is lost, the hit is sent again. After a ServerException, the call can be repeated without harm. A
     * process caches its knowledge of a slot for 60 s. If the slot is evicted, the visitors that the process knows are
     * missing from the number for that time.
     *
     * Cost: 0 round trips if the process knows that the hit changes nothing, otherwise 1. The first hit of a slot costs
     * 2. Every 256th hit that a process sends costs 2 more.
     *
     * @param string $visitor Any string, of any length.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if the slot's item is full or has another precision, or if the server has no memory
     *        for the hit.
     */
    public function hit(string $visitor): void {}

    /**
     * Returns the estimated number of distinct visitors in the window that ends now.
     *
     * Cost: 1 round trip per object and per 8,000 bytes of keys, and 1 for each slot whose appended hits are folded
     * into its sketch.
     *
     * @param UniqueVisitors ...$others
     *        Further objects. The result is for the union, in which a visitor counts once. The objects can have
     *        different names, windows and Pools. Precision and signing key must be the same. This object's $whenDown
     *        applies.
     *
     * @return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a sketch of this precision. The call throws until reset()
     *        removes the value, or until its slot has left the window.
     * @throws \ValueError if an object has another precision.
     */
    public function count(UniqueVisitors ...$others): int {}

    /**
     * Returns the estimated number of visitors of each slot, newest first, including the current slot.
     *
     * A visitor who came in two slots is counted in both.
     *
     * Cost: as for count().
     *
     * @return array<int, int<0, max>>
     *        The number of visitors, by the slot's start (Unix time).
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a sketch of this precision.
     */
    public function perSlot(): array {}

    /**
     * Deletes all visitors of the window that ends now, including values that other clients stored under a slot's key.
     *
     * Other processes use their cached knowledge of a slot for up to 60 s more. Visitors that these processes know are
     * missing from the number for that time. After a ServerException, call reset() again.
     *
     * Cost: 1 round trip per slot; over Transport::Direct 1 per server.
     *
     * @throws ServerException if a server is down or does not reply.
     */
    public function reset(): void {}
}

/** Key distribution: which server of a Pool stores a key. See docs/classes/pool.md#key-distribution. */
enum Distribution
{
    /**
     * CRC32 of the key, modulo the number of servers, as in classic clients. Weights are ignored. Adding or removing a
     * server moves nearly all keys.
     */
    case Modulo;

    /** Consistent hash ring, weighted. Adding or removing a server moves only its share of the keys. */
    case Ketama;

    /**
     * Jenkins' one-at-a-time hash of the key, modulo the number of servers, as in php-memcached without options.
     * Weights are ignored. Adding or removing a server moves nearly all keys.
     */
    case OneAtATime;
}

/**
 * Format in which a Pool writes arrays, objects and null. Reads do not depend on this choice, because the flags of an
 * item name its format. See docs/classes/values.md#options.
 */
enum Serializer
{
    /** serialize() and unserialize(). */
    case Php;

    /** The igbinary extension. Values that contain enum cases are written with serialize(). */
    case Igbinary;

    /**
     * JSON, for arrays that programs in other languages read. Storing an object, INF, NAN, invalid UTF-8 or a recursive
     * array throws TypeError. References become values.
     */
    case Json;

    /**
     * The msgpack extension. Values that contain objects or references, or are nested deeper than 512 levels, are
     * written with serialize().
     */
    case Msgpack;
}

/** Compression of large values. A Pool can read every compression that is built in. */
enum Compression
{
    /** Values are stored uncompressed. */
    case None;

    /** zlib. Requires mcpatterns to be built with zlib. */
    case Zlib;

    /** zstd. Requires mcpatterns to be built with libzstd. */
    case Zstd;
}

/** When the elected caller of remember() rebuilds a stale value. */
enum Refresh
{
    /** Immediately. The elected caller waits for its own result. */
    case Inline;

    /**
     * After the response has been sent. The elected caller gets the stale value immediately. In some cases, the
     * rebuild runs immediately: see remember().
     */
    case AfterResponse;
}

/** Transport of a Pool's requests to its servers. See docs/start/transports.md. */
enum Transport
{
    /**
     * libmemcached, with the text protocol. The Pool's constructor throws ValueError if mcpatterns was built without
     * libmemcached. `php --ri mcpatterns` shows what is built in.
     */
    case Libmemcached;

    /**
     * The built-in transport. A read of a string takes a third of the processor instructions of libmemcached. The
     * timeout also limits a reply that a server sends byte by byte.
     */
    case Direct;
}

/** Algorithm of a RateLimiter. See docs/classes/rate-limiter.md. */
enum Limiting
{
    /**
     * Counts attempts in consecutive windows, each one period long. Around the boundary of two windows, up to twice the
     * limit is admitted. A rejected attempt is counted, too. Cost: 1 round trip.
     */
    case FixedWindow;

    /**
     * Admits at most the limit in any interval of one period's length. Attempts are counted in time slots. Cost: 2
     * round trips.
     */
    case SlidingWindow;

    /**
     * Admits a burst, then single attempts at an even rate (generic cell rate algorithm). Cost: 2 round trips, more
     * under contention.
     */
    case TokenBucket;
}

/** Locking of concurrent requests with the same session. See docs/classes/sessions.md. */
enum Locking
{
    /** Requests run one at a time, as with PHP's session files. */
    case Lock;

    /**
     * Requests run concurrently. Their changes are merged by key. If two requests changed a key, the later change is
     * kept.
     */
    case Merge;

    /** Requests run concurrently. The session that is stored last replaces the earlier versions as a whole. */
    case None;
}

/** State of a key in a Cache. */
enum Status
{
    /** The value is fresh. */
    case Fresh;

    /**
     * The value is stale. No caller is rebuilding it, and this caller was not elected, for example because entry()
     * elects no caller, or because of a pause.
     */
    case Stale;

    /**
     * lookup(): this caller alone should compute the value, and a stale value is available. remember(): this call has
     * computed the value.
     */
    case Elected;

    /** Another caller is computing the value. The entry's value is the stale value, or null if there is none. */
    case Busy;

    /** No value exists, and no caller is computing it. */
    case Miss;
}

/** Implemented by all exceptions of McPatterns. */
interface Exception extends \Throwable
{
}

/**
 * The server was unreachable, did not reply in time, or replied with an error.
 *
 * The message names the server and the reason, as Pool::lastErrors() does. If a write got no reply, its outcome is
 * unknown, and the message says so. See docs/operate/server-errors.md.
 */
class ServerException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * A wait ended before the caller acquired a lock (for Lock::run(), Counter::drain() or a session) or a permit (for
 * Semaphore::run()).
 */
class LockTimeoutException extends \RuntimeException implements \McPatterns\Exception
{
}

/** A lock or a permit expired or was removed while the work under it was still running. */
class LockLostException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * The stored value, or the value to store, is unsuitable for the operation. Nothing was changed, except as the method
 * documents, or if the server rejected the new value as too large.
 *
 * Examples: the value is not a number, the value is too large for the server, or a counter would exceed PHP_INT_MAX.
 */
class StoredValueException extends \UnexpectedValueException implements \McPatterns\Exception
{
}

/**
 * Implemented by all exceptions for values that cannot be stored. The previously stored value is kept unless the server
 * rejects the new value.
 *
 * remember() and rememberMany() return such a value instead of throwing.
 */
interface UnstorableException extends \McPatterns\Exception
{
}

/** The value is larger than the server accepts, or larger than `mcpatterns.item_size_limit`. */
class TooLargeException extends StoredValueException implements UnstorableException
{
}

/** The value, or a part of it, cannot be serialized in a form that can be read again. */
class NotSerializableException extends \TypeError implements UnstorableException
{
}

/**
 * remember() or rememberMany() found no value and did not compute it, because earlier computations failed and the next
 * attempt was too far away to wait for.
 *
 * Send a temporary response, such as HTTP 503 with Retry-After, instead of blocking the worker.
 */
class RebuildPausedException extends \RuntimeException implements \McPatterns\Exception
{
    /** Seconds until the next attempt to compute the value. */
    public float $retryAfter = 0.0;
}
