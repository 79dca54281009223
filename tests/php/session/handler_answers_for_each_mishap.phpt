--TEST--
Kills, destroys, forged items, other formats and outages cost no session
--EXTENSIONS--
mcpatterns
session
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session', 'pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
use_sessions($server->address, ['mcpatterns.session_lock_wait' => '0']);
[$first, $second] = [new SessionClient, new SessionClient];
$first->begin();
$first->set('old', 1);
$first->close();

echo "A holder that was killed\n";
$killed = new SessionClient;
$killed->begin();
$killed->kill();
echo json_encode($first->begin()), "\n";
$first->close();

echo "Destroyed while another request runs\n";
foreach (['merge', 'none'] as $locking) {
    foreach ([$first, $second] as $client) {
        $client->run("ini_set('mcpatterns.session_locking', '$locking');");
    }
    $first->begin("of-$locking");
    $first->set('a', 1);
    $first->close();
    $first->begin("of-$locking");
    $second->begin("of-$locking");
    $second->run('session_destroy();');
    $first->set('a', 2);
    $first->close();
    echo "$locking: ", json_encode($second->begin("of-$locking")), "\n";
    $second->set('new', 1); // a lax site begins it anew, over the tombstone
    $second->close();
    $first->run('session_abort();');
    echo json_encode($first->begin("of-$locking")), "\n";
    $first->close();
}

echo "Merged\n";
foreach ([$first, $second] as $client) {
    $client->run("ini_set('mcpatterns.session_locking', 'merge'); ini_set('error_log', '/dev/null');");
}
$first->begin('merged');
$first->set('cart', ['a' => 1]);
$first->close();
foreach ([1, 2] as $depth) {
    $first->run("ini_set('mcpatterns.session_merge_depth', '$depth');");
    $first->begin('merged');
    $second->begin('merged');
    $second->run('unset($_SESSION["gone"]); $_SESSION["theirs"] = 1; $_SESSION["cart"]["b"] = 2;');
    $second->close();
    $first->run('$_SESSION["mine"] = 1; $_SESSION["gone"] = 1; $_SESSION["cart"]["c"] = 3;');
    $first->close();
    echo json_encode($second->begin('merged')), "\n";
    $second->run('session_abort();');
}

echo "Another serialize_handler\n";
foreach ([$first, $second] as $client) {
    $client->run("ini_set('mcpatterns.session_locking', 'lock');");
}
$second->run('ini_set("session.serialize_handler", "php_serialize");');
echo json_encode($second->begin()), "\n";
echo json_encode($first->begin()), "\n"; // it is not destroyed
$first->close();

echo "Forged, or copied from another id\n";
$items = [];
foreach (['one', 'other'] as $id) {
    $server->raw("delete sess:$id");
}
$server->raw("set sess:other 0 0 8\r\nold|i:1;");
echo json_encode($first->begin('other')), "\n";
$first->set('a', 1);
$first->close();
preg_match('/^VALUE \S+ (\d+) (\d+)\r\n(.*)\r\nEND/s', $server->raw('get sess:other'), $item);
$server->raw("set sess:copy $item[1] 0 $item[2]\r\n$item[3]");
echo json_encode([$first->begin('other'), $first->begin('copy')]), "\n";
$first->run('session_abort();');

echo "A child of a fork\n";
echo json_encode($first->run('begin_session("forked"); $_SESSION["parent"] = 1; $pid = pcntl_fork(); if ($pid === 0) { $_SESSION["child"] = 1; session_write_close(); send_signal(getmypid(), SIGNAL_KILL); }'
    . ' pcntl_waitpid($pid, $status); return session_write_close();')), ' ', json_encode($first->begin('forked')), "\n";
$first->close();

echo "Settings that are wrong\n";
foreach (['session.save_path' => '/var/lib/php/sessions', 'mcpatterns.session_prefix' => 'a b', 'session.gc_maxlifetime' => '0'] as $setting => $value) {
    $first->run("\$GLOBALS['before'] = ini_set('$setting', '$value');");
    $first->begin('one');
    $first->run("ini_set('$setting', \$GLOBALS['before']);");
}
echo json_encode([ini_set('mcpatterns.session_locking', 'x'), ini_set('mcpatterns.session_lock_wait', '-1'), ini_set('mcpatterns.session_lock_expire', '0'),
    ini_set('mcpatterns.session_merge_depth', '9'), ini_set('mcpatterns.session_key_file', '/x')]), "\n";

echo "A server that is away\n";
$first->begin('one');
$server->kill();
$first->set('a', 2);
$first->close();
echo json_encode($first->begin('one')), "\n";
$first->run('ini_set("session.use_strict_mode", "1");');
echo json_encode($first->begin('one')), "\n"; // no new id
?>
--EXPECT--
A holder that was killed
{"old":1}
Destroyed while another request runs
merge: []
{"new":1}
none: []
{"new":1}
Merged
{"cart":{"a":1,"c":3},"theirs":1,"mine":1,"gone":1}
{"cart":{"a":1,"c":3,"b":2},"theirs":1,"mine":1}
Another serialize_handler
  [the session was written by serialize_handler php, and session.serialize_handler is php_serialize; the stored session was kept]
  [Failed to read session data: mcpatterns (path: SERVER)]
null
{"old":1}
Forged, or copied from another id
[]
[{"a":1},[]]
A child of a fork
true {"parent":1,"child":1}
Settings that are wrong
  [the INI setting session.save_path must be servers, such as unix:///path, or empty for those of mcpatterns.servers; "/var/lib/php/sessions" is a path]
  [Failed to initialize storage module: mcpatterns (path: /var/lib/php/sessions)]
  [the INI setting mcpatterns.session_prefix must not contain spaces or control characters]
  [Failed to initialize storage module: mcpatterns (path: SERVER)]
  [session.gc_maxlifetime must be at least 1 second, 0 given]
  [Failed to initialize storage module: mcpatterns (path: SERVER)]
[false,false,false,false,false]
A server that is away
  [the session could not be stored on SERVER: the server could not be reached: connection refused, nothing listens there]
  [Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct (SERVER)]
  [the session could not be read on SERVER: the server could not be reached: connection refused, nothing listens there]
  [Failed to read session data: mcpatterns (path: SERVER)]
null
  [the session could not be read on SERVER: the server could not be reached: connection refused, nothing listens there]
  [Failed to read session data: mcpatterns (path: SERVER)]
null
