<?php
// What is wrong with servers, settings and this host, and what to change: Pool::diagnose() of the facts that C has collected.
// The bounds are those of docs/operate/doctor.md. The text of a finding is pieces for php_mcp_library_join().
/* SPDX-License-Identifier: MIT */
declare(strict_types=1);

return static function (array $facts): array {
    $kinds = [ // code => severity, advice; docs/operate/doctor.md explains them
        'unreachable' => ['error', 'Look whether memcached runs there, and whether a firewall lets this host pass.'],
        'unknown_host' => ['error', 'Correct the host\'s name, or this host\'s name service.'],
        'refused' => ['error', 'Start memcached there, or correct the address.'],
        'socket_missing' => ['error', 'Start memcached there, or correct the address.'],
        'socket_permission' => ['error', 'Start memcached with -a 0770 and a group that PHP\'s user is of, and let that group into the folder.'],
        'timeout' => ['error', 'Look at the server: it is stopped, swapped out or overloaded, or the network loses what it says.'],
        'connection_closed' => ['error', 'Look what listens there. A memcached that was started with -Z ends what does not begin by TLS: write \'tls://\', over Transport::Direct.'],
        'server_error' => ['error', 'Look at what it says: of a proxy, a server behind it is away; of memcached, it has no memory or no connection left.'],
        'invalid_response' => ['error', 'Look what listens there: it is no memcached, or it is broken.'],
        'password' => ['error', 'Give the Pool the user and the password of memcached\'s file (-Y), over Transport::Direct.'],
        'certificate' => ['error', 'Renew or correct the certificate, or name the authority (cafile) and the name (peer_name) that it is of.'],
        'tls' => ['error', 'Correct the options of TLS, or the address: \'tls://\' is for a memcached that was started with -Z.'],
        'slow' => ['warning', 'Look at the network and the server\'s load, or raise mcpatterns.timeout.'],
        'no_statistics' => ['notice', 'Ask the memcacheds behind it by their own addresses.'],
        'invalid_statistics' => ['warning', 'Look what listens there: memcached tells all of these.'],
        'old_version' => ['warning', 'Install a memcached of 1.6.18 or later; what older ones are known for can be read in its release notes.'],
        'no_meta' => ['notice', 'Install a memcached of 1.6.13 or later: elections then take a round trip less.'],
        'no_cas' => ['error', 'Start memcached without -C, or take a memcached where something else listens: elections, locks and sessions need cas.'],
        'small_items' => ['warning', 'Start memcached with -I 1m, its default: larger values are not stored, and computed each time.'],
        'large_items' => ['warning', 'Lower memcached\'s -I, or raise mcpatterns.item_size_limit on all hosts: what is above it is neither stored nor read.'],
        'evictions' => ['warning', 'Raise memcached\'s -m, or give values shorter lives; locks and counters belong on a memcached of their own.'],
        'session_evictions' => ['error', 'Give the sessions a memcached of their own that never fills, or raise its -m: who is evicted is logged out.'],
        'never_evicts' => ['notice', 'Start memcached without -M, unless somebody is woken before it is full: then it stores nothing more.'],
        'full' => ['error', 'Raise memcached\'s -m, or start it without -M: nothing more is stored there when it is full.'],
        'nearly_full' => ['notice', 'Raise memcached\'s -m before it evicts what is in use.'],
        'small_memory' => ['notice', 'Give memcached the memory that its values need (-m); the default of 64 MB is for trying.'],
        'rejected_connections' => ['warning', 'Raise memcached\'s -c above the number of all hosts\' workers, and 50 more.'],
        'many_connections' => ['warning', 'Raise memcached\'s -c above the number of all hosts\' workers, and 50 more.'],
        'idle_timeout' => ['notice', 'Start memcached without -o idle_timeout, or give it more than workers are idle for: each connection that it ends is made anew.'],
        'udp' => ['warning', 'Start memcached with -U 0: by UDP anybody can have it answer somebody else.'],
        'restarted' => ['notice', 'Nothing, if it was meant: it began empty. If not, look why it ended.'],
        'no_flush' => ['notice', 'Nothing, if it is meant (-F): Pool::flush() does not empty it. Cache::clear() works.'],
        'clock' => ['warning', 'Have the clocks of all hosts kept (chrony, systemd-timesyncd). A memcached reads its host\'s clock when it starts: if that is right now, restart it.'],
        'public_address' => ['notice', 'Start memcached with -l and a private address, behind a firewall, or with -Z and -Y.'],
        'socket_open_to_all' => ['warning', 'Start memcached with -a 0770, and a group that only the application\'s users are of.'],
        'memory_server' => ['warning', 'Name a memcached instead: memory servers are for tests, and each process has its own.'],
        'different_versions' => ['notice', 'Install the same memcached everywhere.'],
        'different_item_sizes' => ['warning', 'Start all of them with the same -I: whether a value is stored depends on its key otherwise.'],
        'settings' => ['error', 'Correct the setting: no Pool can be made of it.'],
        'long_timeout' => ['warning', 'Take seconds, as 0.2 and 0.5: a server that hangs costs each worker so long. php-memcached\'s are milliseconds.'],
        'short_timeout' => ['warning', 'Take at least 0.05: what a busy host delays for a moment would be a failure.'],
        'no_retry_after' => ['warning', 'Take 1 or more: each call waits for a server that hangs otherwise.'],
        'long_retry_after' => ['warning', 'Take seconds, as 1 to 10: a server that has come back is left alone for so long.'],
        'not_persistent' => ['notice', 'Set mcpatterns.persistent to 1, unless each request is to connect anew.'],
        'failover_single_server' => ['notice', 'Name a second server, or leave failover out: there is nothing to fail over to.'],
        'tls_unverified' => ['warning', 'Have certificates verified, by cafile and peer_name: anybody between can answer in the server\'s place.'],
        'password_in_clear' => ['warning', 'Write the server as \'tls://\', or take a unix socket: the password travels as it is.'],
        'key_readable' => ['warning', 'Give the private key\'s file to PHP\'s user alone, with the mode 0600.'],
        'unsigned_sharing' => ['warning', 'Give the Pool a signingKey, or take a group of those alone who may run code as each other.'],
        'any_class' => ['notice', 'Give the Pool a signingKey or allowedClasses, or take a unix socket: whoever reaches the port can have PHP make any object.'],
        'serializer' => ['notice', 'Load igbinary on every host, or set mcpatterns.serializer to php on every host: what another host writes by igbinary is a miss here.'],
        'no_discovery' => ['error', 'Correct the endpoint\'s address, or start what listens there: until it tells its servers nothing is stored.'],
        'stale_discovery' => ['warning', 'Check the endpoint. A cluster that was recreated under its name counts its versions from 1: the tenth answer in a row is accepted.'],
        'shared_memory' => ['error', 'Correct mcpatterns.shared_memory_path, _group or _mode, or who owns the file and its folder, and start PHP anew.'],
        'no_shared_memory' => ['notice', 'Set mcpatterns.shared_memory to 16M: near values, metrics and waking need it.'],
        'shared_memory_alone' => ['notice', 'Set mcpatterns.shared_memory_path to the same file for php-fpm and the command line.'],
        'no_metrics' => ['notice', 'Set mcpatterns.metrics to 1, unless nobody is to see what the caches do.'],
        'no_item_size_limit' => ['warning', 'Set mcpatterns.item_size_limit to 64M: a server can have a worker take any memory otherwise.'],
        'no_opcache' => ['notice', 'Load opcache: without it each request compiles the code whose results are cached.'],
        'key_drift' => ['notice', 'Set mcpatterns.report_key_drift to 0: it is for development.'],
        'session_servers' => ['notice', 'Ask these as well, by their addresses.'],
        'session_path_is_directory' => ['error', 'Set session.save_path to the servers, or to an empty text: then they are those of mcpatterns.servers.'],
        'session_memory' => ['error', 'Name a memcached: each worker has sessions of its own otherwise, and they end with it.'],
        'session_unlocked' => ['warning', 'Take lock or merge: of two requests of one session the later one undoes what the other has changed.'],
        'session_lock_short' => ['warning', 'Give session_lock_expire more than requests last: another takes the session over in the middle.'],
        'session_wait_short' => ['warning', 'Give session_lock_wait a second more than session_lock_expire: who waits for a killed request fails otherwise.'],
        'session_merge' => ['warning', 'Set session.serialize_handler to php or php_serialize: sessions of other forms cannot be merged.'],
        'session_strict_mode' => ['warning', 'Set session.use_strict_mode to 1: ids that somebody made up are taken otherwise.'],
        'session_unsigned' => ['notice', 'Give mcpatterns.session_key_file a file with a secret: whoever reaches the port can write sessions otherwise.'],
        'session_settings_unused' => ['warning', 'Set session.save_handler to mcpatterns, or take the setting away.'],
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

    // --- what a server tells ---

    // A number that is none is not told.
    $whole = static fn (int|string|null $line): ?int => $line === (int) $line && $line >= 0 ? $line : null;
    // The authentication file's name stands in the place of a "yes".
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
    // "1.6.21" as far as it is numbers, and no more than three.
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
        // Meta commands came with 1.6.0.
        $guess = $is_memory || !isset($parts[1]) ? null : $parts[0] > 1 || ($parts[0] === 1 && $parts[1] >= 6);
        return [
            'answers' => $server['answers'],
            'error' => $server['error'],
            'seconds' => $server['seconds'],
            'tls' => $server['is_tls'],
            'version' => $version === '' ? null : $version,
            'meta' => $server['knows_meta'] ?? $guess,
            // The server told a whole second, at some moment of the round trip.
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

    // --- a server that does not answer as it should ---

    $judge_failure = static function (array $server) use ($add, $mode, $host, $facts): void {
        ['address' => $address, 'failure' => $failure, 'error' => $error, 'socket' => $socket] = $server;
        if ($failure === 'socket_permission' && $socket !== null) {
            $add($failure, $address, "$error; the socket is of user $socket[user] and group $socket[group] with the mode ", $mode($socket['mode']),
                ", and this PHP runs as user $host[user] and group $facts[group]");
        } elseif ($failure !== null) { // null: the endpoint's list is missing, which is a finding by itself
            $add($failure, $address, $error);
        }
    };
    $judge_socket = static function (array $server) use ($add, $mode): void {
        $socket = $server['socket'];
        if ($socket !== null && $socket['is_socket'] && ($socket['mode'] & 0o002) !== 0) {
            $add('socket_open_to_all', $server['address'], 'every user of this host may write to the socket: its mode is ', $mode($socket['mode']));
        }
    };

    // --- a server that answers ---

    // Slow is who needs half of the time for an answer that has nothing to do with its items.
    $judge_speed = static function (array $server) use ($add, $seconds, $pool): void {
        if ($server['is_cut_short']) {
            $add('slow', $server['address'], 'its statistics took ', $seconds($server['seconds']), ', so that it was asked no more');
        } elseif ($server['quickest'] > $pool['timeout'] / 2) {
            $add('slow', $server['address'], 'it takes ', $seconds($server['quickest']), ' to answer, and is waited for ', $seconds($pool['timeout']));
        }
    };
    $judge_version = static function (array $server, array $row) use ($add, $parts_of, $pool): void {
        $address = $server['address'];
        $parts = $parts_of($row['version'] ?? '');
        if (!isset($parts[1]) || $row['time'] === null || $row['uptime'] === null || ($row['memory'] ?? 0) === 0) {
            $add('invalid_statistics', $address, 'its statistics lack a version, the time, its uptime or its memory, or they make no sense');
        }
        // One request ends 1.6.0 (CVE-2020-10931), and what is older has others.
        if (isset($parts[2]) && $parts[0] === 1 && ($parts[1] < 6 || ($parts[1] === 6 && $parts[2] < 2))) {
            $add('old_version', $address, "it is memcached $row[version]");
        }
        if ($pool['is_direct'] && $row['meta'] === false) {
            $add('no_meta', $address, 'it does not know the meta commands, or those of before 1.6.13, which are not used');
        }
    };
    // memcached tells a whole second, and looks at the time once in each, now and then once in two.
    $judge_clock = static function (array $server, array $row) use ($add, $seconds): void {
        $skew = $row['skew'] ?? 0.0;
        $distance = $skew < 0 ? -$skew : $skew;
        if ($distance > 3) {
            $add('clock', $server['address'], 'its clock is ', $seconds((int) ($distance + 0.5)), $skew > 0 ? ' ahead of' : ' behind', " this host's");
        }
        if ($row['uptime'] !== null && $row['uptime'] < 300) {
            $add('restarted', $server['address'], 'it was started less than 5 minutes ago');
        }
    };
    $judge_items = static function (array $server, array $row) use ($add, $bytes, $settings): void {
        ['address' => $address] = $server;
        $size = $row['item_size'];
        if ($size !== null && $size < 1 << 20) {
            $add('small_items', $address, 'it takes no value of more than ', $bytes($size), ' (-I)');
        }
        if ($size !== null && $settings['item_size_limit'] > 0 && $size > $settings['item_size_limit']) {
            $add('large_items', $address, 'it takes values of up to ', $bytes($size), ' (-I), and mcpatterns.item_size_limit is ', $bytes($settings['item_size_limit']));
        }
    };
    $judge_memory = static function (array $server, array $row) use ($add, $bytes, $seconds, $keeps_sessions): void {
        ['address' => $address] = $server;
        ['memory' => $memory, 'memory_used' => $used, 'evictions' => $evictions] = $row;
        $evicts = $row['evicts'] ?? true;
        // Items take between four fifths and all of a memory that is handed out to slabs as a whole, by their sizes.
        $is_full = $used !== null && ($memory ?? 0) > 0 && $used >= ($evicts ? 0.9 : 0.8) * $memory;
        if (!$evicts) {
            $add('never_evicts', $address, 'it evicts nothing (-M), and refuses what is written when it is full');
        }
        if (($evictions ?? 0) > 0) {
            $add($keeps_sessions ? 'session_evictions' : 'evictions', $address, "it has evicted $evictions items in ", $seconds($row['uptime'] ?? 0), ', ',
                $row['evicted_unfetched'] ?? 0, ' of them never read: its memory of ', $bytes($memory ?? 0), ' is full');
        } elseif ($is_full && $evicts) {
            $add('nearly_full', $address, $bytes($used), ' of its ', $bytes($memory), ' are in use');
        } elseif ($is_full) {
            $add('full', $address, 'items take ', $bytes($used), ' of its ', $bytes($memory),
                ', and it evicts nothing (-M): it refuses what is written, or is about to');
        }
        if (($memory ?? 0) > 0 && $memory <= 64 << 20) {
            $add('small_memory', $address, 'it has no more than ', $bytes($memory), ' of memory (-m)');
        }
    };
    $judge_connections = static function (array $server, array $row) use ($add, $whole, $seconds): void {
        ['address' => $address] = $server;
        $idle = $whole($server['settings']['idle_timeout'] ?? null) ?? 0;
        if ($idle > 0) {
            $add('idle_timeout', $address, 'it ends connections that were idle for ', $seconds($idle), ' (-o idle_timeout)');
        }
        if (($row['connections_rejected'] ?? 0) > 0) {
            $add('rejected_connections', $address, "it has rejected $row[connections_rejected] connections");
        }
        if ($row['connections'] !== null && ($row['connections_max'] ?? 0) > 0 && $row['connections'] >= 0.9 * $row['connections_max']) {
            $add('many_connections', $address, "$row[connections] of its $row[connections_max] connections are in use");
        }
    };
    $judge_cas = static function (array $server, array $row) use ($add): void {
        if ($row['cas'] === false) {
            $add('no_cas', $server['address'], 'it gives no cas ids (-C)');
        } elseif ($server['takes_cas'] === false) {
            $add('no_cas', $server['address'], 'it takes no "cas", or gives no ids for it');
        }
    };
    $judge_access = static function (array $server, array $row) use ($add): void {
        ['address' => $address] = $server;
        if (($row['udp_port'] ?? 0) > 0) {
            $add('udp', $address, "it listens to UDP on port $row[udp_port]");
        }
        if ($row['flush'] === false) {
            $add('no_flush', $address, 'it refuses to be emptied');
        }
        $is_on_all_addresses = ($server['settings']['inter'] ?? '') === 'NULL';
        if ($server['kind'] === 'tcp' && !$server['is_tls'] && $is_on_all_addresses && $row['password'] === false) {
            $add('public_address', $address, 'it listens on all addresses of its host, and asks nobody for a password');
        }
    };
    // Compares those that have told it with the first that has.
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
            $add('no_discovery', $endpoint, 'it ', $trouble ?? 'has not told its list of servers yet');
        } elseif ($has_failed) {
            $add('stale_discovery', $endpoint, "it $trouble; version $version of its list holds on");
        } elseif ($trouble !== null) {
            $add('stale_discovery', $endpoint, "it $trouble");
        }
    };
    // More is taken for milliseconds, and less for too little.
    $judge_timeout = static function (string $setting, float $timeout) use ($add, $seconds): void {
        if ($timeout >= 5) {
            $add('long_timeout', $setting, 'it is ', $seconds($timeout));
        } elseif ($timeout < 0.01) {
            $add('short_timeout', $setting, 'it is ', $seconds($timeout));
        }
    };
    $judge_times = static function () use ($add, $seconds, $judge_timeout, $pool, $facts): void {
        $judge_timeout('mcpatterns.connect_timeout', $pool['connect_timeout']);
        $judge_timeout('mcpatterns.timeout', $pool['timeout']);
        if ($pool['retry_after'] == 0) {
            $add('no_retry_after', 'mcpatterns.retry_after', 'it is 0: a server that failed is asked again by each call');
        } elseif ($pool['retry_after'] > 60) {
            $add('long_retry_after', 'mcpatterns.retry_after', 'it is ', $seconds($pool['retry_after']));
        }
        if (!$pool['is_persistent']) {
            $add('not_persistent', 'mcpatterns.persistent', 'connections end with each Pool');
        }
        if ($pool['fails_over'] && !isset($facts['servers'][1])) {
            $add('failover_single_server', $facts['servers'][0]['address'], 'failover is on, and this is the only server');
        }
    };
    $judge_tls = static function (array $server) use ($add, $pool): void {
        $tls = $pool['tls'];
        $unverified = match (true) {
            isset($tls['peer_fingerprint']) => null,
            ($tls['verify_peer'] ?? true) === false => 'its certificate is not verified (verify_peer)',
            ($tls['verify_peer_name'] ?? true) === false => 'its certificate may be for another name (verify_peer_name)',
            ($tls['allow_self_signed'] ?? false) === true => "its certificate may be anybody's own (allow_self_signed)",
            default => null,
        };
        if ($server['is_tls'] && $unverified !== null) {
            $add('tls_unverified', $server['address'], $unverified);
        }
        if (!$server['is_tls'] && $server['is_far'] && $server['has_password']) {
            $add('password_in_clear', $server['address'], 'it is given a password without TLS');
        }
    };
    $judge_values = static function () use ($add, $mode, $pool, $facts, $settings): void {
        if ($pool['key_mode'] !== null && ($pool['key_mode'] & 0o004) !== 0) {
            $add('key_readable', isset($pool['tls']['local_pk']) ? 'mcpatterns.tls_local_pk' : 'mcpatterns.tls_local_cert',
                "every user of this host may read the private key: the file's mode is ", $mode($pool['key_mode']));
        }
        if ($settings['shared_memory_group'] !== '' && $settings['shared_memory'] > 0 && !$pool['is_signed']) {
            $add('unsigned_sharing', 'mcpatterns.shared_memory_group', "all users of the group \"$settings[shared_memory_group]\""
                . ' may write what others are answered near, and no value is signed');
        }
        foreach ($facts['servers'] as $server) {
            if ($server['is_far'] && !$pool['is_signed'] && !$pool['limits_classes']) {
                $add('any_class', $server['address'], 'its values are unsigned, come over a network, and may make objects of any class');
                break;
            }
        }
        if ($settings['serializer'] === '' && $pool['serializer'] === 'php' && !$pool['has_igbinary']) {
            $add('serializer', 'mcpatterns.serializer', "igbinary is not loaded, so that PHP's own serializer is taken");
        }
    };

    // --- the host ---

    $judge_shared_memory = static function () use ($add, $settings): void {
        if ($settings['shared_memory_trouble'] !== null) {
            $add('shared_memory', 'mcpatterns.shared_memory', "it cannot be used: $settings[shared_memory_trouble]");
        } elseif ($settings['shared_memory'] === 0) {
            $add('no_shared_memory', 'mcpatterns.shared_memory', 'it is 0: processes share no near values and no figures, and do not wake each other');
        } elseif ($settings['shared_memory_path'] === '') {
            $add('shared_memory_alone', 'mcpatterns.shared_memory_path', 'it is empty: php-fpm and the command line have a memory each');
        }
    };
    $judge_settings = static function () use ($add, $settings): void {
        if (!$settings['metrics']) {
            $add('no_metrics', 'mcpatterns.metrics', 'nothing is counted');
        }
        if ($settings['item_size_limit'] === 0) {
            $add('no_item_size_limit', 'mcpatterns.item_size_limit', 'it is 0: what a server may answer has no bound');
        }
        if (!$settings['opcache']) {
            $add('no_opcache', 'opcache.enable', 'opcache is not loaded, or is off');
        }
        if ($settings['report_key_drift']) {
            $add('key_drift', 'mcpatterns.report_key_drift', 'it is on: Key::of() keeps all that it was given until the request ends');
        }
    };

    // --- PHP's sessions ---

    $judge_locking = static function () use ($add, $seconds, $session): void {
        ['lock_expire' => $expire, 'lock_wait' => $wait, 'locking' => $locking, 'format' => $format] = $session;
        $longest = $session['max_execution_time'];
        if ($locking === 'lock' && $longest > 0 && $expire < $longest) {
            $add('session_lock_short', 'mcpatterns.session_lock_expire', 'it is ', $seconds($expire),
                ', and a request may run for max_execution_time, ', $seconds($longest));
        }
        // memcached is asked once more by who waits for a lock than it lasts.
        if ($locking === 'lock' && $wait < $expire + 1) {
            $add('session_wait_short', 'mcpatterns.session_lock_wait', 'it is ', $seconds($wait), ', and a lock lasts for ', $seconds($expire));
        }
        if ($locking === 'none') {
            $add('session_unlocked', 'mcpatterns.session_locking', 'it is none: requests of one session run side by side');
        }
        if ($locking === 'merge' && $format !== 'php' && $format !== 'php_serialize') {
            $add('session_merge', 'session.serialize_handler', "sessions are to be merged, and it is $format");
        }
    };
    $judge_sessions = static function () use ($add, $session, $judge_locking): void {
        $judge_locking();
        $path = $session['save_path'];
        if ($path !== '') {
            $path[0] === '/' ? $add('session_path_is_directory', 'session.save_path', "it is \"$path\", and no list of servers")
                : $add('session_servers', 'session.save_path', 'sessions are kept on servers of their own');
        }
        if (!$session['strict_mode']) {
            $add('session_strict_mode', 'session.use_strict_mode', 'it is off');
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
            $add('session_settings_unused', $changed, "it is set, and session.save_handler is $session[handler]");
        }
    };

    // --- all of it ---

    $rows = [];
    foreach ($facts['servers'] as $server) {
        $row = $rows[$server['address']] = $tell($server);
        if ($server['kind'] === 'memory') {
            $add($keeps_sessions ? 'session_memory' : 'memory_server', $server['address'], 'it is in the memory of this process alone');
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
            $add('no_statistics', $server['address'], 'it answers, but tells no statistics: a proxy');
            $judge_cas($server, $row);
        } else {
            $judge_failure($server);
        }
    }
    if ($different = $find_different('version', $rows)) {
        $add('different_versions', $different[0], "it is memcached $different[1], and $different[2] is $different[3]");
    }
    if ($different = $find_different('item_size', $rows)) {
        $add('different_item_sizes', $different[0], 'it takes values of up to ', $bytes($different[1]), ", and $different[2] of up to ", $bytes($different[3]));
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
