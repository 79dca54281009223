--TEST--
A different /proc never makes a living holder's lock available (L11)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
exec('unshare --pid --fork --mount-proc unshare --mount umount /proc 2>/dev/null', $output, $code);
$code === 0 or die('skip this user may make no namespace');
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
// The holder is process 1, and another one bears that id in the other /proc.
$holder = <<<'PHP'
    [, $address, $before, $waiter] = $argv;
    $lock = new McPatterns\Lock(new McPatterns\Pool($address, timeout: 10), 'job', ttl: 3600);
    $php = [PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-r', $waiter, '--', $address];
    echo 'the holder: ', json_encode([getmypid(), $lock->acquire()]), "\n";
    proc_close(proc_open(['unshare', '--mount', 'sh', '-c', $before . ' exec "$@"', 'sh', ...$php], [], $pipes));
    PHP;
$waiter = <<<'PHP'
    $lock = new McPatterns\Lock(new McPatterns\Pool($argv[1], timeout: 10), 'job', ttl: 3600);
    echo json_encode([(int) readlink('/proc/self') === getmypid(), $lock->acquire()]), "\n";
    PHP;
foreach (['its own /proc: ' => ':;', 'another /proc: ' => 'umount /proc;'] as $which => $before) {
    $server->raw('flush_all');
    $log = $server->path('log');
    proc_close(start_process(['unshare', '--pid', '--fork', '--mount-proc', PHP_BINARY, '-n',
        '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-r', $holder, '--', $server->address, $before, $waiter], $log));
    echo $which, file_get_contents($log);
}
?>
--EXPECT--
its own /proc: the holder: [1,true]
[true,false]
another /proc: the holder: [1,true]
[false,false]
