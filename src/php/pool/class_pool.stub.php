<?php

/** @generate-class-entries static */

namespace McPatterns;

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
     * @phpstan-param string|array<string>|null $servers A server, a list of servers, or one string with commas, up to
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
     * @phpstan-param bool|array<string> $allowedClasses As `allowed_classes` of unserialize(). true: all. false or a
     *        list: objects of other classes become `__PHP_Incomplete_Class`, and none of their code runs. Without a
     *        $signingKey, reads of igbinary and msgpack values then miss, the constructor throws ValueError for these
     *        serializers, and the default is Serializer::Php.
     * @phpstan-param string|array<string>|null $signingKey A secret, preferably 32 random bytes. In a list, the first
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
     * @phpstan-param array<string, string|bool|int|null>|null $tls Options for 'tls://' servers, named as in PHP's ssl
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
     * @phpstan-return array{findings: list<Finding>, servers: array<string, ServerFacts>, discovery?: DiscoveryFacts, host: HostFacts}
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
     * @phpstan-return non-empty-list<array{host: non-empty-string, port: int<0, 65535>, weight: int<1, max>}>
     */
    public function servers(): array {}

    /**
     * Returns the address of the server on which a Cache without a prefix stores a key.
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
     * it has failed within the last $retryAfter seconds.
     *
     * Cost: 1 round trip per server, and a connection if none is open.
     *
     * @phpstan-return non-empty-array<string, float|null>
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
     * @phpstan-return non-empty-array<string, array<string, int|string>|null>
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
     * @phpstan-return non-empty-array<string, array{message: string, at: float}|null>
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
     * @phpstan-param (callable(string, ErrorContext): void)|null $listener Receives a message and a context. The
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
