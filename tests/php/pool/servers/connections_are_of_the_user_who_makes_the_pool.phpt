--TEST--
Connections belong to the user and group that opened them
--EXTENSIONS--
mcpatterns
posix
--SKIPIF--
<?php
if (posix_geteuid() !== 0) {
    die('skip needs root');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

const NOBODY = 65534;
$server = start_memcached();
let_others_pass($server->host);
chmod($server->host, 0700);
ini_set('mcpatterns.servers', $server->address);

function tell(string $who, string $address): void
{
    $made = [
        'default' => Pool::default(),
        'list' => new Pool([$address, 'memory://other'], persistent: true),
        'own' => new Pool($address, persistent: false),
    ];
    foreach (array_filter([Transport::Libmemcached, Transport::Direct]) as $transport) {
        $made[$transport->name] = new Pool($address, retryAfter: 0, transport: $transport);
    }
    echo "$who:";
    foreach ($made as $name => $pool) {
        $is_there = $pool->ping()[$address] !== null;
        $why = $pool->lastErrors()[$address]['message'] ?? '';
        echo " $name ", $is_there ? 'open' : (str_contains($why, 'permission') ? 'refused' : "failed ($why)");
    }
    echo "\n";
}

// By libmemcached, whatever the others go by: statistics are a connection beside it.
$connections = fn (): int => (int) (new Pool($server->address, transport: Transport::Libmemcached))->stats()[$server->name]['total_connections'];

tell('root', $server->address);
posix_seteuid(NOBODY);
tell('another user', $server->address);
posix_seteuid(0);
$before = $connections();
tell('root again', $server->address);
echo 'opened, with own and one for statistics: ', $connections() - $before, "\n";
chmod($server->host, 0770);
chgrp($server->host, 0);
posix_setegid(NOBODY);
posix_seteuid(NOBODY);
tell('another user and group', $server->address);
posix_seteuid(0);
posix_setegid(0);
$before = $connections();
tell('root again', $server->address);
echo 'opened, with own and one for statistics: ', $connections() - $before, "\n";
?>
--EXPECT--
root: default open list open own open Libmemcached open Direct open
another user: default refused list refused own refused Libmemcached refused Direct refused
root again: default open list open own open Libmemcached open Direct open
opened, with own and one for statistics: 2
another user and group: default refused list refused own refused Libmemcached refused Direct refused
root again: default open list open own open Libmemcached open Direct open
opened, with own and one for statistics: 2
