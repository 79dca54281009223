<?php
// Finds faults of servers, settings and this host, with advice: Pool::diagnose() on the facts that C has collected.
// docs/operate/doctor.md documents the limits. The text of a finding is pieces for php_mcp_library_join().
/* SPDX-License-Identifier: MIT */
declare(strict_types=1);

return static function (array $facts): array {
    $kinds = [ // code => severity, advice; docs/operate/doctor.md explains them
        'unreachable' => ['error', 'Check whether memcached runs there and whether a firewall blocks this host.'],
        'unknown_host' => ['error', 'Correct the host name, or repair this host\'s name resolution.'],
        'refused' => ['error', 'Start memcached there, or correct the address.'],
        'socket_missing' => ['error', 'Start memcached there, or correct the address.'],
        'socket_permission' => ['error', 'Start memcached with -a 0770 and a group that includes PHP\'s user. That group also needs access to the directory.'],
        'timeout' => ['error', 'Check the server and the network: it is stopped, swapped out or overloaded, or packets are lost.'],
        'connection_closed' => ['error', 'Check which program listens there. A memcached that was started with -Z closes connections without TLS: use \'tls://\' with Transport::Direct.'],
        'server_error' => ['error', 'Read the reply. From a proxy: a server behind it is down. From memcached: it has no memory or no connection left.'],
        'invalid_response' => ['error', 'Check which program listens there: it is not memcached, or it is broken.'],
        'password' => ['error', 'Give the Pool the user and password of memcached\'s file (-Y), and use Transport::Direct.'],
        'certificate' => ['error', 'Renew or correct the certificate, or set its authority (cafile) and its name (peer_name).'],
        'tls' => ['error', 'Correct the TLS options or the address: \'tls://\' requires a memcached that was started with -Z.'],
        'slow' => ['warning', 'Check the network and the server\'s load, or raise mcpatterns.timeout.'],
        'no_statistics' => ['notice', 'Diagnose the memcached servers behind it by their own addresses.'],
        'invalid_statistics' => ['warning', 'Check which program listens there: memcached reports all of these.'],
        'old_version' => ['warning', 'Install memcached 1.6.18 or later: its release notes list the faults of older versions.'],
        'no_meta' => ['notice', 'Install memcached 1.6.13 or later: elections then take 1 round trip less.'],
        'no_cas' => ['error', 'Start memcached without -C, or use memcached instead of another server: elections, locks and sessions need CAS.'],
        'small_items' => ['warning', 'Start memcached with -I 1m, its default: larger values are not stored and are computed each time.'],
        'large_items' => ['warning', 'Lower memcached\'s -I, or raise mcpatterns.item_size_limit on all hosts: larger values are neither stored nor read.'],
        'evictions' => ['warning', 'Raise memcached\'s -m, or shorten the TTL of values. Keep locks and counters on a separate memcached.'],
        'session_evictions' => ['error', 'Give sessions a separate memcached that never fills, or raise its -m: an evicted session logs its user out.'],
        'never_evicts' => ['notice', 'Start memcached without -M, unless an alert is raised before it is full: a full server stores nothing.'],
        'full' => ['error', 'Raise memcached\'s -m, or start it without -M: a full server stores nothing.'],
        'nearly_full' => ['notice', 'Raise memcached\'s -m before it evicts values that are in use.'],
        'small_memory' => ['notice', 'Give memcached the memory that its values need (-m): the default of 64 MB is for trials.'],
        'rejected_connections' => ['warning', 'Raise memcached\'s -c above the number of workers on all hosts plus 50.'],
        'many_connections' => ['warning', 'Raise memcached\'s -c above the number of workers on all hosts plus 50.'],
        'idle_timeout' => ['notice', 'Start memcached without -o idle_timeout, or with more than the idle time of workers: each closed connection must be reopened.'],
        'udp' => ['warning', 'Start memcached with -U 0: over UDP, any client can direct its replies at another host.'],
        'restarted' => ['notice', 'Do nothing if the restart was intended: the server began empty. Otherwise check why it ended.'],
        'no_flush' => ['notice', 'Do nothing if -F is intended: Pool::flush() does not empty the server. Cache::clear() works.'],
        'clock' => ['warning', 'Synchronize host clocks (chrony, systemd-timesyncd). memcached reads the clock when it starts: restart it after the correction.'],
        'public_address' => ['notice', 'Start memcached with -l and a private address, behind a firewall, or with -Z and -Y.'],
        'socket_open_to_all' => ['warning', 'Start memcached with -a 0770 and a group that contains only the application\'s users.'],
        'memory_server' => ['warning', 'Use a memcached server: memory servers are for tests, and each process has its own.'],
        'different_versions' => ['notice', 'Install the same version of memcached on all servers.'],
        'different_item_sizes' => ['warning', 'Start all servers with the same -I: otherwise the key decides whether a value is stored.'],
        'settings' => ['error', 'Correct the setting: it does not allow a Pool.'],
        'long_timeout' => ['warning', 'Set seconds, such as 0.2 or 0.5: each worker waits this long for a server that hangs. php-memcached uses milliseconds.'],
        'short_timeout' => ['warning', 'Set at least 0.05: otherwise a short delay of a busy host counts as a failure.'],
        'no_retry_after' => ['warning', 'Set 1 or more: otherwise each call waits for a server that hangs.'],
        'long_retry_after' => ['warning', 'Set 1 to 10 seconds: a server that has recovered is skipped for this long.'],
        'not_persistent' => ['notice', 'Set mcpatterns.persistent to 1, unless each request must open its own connections.'],
        'failover_single_server' => ['notice', 'Add a second server, or turn failover off: no other server can take over.'],
        'tls_unverified' => ['warning', 'Verify certificates with cafile and peer_name: otherwise an attacker on the network can impersonate the server.'],
        'password_in_clear' => ['warning', 'Use \'tls://\' or a unix socket: the password is sent unencrypted.'],
        'key_readable' => ['warning', 'Restrict the private key\'s file to PHP\'s user, with mode 0600.'],
        'unsigned_sharing' => ['warning', 'Set a signingKey for the Pool, or use a group whose users may run code as each other.'],
        'any_class' => ['notice', 'Set a signingKey or allowedClasses for the Pool, or use a unix socket: any client that reaches the port can make PHP create any object.'],
        'serializer' => ['notice', 'Load igbinary on all hosts, or set mcpatterns.serializer to php on all hosts: values that another host writes with igbinary are misses here.'],
        'no_discovery' => ['error', 'Correct the endpoint\'s address, or start the service there: without a server list, no value is stored.'],
        'stale_discovery' => ['warning', 'Check the endpoint. A cluster that was recreated under its name restarts its versions at 1: the tenth equal reply in a row is accepted.'],
        'shared_memory' => ['error', 'Correct mcpatterns.shared_memory_path, _group or _mode, or the owner of the file and its directory, and restart PHP.'],
        'no_shared_memory' => ['notice', 'Set mcpatterns.shared_memory to 16M: the near cache, metrics and wake-ups need it.'],
        'shared_memory_alone' => ['notice', 'Set mcpatterns.shared_memory_path to the same file for php-fpm and the command line.'],
        'no_metrics' => ['notice', 'Set mcpatterns.metrics to 1, unless the metrics are not used.'],
        'no_item_size_limit' => ['warning', 'Set mcpatterns.item_size_limit to 64M: otherwise a server can make a worker allocate any amount of memory.'],
        'no_opcache' => ['notice', 'Load opcache: without it, each request compiles the code whose results are cached.'],
        'key_drift' => ['notice', 'Set mcpatterns.report_key_drift to 0: it is for development.'],
        'session_servers' => ['notice', 'Diagnose these servers as well, by their addresses.'],
        'session_path_is_directory' => ['error', 'Set session.save_path to servers, such as unix:///path, or to an empty string for those of mcpatterns.servers.'],
        'session_memory' => ['error', 'Use a memcached server: otherwise each worker has its own sessions, which end with it.'],
        'session_unlocked' => ['warning', 'Set lock or merge: otherwise the later of 2 concurrent requests undoes the changes of the other.'],
        'session_lock_short' => ['warning', 'Set session_lock_expire above the duration of requests: otherwise another request takes the session over.'],
        'session_wait_short' => ['warning', 'Set session_lock_wait to session_lock_expire plus 1 second: otherwise a request that waits for a killed one fails.'],
        'session_merge' => ['warning', 'Set session.serialize_handler to php or php_serialize: other formats cannot be merged.'],
        'session_strict_mode' => ['warning', 'Set session.use_strict_mode to 1: otherwise invented session ids are accepted.'],
        'session_unsigned' => ['notice', 'Set mcpatterns.session_key_file to a file with a secret: otherwise any client that reaches the port can write sessions.'],
        'session_settings_unused' => ['warning', 'Set session.save_handler to mcpatterns, or remove the setting.'],
    ];
    $findings = [];
    $add = static function (string $code, string $subject, string|int|array ...$finding) use (&$findings, $kinds): void {
        [$severity, $advice] = $kinds[$code];
        $findings[] = ['severity' => $severity, 'code' => $code, 'subject' => $subject, 'finding' => $finding, 'advice' => $advice];
    };
    $seconds = static fn (int|float $time): array => ['seconds', $time];
    $bytes = static fn (int $bytes): array => ['bytes', $bytes];
    $mode = static fn (int $mode): array => ['mode', $mode];
    ['host' => $host, 'pool' => $pool, 'settings' => $settings, 'session' => $session] = $facts;
    $has_sessions = $session['handler'] === 'mcpatterns';
    $keeps_sessions = $has_sessions && $session['save_path'] === ''; // on the servers of mcpatterns.servers

    // --- reports of a server ---

    // Null for text that is not a number.
    $whole = static fn (int|string|null $line): ?int => $line === (int) $line && $line >= 0 ? $line : null;
    // Null for other text: with a password, memcached sends the name of its file instead of "yes".
    $switch = static fn (int|string|null $line): ?bool => match ($line) {
        'yes', 'on' => true,
        'no', 'off' => false,
        default => null,
    };
    $printable = static function (string $text): string {
        $shown = '';
        for ($i = 0; $i < 32 && isset($text[$i]); $i++) {
            $shown .= $text[$i] >= ' ' && $text[$i] < "\x7f" ? $text[$i] : '?';
        }
        return $shown;
    };
    // Leading numbers of a version such as "1.6.21", at most 3.
    $parts_of = static function (string $version): array {
        $parts = [];
        for ($i = 0, $part = 0; isset($version[$i]) && $part < 3; $i++) {
            if ($version[$i] >= '0' && $version[$i] <= '9') {
                $parts[$part] = 10 * ($parts[$part] ?? 0) + (int) $version[$i];
            } elseif ($version[$i] === '.' && isset($parts[$part])) {
                $part++;
            } else {
                break;
            }
        }
        return $parts;
    };
    $tell = static function (array $server) use ($whole, $switch, $printable, $parts_of): array {
        ['statistics' => $statistics, 'settings' => $settings] = $server;
        $is_memory = $server['kind'] === 'memory';
        $version = $printable((string) ($statistics['version'] ?? ''));
        $parts = $parts_of($version);
        $time = $whole($statistics['time'] ?? null);
        // memcached 1.6.0 introduced meta commands.
        $guess = $is_memory || !isset($parts[1]) ? null : $parts[0] > 1 || ($parts[0] === 1 && $parts[1] >= 6);
        return [
            'answers' => $server['answers'],
            'error' => $server['error'],
            'seconds' => $server['seconds'],
            'tls' => $server['is_tls'],
            'version' => $version === '' ? null : $version,
            'meta' => $server['knows_meta'] ?? $guess,
            // The server reported a whole second, at an unknown moment of the round trip.
            'skew' => match (true) {
                $is_memory, $time === null => null,
                $server['clock'] === null => 0.0,
                default => $time + 0.5 - $server['clock'],
            },
            'cas' => $switch($settings['cas_enabled'] ?? null),
            'evicts' => $switch($settings['evictions'] ?? null),
            'flush' => $switch($settings['flush_enabled'] ?? null),
            'password' => $switch($settings['auth_enabled_ascii'] ?? null),
            'uptime' => $whole($statistics['uptime'] ?? null),
            'time' => $time,
            'items' => $whole($statistics['curr_items'] ?? null),
            'memory_used' => $whole($statistics['bytes'] ?? null),
            'memory' => $whole($statistics['limit_maxbytes'] ?? null),
            'evictions' => $whole($statistics['evictions'] ?? null),
            'evicted_unfetched' => $whole($statistics['evicted_unfetched'] ?? null),
            'connections' => $whole($statistics['curr_connections'] ?? null),
            'connections_max' => $whole($statistics['max_connections'] ?? null),
            'connections_rejected' => $whole($statistics['rejected_connections'] ?? null),
            'item_size' => $whole($settings['item_size_max'] ?? null),
            'udp_port' => $whole($settings['udpport'] ?? null),
        ];
    };

    // --- a server without a valid reply ---

    $judge_failure = static function (array $server) use ($add, $mode, $host, $facts): void {
        ['address' => $address, 'failure' => $failure, 'error' => $error, 'socket' => $socket] = $server;
        if ($failure === 'socket_permission' && $socket !== null) {
            $add($failure, $address, "$error; the socket belongs to user $socket[user] and group $socket[group] with mode ", $mode($socket['mode']),
                ", PHP runs as user $host[user] and group $facts[group]");
        } elseif ($failure !== null) { // null: the endpoint's list is missing, which is a finding of its own
            $add($failure, $address, $error);
        }
    };
    $judge_socket = static function (array $server) use ($add, $mode): void {
        $socket = $server['socket'];
        if ($socket !== null && $socket['is_socket'] && ($socket['mode'] & 0o002) !== 0) {
            $add('socket_open_to_all', $server['address'], 'writable by all users of this host: socket mode is ', $mode($socket['mode']));
        }
    };

    // --- a server that replies ---

    // A server is slow if its quickest reply takes half of the timeout.
    $judge_speed = static function (array $server) use ($add, $seconds, $pool): void {
        if ($server['is_cut_short']) {
            $add('slow', $server['address'], 'statistics took ', $seconds($server['seconds']), ', no further request was sent');
        } elseif ($server['quickest'] > $pool['timeout'] / 2) {
            $add('slow', $server['address'], 'replies take ', $seconds($server['quickest']), ', the timeout is ', $seconds($pool['timeout']));
        }
    };
    $judge_version = static function (array $server, array $row) use ($add, $parts_of, $pool): void {
        $address = $server['address'];
        $parts = $parts_of($row['version'] ?? '');
        if (!isset($parts[1]) || $row['time'] === null || $row['uptime'] === null || ($row['memory'] ?? 0) === 0) {
            $add('invalid_statistics', $address, 'version, time, uptime or memory is missing from its statistics, or invalid');
        }
        // 1 request can crash 1.6.0 (CVE-2020-10931). Older versions have other faults.
        if (isset($parts[2]) && $parts[0] === 1 && ($parts[1] < 6 || ($parts[1] === 6 && $parts[2] < 2))) {
            $add('old_version', $address, "memcached $row[version]");
        }
        if ($pool['is_direct'] && $row['meta'] === false) {
            $add('no_meta', $address, 'no meta commands, or only those from before 1.6.13, which are not used');
        }
    };
    // memcached reports whole seconds and updates its clock once per second, sometimes once in 2 seconds.
    $judge_clock = static function (array $server, array $row) use ($add, $seconds): void {
        $skew = $row['skew'] ?? 0.0;
        $distance = $skew < 0 ? -$skew : $skew;
        if ($distance > 3) {
            $add('clock', $server['address'], 'clock is ', $seconds((int) ($distance + 0.5)), $skew > 0 ? ' ahead of' : ' behind', ' this host');
        }
        if ($row['uptime'] !== null && $row['uptime'] < 300) {
            $add('restarted', $server['address'], 'started less than 5 minutes ago');
        }
    };
    $judge_items = static function (array $server, array $row) use ($add, $bytes, $settings): void {
        ['address' => $address] = $server;
        $size = $row['item_size'];
        if ($size !== null && $size < 1 << 20) {
            $add('small_items', $address, 'largest item is ', $bytes($size), ' (-I)');
        }
        if ($size !== null && $settings['item_size_limit'] > 0 && $size > $settings['item_size_limit']) {
            $add('large_items', $address, 'largest item is ', $bytes($size), ' (-I), mcpatterns.item_size_limit is ', $bytes($settings['item_size_limit']));
        }
    };
    $judge_memory = static function (array $server, array $row) use ($add, $bytes, $seconds, $keeps_sessions): void {
        ['address' => $address] = $server;
        ['memory' => $memory, 'memory_used' => $used, 'evictions' => $evictions] = $row;
        $evicts = $row['evicts'] ?? true;
        // Depending on their sizes, items use 80 % to 100 % of the memory when all of it is assigned to slabs.
        $is_full = $used !== null && ($memory ?? 0) > 0 && $used >= ($evicts ? 0.9 : 0.8) * $memory;
        if (!$evicts) {
            $add('never_evicts', $address, 'evicts nothing (-M) and rejects writes when full');
        }
        if (($evictions ?? 0) > 0) {
            $add($keeps_sessions ? 'session_evictions' : 'evictions', $address, "$evictions items evicted in ", $seconds($row['uptime'] ?? 0), ', ',
                $row['evicted_unfetched'] ?? 0, ' of them never read: memory of ', $bytes($memory ?? 0), ' is full');
        } elseif ($is_full && $evicts) {
            $add('nearly_full', $address, $bytes($used), ' of ', $bytes($memory), ' in use');
        } elseif ($is_full) {
            $add('full', $address, 'items use ', $bytes($used), ' of ', $bytes($memory),
                ', and the server evicts nothing (-M): it rejects writes, or soon will');
        }
        if (($memory ?? 0) > 0 && $memory <= 64 << 20) {
            $add('small_memory', $address, 'memory is limited to ', $bytes($memory), ' (-m)');
        }
    };
    $judge_connections = static function (array $server, array $row) use ($add, $whole, $seconds): void {
        ['address' => $address] = $server;
        $idle = $whole($server['settings']['idle_timeout'] ?? null) ?? 0;
        if ($idle > 0) {
            $add('idle_timeout', $address, 'connections are closed after ', $seconds($idle), ' idle (-o idle_timeout)');
        }
        if (($row['connections_rejected'] ?? 0) > 0) {
            $add('rejected_connections', $address, "$row[connections_rejected] connections rejected");
        }
        if ($row['connections'] !== null && ($row['connections_max'] ?? 0) > 0 && $row['connections'] >= 0.9 * $row['connections_max']) {
            $add('many_connections', $address, "$row[connections] of $row[connections_max] connections in use");
        }
    };
    $judge_cas = static function (array $server, array $row) use ($add): void {
        if ($row['cas'] === false) {
            $add('no_cas', $server['address'], 'no CAS values (-C)');
        } elseif ($server['takes_cas'] === false) {
            $add('no_cas', $server['address'], 'no "cas" command, or no CAS values');
        }
    };
    $judge_access = static function (array $server, array $row) use ($add): void {
        ['address' => $address] = $server;
        if (($row['udp_port'] ?? 0) > 0) {
            $add('udp', $address, "listens on UDP port $row[udp_port]");
        }
        if ($row['flush'] === false) {
            $add('no_flush', $address, 'rejects flush_all (-F)');
        }
        $is_on_all_addresses = ($server['settings']['inter'] ?? '') === 'NULL';
        if ($server['kind'] === 'tcp' && !$server['is_tls'] && $is_on_all_addresses && $row['password'] === false) {
            $add('public_address', $address, 'listens on all addresses without a password');
        }
    };
    // Compares each reported value with the first reported one.
    $find_different = static function (string $key, array $rows): ?array {
        $first = null;
        foreach ($rows as $address => $row) {
            $first ??= $row[$key] === null ? null : $address;
            if ($first !== null && $row[$key] !== null && $row[$key] !== $rows[$first][$key]) {
                return ["$address", $row[$key], $first, $rows[$first][$key]];
            }
        }
        return null;
    };

    // --- the Pool ---

    $judge_discovery = static function (array $discovery, array $state) use ($add): void {
        ['endpoint' => $endpoint, 'version' => $version] = $discovery;
        ['trouble' => $trouble, 'has_failed' => $has_failed] = $state;
        if ($version === null) {
            $add('no_discovery', $endpoint, $trouble === null ? 'no server list received yet' : "the endpoint $trouble");
        } elseif ($has_failed) {
            $add('stale_discovery', $endpoint, "the endpoint $trouble; version $version of its list remains in use");
        } elseif ($trouble !== null) {
            $add('stale_discovery', $endpoint, "the endpoint $trouble");
        }
    };
    // Larger values are probably milliseconds, smaller ones too short.
    $judge_timeout = static function (string $setting, float $timeout) use ($add, $seconds): void {
        if ($timeout >= 5) {
            $add('long_timeout', $setting, 'set to ', $seconds($timeout));
        } elseif ($timeout < 0.01) {
            $add('short_timeout', $setting, 'set to ', $seconds($timeout));
        }
    };
    $judge_times = static function () use ($add, $seconds, $judge_timeout, $pool, $facts): void {
        $judge_timeout('mcpatterns.connect_timeout', $pool['connect_timeout']);
        $judge_timeout('mcpatterns.timeout', $pool['timeout']);
        if ($pool['retry_after'] == 0) {
            $add('no_retry_after', 'mcpatterns.retry_after', 'set to 0: each call tries a failed server again');
        } elseif ($pool['retry_after'] > 60) {
            $add('long_retry_after', 'mcpatterns.retry_after', 'set to ', $seconds($pool['retry_after']));
        }
        if (!$pool['is_persistent']) {
            $add('not_persistent', 'mcpatterns.persistent', 'connections are closed with each Pool');
        }
        if ($pool['fails_over'] && !isset($facts['servers'][1])) {
            $add('failover_single_server', $facts['servers'][0]['address'], 'failover is on with only 1 server');
        }
    };
    $judge_tls = static function (array $server) use ($add, $pool): void {
        $tls = $pool['tls'];
        $unverified = match (true) {
            isset($tls['peer_fingerprint']) => null,
            ($tls['verify_peer'] ?? true) === false => 'certificate is not verified (verify_peer)',
            ($tls['verify_peer_name'] ?? true) === false => 'certificate name is not verified (verify_peer_name)',
            ($tls['allow_self_signed'] ?? false) === true => 'self-signed certificates are accepted (allow_self_signed)',
            default => null,
        };
        if ($server['is_tls'] && $unverified !== null) {
            $add('tls_unverified', $server['address'], $unverified);
        }
        if (!$server['is_tls'] && $server['is_far'] && $server['has_password']) {
            $add('password_in_clear', $server['address'], 'password is sent without TLS');
        }
    };
    $judge_values = static function () use ($add, $mode, $pool, $facts, $settings): void {
        if ($pool['key_mode'] !== null && ($pool['key_mode'] & 0o004) !== 0) {
            $add('key_readable', isset($pool['tls']['local_pk']) ? 'mcpatterns.tls_local_pk' : 'mcpatterns.tls_local_cert',
                'private key is readable by all users of this host: file mode is ', $mode($pool['key_mode']));
        }
        if ($settings['shared_memory_group'] !== '' && $settings['shared_memory'] > 0 && !$pool['is_signed']) {
            $add('unsigned_sharing', 'mcpatterns.shared_memory_group', "all users of group \"$settings[shared_memory_group]\" can write the near values of others, and values are not signed");
        }
        foreach ($facts['servers'] as $server) {
            if ($server['is_far'] && !$pool['is_signed'] && !$pool['limits_classes']) {
                $add('any_class', $server['address'], 'unsigned values come over a network and can create objects of any class');
                break;
            }
        }
        if ($settings['serializer'] === '' && $pool['serializer'] === 'php' && !$pool['has_igbinary']) {
            $add('serializer', 'mcpatterns.serializer', "igbinary is not loaded, PHP's serializer is used");
        }
    };

    // --- the host ---

    $judge_shared_memory = static function () use ($add, $settings): void {
        if ($settings['shared_memory_trouble'] !== null) {
            $add('shared_memory', 'mcpatterns.shared_memory', $settings['shared_memory_trouble']);
        } elseif ($settings['shared_memory'] === 0) {
            $add('no_shared_memory', 'mcpatterns.shared_memory', 'set to 0: processes share no near values and metrics, and do not wake each other');
        } elseif ($settings['shared_memory_path'] === '') {
            $add('shared_memory_alone', 'mcpatterns.shared_memory_path', 'empty: php-fpm and the command line have separate memory');
        }
    };
    $judge_settings = static function () use ($add, $settings): void {
        if (!$settings['metrics']) {
            $add('no_metrics', 'mcpatterns.metrics', 'metrics are off');
        }
        if ($settings['item_size_limit'] === 0) {
            $add('no_item_size_limit', 'mcpatterns.item_size_limit', 'set to 0: replies of servers have no size limit');
        }
        if (!$settings['opcache']) {
            $add('no_opcache', 'opcache.enable', 'opcache is not loaded or is off');
        }
        if ($settings['report_key_drift']) {
            $add('key_drift', 'mcpatterns.report_key_drift', 'on: Key::of() keeps all its parameters until the request ends');
        }
    };

    // --- PHP's sessions ---

    $judge_locking = static function () use ($add, $seconds, $session): void {
        ['lock_expire' => $expire, 'lock_wait' => $wait, 'locking' => $locking, 'format' => $format] = $session;
        $longest = $session['max_execution_time'];
        if ($locking === 'lock' && $longest > 0 && $expire < $longest) {
            $add('session_lock_short', 'mcpatterns.session_lock_expire', 'set to ', $seconds($expire), ', max_execution_time is ', $seconds($longest));
        }
        // The last attempt is made after the lock has expired.
        if ($locking === 'lock' && $wait < $expire + 1) {
            $add('session_wait_short', 'mcpatterns.session_lock_wait', 'set to ', $seconds($wait), ', a lock lasts ', $seconds($expire));
        }
        if ($locking === 'none') {
            $add('session_unlocked', 'mcpatterns.session_locking', 'set to none: requests of one session run concurrently');
        }
        if ($locking === 'merge' && $format !== 'php' && $format !== 'php_serialize') {
            $add('session_merge', 'session.serialize_handler', "set to $format, which cannot be merged");
        }
    };
    $judge_sessions = static function () use ($add, $session, $judge_locking): void {
        $judge_locking();
        $path = $session['save_path'];
        if ($path !== '') {
            $path[0] === '/' ? $add('session_path_is_directory', 'session.save_path', "\"$path\" is a path, not a server list")
                : $add('session_servers', 'session.save_path', 'has a server list of its own, not checked');
        }
        if (!$session['strict_mode']) {
            $add('session_strict_mode', 'session.use_strict_mode', 'off');
        }
        if ($session['key_file'] === '') {
            $add('session_unsigned', 'mcpatterns.session_key_file', 'sessions are not signed');
        }
    };
    $judge_unused_sessions = static function () use ($add, $session): void {
        $changed = match (true) {
            $session['key_file'] !== '' => 'mcpatterns.session_key_file',
            $session['foreign'] !== '' => 'mcpatterns.session_foreign_prefix',
            $session['prefix'] !== '' => 'mcpatterns.session_prefix',
            $session['failover'] => 'mcpatterns.session_failover',
            $session['locking'] !== 'lock' => 'mcpatterns.session_locking',
            default => null,
        };
        if ($changed !== null && $session['handler'] !== '' && $session['handler'] !== 'user') {
            $add('session_settings_unused', $changed, "set, but session.save_handler is $session[handler]");
        }
    };

    // --- all of it ---

    $rows = [];
    foreach ($facts['servers'] as $server) {
        $row = $rows[$server['address']] = $tell($server);
        if ($server['kind'] === 'memory') {
            $add($keeps_sessions ? 'session_memory' : 'memory_server', $server['address'], 'stored in the memory of this process only');
            continue;
        }
        $judge_socket($server);
        if ($server['has_statistics']) {
            $judge_speed($server);
            $judge_version($server, $row);
            $judge_clock($server, $row);
            $judge_items($server, $row);
            $judge_memory($server, $row);
            $judge_connections($server, $row);
            $judge_cas($server, $row);
            $judge_access($server, $row);
        } elseif ($server['answers']) {
            $add('no_statistics', $server['address'], 'replies without statistics: a proxy');
            $judge_cas($server, $row);
        } else {
            $judge_failure($server);
        }
    }
    if ($different = $find_different('version', $rows)) {
        $add('different_versions', $different[0], "memcached $different[1], but $different[2] runs $different[3]");
    }
    if ($different = $find_different('item_size', $rows)) {
        $add('different_item_sizes', $different[0], 'largest item is ', $bytes($different[1]), ", but $different[2] allows ", $bytes($different[3]));
    }
    if ($pool === null) {
        $add('settings', 'php.ini', $facts['mistake']);
    } else {
        isset($facts['discovery']) && $judge_discovery($facts['discovery'], $facts['discovery_state']);
        $judge_times();
        foreach ($facts['servers'] as $server) {
            $judge_tls($server);
        }
        $judge_values();
    }
    $judge_shared_memory();
    $judge_settings();
    $has_sessions ? $judge_sessions() : $judge_unused_sessions();
    $report = ['findings' => $findings, 'servers' => $rows];
    return isset($facts['discovery']) ? $report + ['discovery' => $facts['discovery'], 'host' => $host] : $report + ['host' => $host];
};
