--TEST--
A lock from another PID namespace is held until it expires (L11)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
exec('unshare --pid --fork true 2>/dev/null', $output, $code);
$code === 0 or die('skip this user may make no namespace');
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
$code = '[, $address, $name] = $argv; $lock = new McPatterns\Lock(new McPatterns\Pool($address, timeout: 10), $name, ttl: 3600);
    $lock->acquire(); exec("kill -9 " . getmypid());';
foreach (['own' => [], 'another' => ['unshare', '--pid', '--fork', 'sh', '-c', '"$@"; true', 'sh']] as $name => $before) {
    $log = $server->path("$name.log");
    proc_close(start_process([...$before, PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-r', $code, '--',
        $server->address, $name], $log));
    $is_written = preg_match('/^lock2 [0-9a-f]{16} \d+ \d+ \d+ /m', $server->raw("get lock:$name"));
    echo "$name: ", json_encode([$is_written, (new Lock(new Pool($server->address, timeout: 10), $name))->acquire()]), "\n";
}
?>
--EXPECT--
own: [1,true]
another: [1,false]
