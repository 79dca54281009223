--TEST--
A lock remains held after its process executes another program (L11)
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$lock = fn (string $name) => new Lock(new Pool($server->address, timeout: 10), $name, ttl: 3600);
$code = '[, $address, $sign] = $argv; $lock = new McPatterns\Lock(new McPatterns\Pool($address, timeout: 10), "job", ttl: 3600);
    $lock->acquire(); touch($sign); sleep(600);';
$pid = pcntl_fork();
if ($pid === 0) {
    $lock('before')->acquire();     // it has a record in this test's memory, and the next program one in its own
    pcntl_exec(PHP_BINARY, ['-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-r', $code, '--', $server->address, $server->path('sign')]);
}
while (!file_exists($server->path('sign'))) {
    usleep(1000);
    clearstatcache();
}
$is_its = fn (): bool => str_contains($server->raw('get lock:job'), " $pid ");
echo 'it lives: ', json_encode([$is_its(), $lock('job')->isLocked(), $lock('job')->acquire()]), "\n";
send_signal($pid, SIGNAL_KILL);
pcntl_waitpid($pid, $status);
echo 'it has ended: ', json_encode([$is_its(), $lock('job')->acquire()]), "\n";
?>
--EXPECT--
it lives: [true,true,false]
it has ended: [true,true]
