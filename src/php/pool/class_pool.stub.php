<?php

/** @generate-class-entries static */

namespace McPatterns;

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
     * @phpstan-param string|array<string>|null $servers
     * @phpstan-param bool|array<string> $allowedClasses
     * @phpstan-param string|array<string>|null $signingKey
     * @phpstan-param array<string, string|bool|int|null>|null $tls
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
     * @phpstan-return array{findings: list<Finding>, servers: array<string, ServerFacts>, discovery?: DiscoveryFacts, host: HostFacts}
     */
    public static function diagnose(?Pool $pool = null): array {}

    /**
     * The servers in the order given, each as ['host' => string, 'port' => int, 'weight' => int].
     * Unix sockets and memory servers have their whole address as host, and port 0. Of 'discover://' those that are
     * known now; the endpoint itself while none is.
     *
     * @phpstan-return non-empty-list<array{host: non-empty-string, port: int<0, 65535>, weight: int<1, max>}>
     */
    public function servers(): array {}

    /**
     * The address of the server that a Cache with no prefix of its own keeps $key on: 'host:port',
     * 'unix:///path' or 'memory://name'. Asks no server. An empty key is a ValueError.
     *
     * @phpstan-return non-empty-string
     */
    public function serverFor(string $key): string {}

    /**
     * Address => seconds that a round trip to the server took, or null when it is down, does not
     * answer within the timeouts, or is being left alone because it failed a moment ago. One round
     * trip per server, and the connection first where there is none.
     *
     * @phpstan-return non-empty-array<string, float|null>
     */
    public function ping(): array {}

    /**
     * Address => memcached's statistics by name, whole numbers as int and everything else as string;
     * null for a server that is down or does not give statistics (a proxy). One round trip per
     * server.
     *
     * @phpstan-return non-empty-array<string, array<string, int|string>|null>
     */
    public function stats(): array {}

    /**
     * Address => what the server failed of last in this process, as ['message' => string, 'at' => float]
     * with the Unix time, or null when nothing failed. It stays when the server answers again, until its
     * connection is closed. The message says why: "the server could not be reached: connection refused,
     * nothing listens there". Asks no server. Memory servers never fail.
     *
     * @phpstan-return non-empty-array<string, array{message: string, at: float}|null>
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
     * @phpstan-param (callable(string, ErrorContext): void)|null $listener
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
