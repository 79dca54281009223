--TEST--
Each method of Table costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Table, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips_by_both([start_memcached()], function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses, transport: $transport);
    $pool->ping();
    ask_for_proofs($pool);
    $table = new Table($pool, 'jobs');
    $mark('-');
    $table->put('a', 1); $mark('put, first of a shard');
    $table->put('b', 2); $mark('put');
    $table->get('a'); $mark('get');
    $table->has('a'); $mark('has');
    $table->update('a', fn ($old) => $old + 1); $mark('update');
    $table->ids(); $mark('ids');
    $table->rows(); $mark('rows');
    $table->rows(['a']); $mark('rows of these');
    $table->count(); $mark('count');
    $table->delete('a'); $mark('delete');
});
unset($counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
put, first of a shard: 3
put: 2, 1 by Direct
get: 1
has: 1
update: 4
ids: 1
rows: 2
rows of these: 1
count: 1
delete: 2, 1 by Direct
