<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * The memcached servers that an application uses, and how it uses them. All other classes are built on a Pool.
 *
 * A Pool is cheap and connects at its first request. Connections belong to the process, or to the thread in a
 * thread-safe PHP. There is one for each combination of server, address, transport, timeouts, and effective user and
 * group.
 *
 * All Pools with the same combination share it, whatever their prefix. The 128 connections that were used last are
 * kept, or 28 more than the longest list of servers. A forked child opens its own. See docs/classes/pool.md.
 *
 * A memcached server must be a trusted peer. Its values are unserialized, and invalid replies can end the process
 * inside libmemcached, though not with Transport::Direct. Close its port to all but your own hosts. See
 * docs/operate/security.md.
 *
 * @strict-properties
 * @not-serializable
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
     * Creates a pool. Asks no server, except the endpoint of 'discover://', or DNS, when that is due.
     *
     * If a parameter is null, its `mcpatterns.*` setting applies. So `new Pool()` is the pool of php.ini, and
     * `new Pool(prefix: 'shop:')` changes only the prefix. The settings of $user, $password and $tls apply only if
     * $servers is null. $allowedClasses, $signingKey and $failover have no setting. The defaults below apply if php.ini
     * sets nothing. See docs/operate/configuration.md.
     *
     * A memory server ('memory://name') lives in this process until it ends, with memcached's semantics, for tests. All
     * memory servers together hold up to `mcpatterns.memory_limit`, which PHP's memory_limit does not count. They evict
     * the least recently used items. See docs/start/testing.md.
     *
     * @phpstan-param string|array<string>|null $servers A server, a list of servers, or one string with commas, up to
     *        1,000: 'host', 'host:port', 'host:port:weight', '[::1]:11211', 'unix:///path' or 'memory://name'. The
     *        default port is 11211. 'tcp://' and 'memcached://' change nothing, 'tls://' selects TLS. A weight can
     *        follow a path or a name, so a path cannot end in a colon and digits. 'discover://host:port' must be the
     *        only entry. It is an endpoint of ElastiCache or Memorystore that lists the servers, with TLS
     *        'discover://tls://host:port': see docs/operate/clouds.md. So must 'dns://name:port', whose addresses are
     *        the servers, and 'dns+srv://name', whose SRV records name them: see docs/operate/servers.md.
     * @param string|null $prefix Prefix of every key, up to 64 bytes without spaces and control characters. It does not
     *        determine the server. It must not begin with a prefix of another class: `lock:`, `online:`, `seen:`,
     *        `tag:`, `mark:`, `log:`, `set:`, `row:`, `rate:`, `semaphore:` or `unique:`. It must not look like a
     *        server, such as localhost:22122. A number is a TypeError, also without strict_types, because it would be a
     *        port.
     * @param Distribution|null $distribution Key distribution, the same as in php-memcached. null:
     *        Distribution::Ketama.
     * @param Serializer|null $serializer Format of arrays, objects and null. null: igbinary if that extension is
     *        loaded, else Serializer::Php. A Pool reads every format whose extension is loaded.
     * @phpstan-param bool|array<string> $allowedClasses As `allowed_classes` of unserialize(). true: all. false or a
     *        list: objects of other classes become `__PHP_Incomplete_Class`, and none of their code runs. Without a
     *        $signingKey, values of igbinary and msgpack are then misses, these serializers are a ValueError, and the
     *        default is Serializer::Php.
     * @phpstan-param string|array<string>|null $signingKey A secret, best 32 random bytes. In a list, the first one
     *        signs and all verify. Each value of a Cache carries a hash of its key, flags and bytes. Values without a
     *        valid hash are misses, counted as forged. Each read, write and election costs an HMAC-SHA-256 of the
     *        value. Counters, locks and running numbers are not covered. See docs/operate/security.md.
     * @param Compression|null $compression Compression of strings and serialized values. It is used if it saves 1/8.
     *        null: zstd, else zlib, else none, whichever is built in. A Pool reads every compression that is built in.
     *        Values that would exceed `mcpatterns.decompress_limit` (16 MiB) are neither compressed nor decompressed.
     * @param int|null $compressAbove Bytes above which values are compressed. null: 2000.
     * @param int|float|null $connectTimeout Maximum seconds to connect, 0.001 to 60. null: 0.2. It includes the TLS
     *        handshake.
     * @param int|float|null $timeout Maximum seconds to wait for a reply, 0.001 to 60, not milliseconds as in
     *        php-memcached. null: 0.5. With Transport::Direct for the whole reply, and once more for each 64 KiB of it.
     * @param int|float|null $retryAfter Seconds that a failed server is skipped, 0 to 3600. null: 1. A server fails if
     *        it is unreachable, or if its reply takes longer than $timeout. Meanwhile reads miss and writes return
     *        false at once.
     * @param bool $failover If true, other servers keep the cached values of a server that is skipped, for at most 60
     *        seconds. Values from before an outage are then stale. Locks and counters never move. See
     *        docs/operate/failover.md.
     * @param bool|null $persistent If false, the Pool has connections of its own, which close with it. null: true.
     * @param Transport|null $transport Transport of the requests. null: Transport::Libmemcached if it is built in, else
     *        Transport::Direct. Both place keys alike. See docs/start/transports.md.
     * @phpstan-param array<string, string|bool|int|null>|null $tls Options for 'tls://' servers, named as in PHP's ssl
     *        context: `cafile`, `capath`, `peer_name`, `verify_peer`, `verify_peer_name`, `allow_self_signed`,
     *        `peer_fingerprint`, `local_cert`, `local_pk`, `passphrase`, `ciphers`, `crypto_method`. Without options,
     *        certificates are verified with the CAs of this host and for the name in $servers. TLS 1.2 or 1.3. Requires
     *        Transport::Direct and PHP's openssl extension. See docs/operate/tls.md.
     * @param string|null $user User for a memcached with an authentication file (-Y), without spaces. Requires
     *        $password and Transport::Direct. A server that rejects it is skipped like a failed one. One server can
     *        have its own: 'tls://user:password@host:port' or 'unix://user:password@/path', with %40 for '@'. See
     *        docs/operate/tls.md.
     * @param string|null $password Password of $user, without spaces. Pools with different ones share no connection.
     *
     * @throws \ValueError if a parameter or a setting is invalid. The message names it and quotes the invalid part.
     *        Also for an extension that is not loaded, and for a compression or transport that is not built in.
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
     * Returns the pool of the `mcpatterns.*` settings, the same that `new Pool()` creates.
     *
     * It is the same object throughout a request while the settings stay the same.
     *
     * Cost: none.
     *
     * @throws \ValueError if a setting is invalid. The message names it.
     */
    public static function default(): Pool {}

    /**
     * Ends a request in a process that serves many: a worker of Octane, RoadRunner or FrankenPHP, a queue worker, a
     * test run.
     *
     * It does what the end of a PHP request does. It releases the claims that the process holds, and the locks and
     * permits whose acquisition had an unknown outcome. It drops the recorded reads of tagged and guarded keys, and the
     * object caches of $near.
     *
     * If servers do not reply, it waits at most 1 second for all of them. The rest ends by its TTL.
     *
     * Callbacks can call it, because calls in progress are not affected. remember() keeps its claim, run() its lock,
     * and drain() its amount. A rebuild that waits for the end of the response (Refresh::AfterResponse) runs.
     *
     * Objects stay, with their locks, permits, listeners and statistics, and so do connections and a frozen Clock. In a
     * forked child, nothing of the parent is released.
     *
     * It throws nothing and can be called at any time. The only user code that it runs is a due check of an Audit, if
     * no callback is running. See docs/classes/long-running-workers.md.
     *
     * Cost: as at the end of a script. A few round trips for each claim, lock and permit that is released, none
     * otherwise.
     */
    public static function endRequest(): void {}

    /**
     * Diagnoses the servers of a Pool, the settings of php.ini and this host, and returns findings with advice.
     *
     * The program `mcpatterns-doctor` (bin/doctor) prints this. The method is static: for your own Pool, call
     * `Pool::diagnose($pool)`, because `$pool->diagnose()` examines Pool::default(). If php.ini allows no Pool, that is
     * a finding.
     *
     * The list `findings` can contain notices if all is well: filter by severity. Each finding has a severity, a code, the subject (an address or a
     * setting), the finding and the advice. Findings about servers come first, in the order of the list.
     * docs/operate/doctor.md lists all codes.
     *
     * Under `servers`, each address has the facts that the server reported, in bytes and seconds. A fact is null if it
     * was not reported. The fields `answers` and `error` show whether it replied, and `seconds` is the duration of the
     * round trip.
     *
     * The field `meta` shows whether it supports the meta commands. The field `skew` is the time by which its clock is
     * ahead of this host's, in whole seconds. The start options of memcached are `cas` (false with -C), `evicts` (false
     * with -M), `flush`, `password` (-Y), `memory` (-m), `connections_max` (-c) and `item_size` (-I).
     *
     * Under `host` are the versions of PHP and mcpatterns, the time, the number of the user and the state of the shared
     * memory. The transport, serializer and compression of the Pool are there, too.
     *
     * Under `discovery` are the facts of a 'discover://' endpoint, or of a name in DNS. The version of its list is null
     * before the first list. For DNS, it counts the lists. The field `asked` is the time at which this process asked
     * last, or null.
     *
     * The field `error` is the failure of that request, or null, and also reports that a lower version was accepted.
     * The field `shared` shows whether the processes of this host share the list.
     *
     * It stores one item on each server, "mcpatterns-doctor", and deletes it, to try `gets` and `cas`. It throws
     * nothing for a server that is down, hangs or sends invalid replies.
     *
     * A server that fails, or takes longer than $connectTimeout and $timeout together, is asked no more and is skipped
     * for $retryAfter, as after ping(). A server that is skipped already is not asked.
     *
     * Cost: 6 round trips per server, up to 2 more with Transport::Direct, and the connection if there is none.
     *
     * @param Pool|null $pool The Pool to examine. null: Pool::default().
     *
     * @phpstan-return array{findings: list<Finding>, servers: array<string, ServerFacts>, discovery?: DiscoveryFacts, host: HostFacts}
     */
    public static function diagnose(?Pool $pool = null): array {}

    /**
     * Returns the servers in the order of the list, each with host, port and weight.
     *
     * A Unix socket or a memory server has its whole address as host, and port 0. With 'discover://' or
     * DNS, these are the servers known now, or the endpoint itself before the first list.
     *
     * Cost: none.
     *
     * @phpstan-return non-empty-list<array{host: non-empty-string, port: int<0, 65535>, weight: int<1, max>}>
     */
    public function servers(): array {}

    /**
     * Returns the address of the server on which a Cache without a prefix of its own stores a key.
     *
     * Cost: none.
     *
     * @param string $key A non-empty string, without the Pool's prefix.
     *
     * @phpstan-return non-empty-string the address: 'host:port', 'unix:///path' or 'memory://name'.
     *
     * @throws \ValueError if the key is empty.
     */
    public function serverFor(string $key): string {}

    /**
     * Measures a round trip to each server, and returns the seconds by address.
     *
     * The value is null for a server that is down, that does not reply within the timeouts, or that is skipped because
     * it failed a moment ago.
     *
     * Cost: 1 round trip per server, and the connection if there is none.
     *
     * @phpstan-return non-empty-array<string, float|null>
     */
    public function ping(): array {}

    /**
     * Returns memcached's statistics of each server by address.
     *
     * Whole numbers are int, all others string. The value is null for a server that is down or gives no statistics,
     * such as a proxy.
     *
     * Cost: 1 round trip per server.
     *
     * @phpstan-return non-empty-array<string, array<string, int|string>|null>
     */
    public function stats(): array {}

    /**
     * Returns the last failure of each server in this process, by address.
     *
     * A failure has a message and the Unix time at which it happened. The value is null if nothing failed. Failures
     * stay when the server recovers, until its connection is closed. The message gives the reason: "the server could
     * not be reached: connection refused, nothing listens there". Memory servers never fail.
     *
     * Cost: none.
     *
     * @phpstan-return non-empty-array<string, array{message: string, at: float}|null>
     */
    public function lastErrors(): array {}

    /**
     * Sets a listener for failures of the objects that use this Pool, at most 1 call per second for each server and
     * kind.
     *
     * It is called if an operation fails on a server, a value cannot be stored or read, or a computation fails after
     * the response. It is also called if `whenDown` or `quiet` replaces a result, and if an Audit finds a difference.
     *
     * The call comes after the operation, before the next statement or the catch, or earlier if the method waits or
     * runs a callback. The method throws what the listener throws, and exit ends the script.
     *
     * The listener may use the same Cache, set another listener and suspend its Fiber. Failures before it returns are
     * not reported, nor are those after the last statement of the script or in endRequest(). See
     * docs/classes/pool.md#onerror and docs/spec/pool.md#listeners.
     *
     * Cost: none.
     *
     * @phpstan-param (callable(string, ErrorContext): void)|null $listener Receives a message and a context. The
     *        context has the `kind`, the address of the `server`, and the Unix time `at`. All kinds but 'server' have a
     *        `key`, which for 'when_down' is the name of the object. If an exception was thrown, it is the `exception`.
     *        Null removes the listener.
     */
    public function onError(?callable $listener): void {}

    /**
     * Deletes all items of every server, including the data of all other applications that use it.
     *
     * If it returns true, the reads and claims of this Fiber on these servers end, as by Cache::clear().
     *
     * Cost: 1 round trip per server.
     *
     * @return bool false if a server was unreachable or did not reply. The others are emptied nevertheless.
     */
    public function flush(): bool {}

    /**
     * Closes the connections to the servers, also for other pools that share them.
     *
     * The pools reconnect at their next use, and a server that was skipped is tried again at once. Memory servers keep
     * their items.
     *
     * Cost: none.
     */
    public function close(): void {}
}
