--TEST--
token() names the failed server if statistics are unavailable (L7, L9)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool, ServerException};

require __DIR__ . '/../../_support/serverless.inc';

Clock::freeze();
$servers = [start_serverless(null, tells_statistics: false), start_serverless(null, tells_statistics: false)];
$pool = new Pool(array_column($servers, 'address'), connectTimeout: 10, timeout: 10, retryAfter: 0);
(new Lock($pool, 'first'))->run(fn (Lock $lock) => $lock->token());
$has = fn (Serverless $server, string $key): bool => $server->memcached->raw("get $key") !== "END\r\n";
[$with, $without] = $has($servers[0], 'lock:~#fence') ? $servers : array_reverse($servers);
for ($i = 0; ; $i++) {
    $lock = new Lock($pool, "job-$i", ttl: 60);
    $lock->acquire();
    if ($has($without, "lock:job-$i")) {
        break;
    }
    unset($lock);
}
$with->memcached->kill();
try {
    $lock->token();
} catch (ServerException $error) {
    echo str_replace(['127.0.0.1:' . explode(':', $with->name)[1], $without->name], ['WITH', 'WITHOUT'], preg_replace('/: the server .*/', '', $error->getMessage())), "\n";
}
echo $lock->isHeld(verify: true) ? "held\n" : "not held\n";
?>
--EXPECTF--
Cannot get a fencing token for the lock "job-%d" on WITH
held
