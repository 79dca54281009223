--TEST--
OnlineCounter::hit() that fails on a memcached with -C counts no visitor (O2)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, OnlineCounter, Pool, ServerException};

require __DIR__ . '/../../_support/memcached.inc';

$online = new OnlineCounter(new Pool(start_memcached(['arguments' => ['-C']])->address), 'site', window: 8, slots: 4);
Clock::freeze(time());
$failed = 0;
for ($i = 0; $i < 3; $i++) {
    try {
        $online->hit('bob');
    } catch (ServerException) {
        $failed++;
    }
    Clock::advance(2);
}
echo "$failed failed, ", $online->count(), " counted\n";
?>
--EXPECT--
2 failed, 1 counted
