--TEST--
Pool::diagnose() reports inaccessible unix sockets and ones open to everybody
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
use McPatterns\Pool;

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/doctor.inc';

const NOBODY = 65534;
$server = start_memcached(['memory' => 128]);
let_others_pass($server->host);
$names = [$server->name => 'SERVER'];
chmod($server->host, 0700);
posix_seteuid(NOBODY);
tell_findings(Pool::diagnose(new Pool($server->address)), [], $names);
posix_seteuid(0);
chmod(dirname($server->host), 0700);
posix_seteuid(NOBODY);
tell_findings(Pool::diagnose(new Pool($server->address, retryAfter: 2)), [], $names);
posix_seteuid(0);
tell_findings(Pool::diagnose(new Pool($server->address, retryAfter: 3)), [], $names);
chmod($server->host, 0777);
tell_findings(Pool::diagnose(new Pool($server->address, retryAfter: 4)), [], $names);
?>
--EXPECTF--
error socket_permission SERVER: the server could not be reached: permission denied; the socket belongs to user 0 and group 0 with mode 0700, PHP runs as user 65534 and group %d
error socket_permission SERVER: the server could not be reached: permission denied
warning socket_open_to_all SERVER: writable by all users of this host: socket mode is 0777
