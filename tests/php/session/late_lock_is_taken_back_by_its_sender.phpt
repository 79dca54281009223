--TEST--
A sender's next acquire takes back its late-written lock or permit (E12, L11)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool, Semaphore, ServerException};

require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
function start(string $id): string
{
    session_id($id);
    $is_started = @session_start();
    $is_started && session_write_close();
    return $is_started ? 'started' : 'not started';
}
/** By an object of its own, which is gone when it returns. */
function acquire(string $class, string $name): string
{
    try {
        return (new $class(new Pool(), ...[$name, ...($class === Semaphore::class ? [1] : [])]))->acquire() ? 'acquired' : 'not acquired';
    } catch (ServerException) {
        return 'not acquired';
    }
}
$kinds = [
    'sess:frozen:lock' => fn (string $name) => start($name),
    'lock:frozen' => fn (string $name) => acquire(Lock::class, $name),
    'semaphore:frozen:0' => fn (string $name) => acquire(Semaphore::class, $name),
];
foreach (['libmemcached', 'direct'] as $transport) {
    use_sessions($server->address, ['mcpatterns.servers' => $server->address, 'mcpatterns.transport' => $transport, 'mcpatterns.timeout' => '0.3']);
    // Over libmemcached a Semaphore looks before it writes, so that nothing of it can be late.
    foreach ($transport === 'direct' ? $kinds : array_slice($kinds, 0, 2) as $key => $begin) {
        $sender = new Actor($begin);
        while (str_starts_with($sender->ask('another'), 'not ')) {
            usleep(2000);
        }
        $server->freeze();
        echo "$key: ", $sender->ask('frozen');
        $server->thaw();
        while (!str_contains($server->raw("get $key"), 'VALUE')) {
            usleep(1000);
        }
        while (str_starts_with($another = $sender->ask('another'), 'not ')) { // the server is left alone for a moment
            usleep(2000);
        }
        echo ", another one is $another, ", str_contains($server->raw("get $key"), 'VALUE') ? "it is there\n" : "it is gone\n";
    }
}
?>
--EXPECT--
sess:frozen:lock: not started, another one is started, it is gone
lock:frozen: not acquired, another one is acquired, it is gone
sess:frozen:lock: not started, another one is started, it is gone
lock:frozen: not acquired, another one is acquired, it is gone
semaphore:frozen:0: not acquired, another one is acquired, it is gone
