--TEST--
Fencing tokens grow strictly despite evictions and server restarts (L9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, LockLostException, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';

$acquisitions = at_full_size() ? 10000 : 1000;
$server = start_memcached();
usleep(1100000); // a server that lives less than a second may start in the same second again
$pool = new Pool($server->address, retryAfter: 0);
$last = 0;
$grown = $same = 0;
for ($i = 1; $i <= $acquisitions; $i++) {
    $lock = new Lock($pool, 'job');
    $lock->acquire() || exit("not acquired\n");
    $token = $lock->token();
    $grown += $token > $last;
    $lock->refresh();
    $same += $lock->token() === $token;
    $last = $token;
    if ($i % ($acquisitions / 4) === 0) {
        // Nothing is connected to a server that was restarted; the connection says so once.
        usleep(1100000);
        $server->restart();
        $lock->isHeld(verify: true);
    } elseif ($i % 10 === 0) {
        $server->raw('delete lock:job');
    }
    unset($lock);
}
echo $grown === $acquisitions ? 'all' : $grown, ' have grown, ', $same === $acquisitions ? 'all' : $same, " stayed the same while held\n";

report_figures("$acquisitions fencing tokens, 4 restarts, an eviction every tenth: $grown larger than the one before");

function attempt(Lock $lock): void
{
    try {
        echo $lock->token(), "\n";
    } catch (LockLostException $error) {
        echo $error->getMessage(), "\n";
    }
}
$lock = new Lock($pool, 'job');
attempt($lock);
$lock->acquire();
$server->raw('delete lock:job');
attempt($lock);
attempt($lock);
?>
--EXPECT--
all have grown, all stayed the same while held
The lock "job" is not held
The lock "job" was lost
The lock "job" was lost
