--TEST--
Each method of EventLog costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, EventLog, Pool, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

// All slots are on one server, however many there are.
$servers = [start_memcached(), start_memcached(), start_memcached()];
$counted = count_round_trips_by_both($servers, function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses, transport: $transport);
    $pool->ping();
    Clock::freeze(1800000000.0);
    $log = new EventLog($pool, 'errors', 120, 12);
    $cursor = null;
    $mark('-');
    $log->append(1); $mark('append, first of a slot');
    $log->append(2); $mark('append');
    $log->last(2); $mark('last, of the newest two slots');
    $log->last(); $mark('last, of 13 slots');
    $log->since($cursor); $mark('since, all of 14 slots');
    $log->since($cursor); $mark('since');
    Clock::advance(10);
    $mark('-');
    $log->since($cursor); $mark('since, a slot later');
    $log->clear(); $mark('clear, 12 slots');
    $wide = new EventLog($pool, str_repeat('n', 100), 1000, 1000);
    $mark('-');
    $wide->last(); $mark('last, of 1001 slots with long names');
    $wide->clear(); $mark('clear, 1000 slots with long names');
});
unset($counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
append, first of a slot: 2
append: 1
last, of the newest two slots: 1
last, of 13 slots: 2
since, all of 14 slots: 7
since: 1
since, a slot later: 2
clear, 12 slots: 14, 1 by Direct
last, of 1001 slots with long names: 17
clear, 1000 slots with long names: 1002, 32 by Direct
