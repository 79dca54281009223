--TEST--
Reloads, restarts and kills of php-fpm leave no session locked (E12, L11)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/fpm.inc';
require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
// A lock that is not taken over would be waited for, and the start fail.
$fpm = start_fpm(['session.save_handler' => 'mcpatterns', 'session.save_path' => $server->address, 'session.cache_limiter' => '',
    'mcpatterns.timeout' => '10', 'mcpatterns.session_lock_expire' => '3600', 'mcpatterns.session_lock_wait' => '60']);
$fpm->script('begins', 'session_start(); $_SESSION["name"] = "lost"; touch("$folder/begun"); sleep(600);');
$fpm->script('beside', 'ini_set("mcpatterns.session_lock_wait", "0.1"); echo @session_start() ? "started" : "not started";');
$fpm->script('next', '$is_started = @session_start(); echo $is_started ? "visit " . $_SESSION["visits"] = ($_SESSION["visits"] ?? 0) + 1 : "not started";');

$kill = function () use ($fpm): void {
    $killed = $fpm->workers();
    array_map(fn (int $pid) => send_signal($pid, SIGNAL_KILL), $killed);
    $fpm->await(fn () => array_intersect($killed, $fpm->workers()) === []);
};
$ends = [
    'reload' => $fpm->reload(...),
    'restart' => $fpm->restart(...),
    'kill -9' => $kill,
];
foreach ($ends as $name => $end) {
    $request = $fpm->send('begins', '', 'PHPSESSID=sessionofonevisitor');
    $fpm->await(fn () => file_exists("$fpm->folder/begun"));
    unlink("$fpm->folder/begun");
    echo 'beside it: ', $fpm->ask('beside', '', 'PHPSESSID=sessionofonevisitor'), "\n";
    $end();
    echo "$name: ", $fpm->ask('next', '', 'PHPSESSID=sessionofonevisitor'), "\n";
}
?>
--EXPECT--
beside it: not started
reload: visit 1
beside it: not started
restart: visit 2
beside it: not started
kill -9: visit 3
