<?php

/** @generate-class-entries */

namespace McPatterns;

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
 * @strict-properties
 * @not-serializable
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
     * @phpstan-param callable(Old|null): T $change Receives the current value, or null if the key has no value. Returns
     *        the new value.
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until the value is stale. null: the object's TTL.
     *
     * @param-immediately-invoked-callable $change
     *
     * @phpstan-return T the value that was stored.
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
     * @phpstan-param \DateInterval|\Time\Duration|int|float|(callable(T): (\DateInterval|\Time\Duration|int|float|null))|null $ttl
     *        Seconds until the value is stale. null: the object's TTL. A callable receives the computed value and
     *        returns the TTL. If it returns null, the value is returned and not stored.
     * @phpstan-param (callable(): T)|(callable(Entry): T) $compute Returns the value. The callable receives an Entry of
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
     * @phpstan-param (callable(T): array<string>)|null $tags Receives the computed value, before a callable $ttl does,
     *        and returns additional tags, at most 255 tags in total. If such a tag is invalidated during the
     *        computation, the value is not invalidated. If the server of the tags does not reply, the value is returned
     *        and not stored. Not possible with several copies.
     *
     * @param-immediately-invoked-callable $compute
     * @param-out Entry $entry
     *
     * @phpstan-return T the value.
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
     * @phpstan-param iterable<K> $keys The keys, as strings or integers.
     * @param \DateInterval|\Time\Duration|int|float|null $ttl Seconds until a value is stale. null: the object's TTL.
     * @phpstan-param callable(list<string>): array<T> $compute Receives keys in the order of $keys and returns their
     *        values by key. For a key that $compute omits, the result contains null, and the claim is released.
     *
     * @param-immediately-invoked-callable $compute
     *
     * @phpstan-return array<K, T|null> all keys with their values, in the order of $keys.
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
     * @phpstan-param iterable<K> $keys The keys, as strings or integers.
     * @param mixed $default The result for keys that miss or that this caller is elected for.
     *
     * @phpstan-return array<K, mixed> all keys with their values, in the order of $keys.
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
     * @phpstan-param iterable<array-key> $keys The keys, as strings or integers.
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
     * @phpstan-param iterable<array-key, mixed> $values Key => value.
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
     * @phpstan-param iterable<array-key> $keys The keys, as strings or integers.
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
     * @phpstan-param iterable<array-key> $keys The keys, as strings or integers.
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
     * @phpstan-param string|array<string> ...$tags Strings or arrays of strings, 1 to 255 tags including those of this
     *        object. A tag has 1 to 250 bytes and does not begin with a null byte. All caches with the Pool's prefix
     *        share their tags.
     *
     * @throws \ValueError if a tag is empty, too long or begins with a null byte, if there are too many tags, or if the
     *        Cache has several copies.
     * @throws \TypeError if an argument is neither a string nor an array of strings, even without strict_types.
     *
     * @no-discard
     */
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
     * @phpstan-param string|array<string> ...$tags 1 to 255 tags, as for tagged().
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
     * @phpstan-param string|array<string> ...$tags 1 to 255 tags, as for tagged().
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
     * @phpstan-return array{COUNTS_OF_OBJECTS}
     */
    public function stats(): array {}
}
