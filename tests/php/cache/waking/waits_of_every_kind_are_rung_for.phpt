--TEST--
remember(), rememberMany(), Counter and Semaphore waits are notified like cold keys
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/bells.inc';
skip_without_bells();
?>
--FILE--
<?php
use McPatterns\{Cache, Counter, Pool, Semaphore};

require __DIR__ . '/../../../_support/bells.inc';
require __DIR__ . '/../../../_support/actor.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$cache = new Cache($pool, ttl: 100, wait: 20.0);

/** Lets another process wait until a process listens, and only then do its part. No process can listen before it has begun. */
$other = new Actor(function (string $what) use ($server) {
    $awaited = fn () => array_column(used_bells(), 'awaited');
    $before = $awaited();
    $pool = new Pool($server->address, timeout: 10);
    $listened = function () use ($awaited, $before) {
        for ($i = 0; $i < 20000 && $awaited() === $before; $i++) {
            usleep(1000);
        }
        return 'heard';
    };
    $cache = new Cache($pool, ttl: 100, lease: 30);
    switch ($what) {
        case 'strict':
            return $cache->remember('strict', 100, $listened);
        case 'many':
            return $cache->rememberMany(['x', 'y'], 100, fn (array $names) => array_fill_keys($names, $listened()));
        case 'initial':
            return (new Counter($pool, 'first', initial: fn () => strlen($listened())))->increment();
        case 'semaphore':
            $semaphore = new Semaphore($pool, 'permits', 1, ttl: 60);
            $semaphore->acquire();
            $listened();
            return $semaphore->release();
    }
});
$rings = fn () => array_sum(array_column(used_bells(), 'sequence'));
$beside = function (string $what, callable $begun, callable $wait) use ($other, $rings): void {
    $before = $rings();
    $file = sys_get_temp_dir() . '/waits.' . getmypid();
    $child = pcntl_fork();
    if ($child === 0) {
        while (!$begun()) {
            usleep(1000);
        }
        $answer = $wait();
        file_put_contents($file, json_encode($answer));
        leave_without_shutdown();
    }
    $other->ask($what);
    pcntl_waitpid($child, $status);
    echo "$what: ", file_get_contents($file), ', ', $rings() > $before ? 'rung' : 'silent', "\n";
    unlink($file);
};

$cache->set('strict', 'old');
$cache->expire('strict');
$claimed = fn (string $key) => str_contains($server->raw("get $key\r\n"), 'VALUE');
$beside('strict', fn () => ($entry = $cache->entry('strict')) !== null && $entry->status->name === 'Busy', fn () => $cache->remember('strict', 100, fn () => 'mine', stale: false));
$beside('many', fn () => $claimed('x') && $claimed('y'), fn () => $cache->rememberMany(['x', 'y'], 100, fn (array $names) => array_fill_keys($names, 'mine')));
$beside('initial', fn () => str_contains($server->raw("lru_crawler metadump all\r\n"), 'first'), fn () => (new Counter($pool, 'first', initial: fn () => 100, wait: 20.0))->increment());
$beside('semaphore', fn () => (new Semaphore($pool, 'permits', 1))->available() === 0, fn () => (new Semaphore($pool, 'permits', 1, ttl: 60))->acquire(20.0));
?>
--EXPECT--
strict: "heard", rung
many: {"x":"heard","y":"heard"}, rung
initial: 7, rung
semaphore: true, rung
