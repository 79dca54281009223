--TEST--
A process without shared memory keeps its lock until it ends (L11)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
$await = function (callable $condition): void {
    while (!$condition()) {
        usleep(1000);
        clearstatcache();
    }
};
$process = start_script(<<<'PHP'
    use McPatterns\{Lock, Pool, ServerException};
    [, $address, $signs] = $argv;
    $acquire = function (string $name) use ($address): bool {
        static $held = [], $pool = null;
        $pool ??= new Pool($address, timeout: 0.3, retryAfter: 0);
        try {
            return ($held[$name] ??= new Lock($pool, $name, ttl: 3600))->acquire();
        } catch (ServerException) {
            return false;
        }
    };
    while (!$acquire('held')) {
    }
    touch("$signs.holds");
    while (!file_exists("$signs.frozen")) {
        usleep(1000);
        clearstatcache();
    }
    $acquire('given-up');
    touch("$signs.gave-up");
    sleep(600);
    PHP, [$server->address, $server->path('sign')], [], $log);
$await(fn () => file_exists($server->path('sign.holds')));
$server->freeze();
touch($server->path('sign.frozen'));
$await(fn () => file_exists($server->path('sign.gave-up')));
$server->thaw();
$await(fn () => preg_match('/^END/', $server->raw('get lock:given-up')) === 0);
$lock = fn (string $name) => new Lock(new Pool($server->address, timeout: 10), $name, ttl: 3600);
$both = fn () => json_encode([$lock('held')->acquire(), $lock('given-up')->acquire()]);
echo 'it lives: ', $both(), "\n";
send_signal(proc_get_status($process)['pid'], SIGNAL_KILL);
proc_close($process);
echo 'it has ended: ', $both(), "\n";
unlink($log);
?>
--EXPECT--
it lives: [false,false]
it has ended: [true,true]
