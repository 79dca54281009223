<?php
// Prints where php-memcached puts keys; arguments and output as picks.c.
// SPDX-License-Identifier: MIT

[, $distribution, $keys] = $argv;
$memcached = new Memcached();
if ($distribution === 'ketama') {
	$memcached->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
} elseif ($distribution === 'modulo') {
	$memcached->setOption(Memcached::OPT_DISTRIBUTION, Memcached::DISTRIBUTION_MODULA);
	$memcached->setOption(Memcached::OPT_HASH, Memcached::HASH_CRC);
}
$servers = [];
foreach (array_slice($argv, 3) as $server) {
	[$host, $port, $weight] = explode(':', $server);
	$servers[] = [$host, (int) $port, (int) $weight];
}
$memcached->addServers($servers);
$places = [];
foreach ($servers as $index => [$host, $port]) {
	$places["$host:$port"] = $index;
}
for ($i = 0; $i < (int) $keys; $i++) {
	$server = $memcached->getServerByKey(sprintf('user:%d:profile-%x', $i, $i * 2654435761 & 0xffffffff));
	echo $places["{$server['host']}:{$server['port']}"], "\n";
}
