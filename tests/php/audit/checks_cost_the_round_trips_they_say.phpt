--TEST--
An Audit's check costs 1 round trip, 2 for different values
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips_by_both([start_memcached()], function (array $addresses, callable $mark, Transport $transport) {
    $cache = new Cache(new Pool($addresses[0], timeout: 10, transport: $transport), ttl: 100);
    $value = 'value';
    $compute = function () use (&$value) { return $value; };
    $read = fn (?Cache $by = null) => ($by ?? $cache)->remember('k', 100, $compute);
    $read();
    Pool::endRequest();
    $mark('-');
    $audit = new Audit($cache, rate: 1); $mark('made');
    $read(); $mark('a hit');
    Pool::endRequest(); $mark('an equal one');
    Pool::endRequest(); $mark('nothing due');
    $value = 'another';
    $read();
    $mark('-');
    Pool::endRequest(); $mark('a different one');
    $cache->delete('k');
    $tagged = $cache->tagged('t');
    $read($tagged);
    Pool::endRequest();
    $read($tagged);
    $mark('-');
    Pool::endRequest(); $mark('an equal one of a view');
});
unset($counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
made: 0
a hit: 1
an equal one: 1
nothing due: 0
a different one: 2
an equal one of a view: 1
