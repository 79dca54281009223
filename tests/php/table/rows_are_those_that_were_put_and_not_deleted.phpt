--TEST--
A table has the rows put and not deleted, until their TTL
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, Table};

require __DIR__ . '/../../_support/memcached.inc';

foreach (['memory://m', start_memcached()->address] as $server) {
    $pool = new Pool($server);
    $table = new Table($pool, 'jobs');
    var_dump($table->rows(), $table->get('none', 'default'), $table->get('none'));
    $table->put('17', ['done' => 0.5]);
    $table->put("any \0 bytes", 'text');
    $table->put('null', null);
    $table->put('17', ['done' => 1]);
    echo json_encode([$table->rows(), $table->ids(), $table->count(), $table->get('null', 'default'), $table->has('null'), $table->has('18')]), "\n";
    echo json_encode([$table->rows(['null', 17, 17, 'none']), $table->rows([])]), "\n";
    $table->delete('17');
    $table->delete('none');
    echo json_encode([$table->rows(), $table->get('17', 'default')]), "\n";
    echo json_encode([$table->update('n', fn ($old) => $old + 1), $table->update('n', fn ($old) => $old + 1), $table->get('n'), $table->ids()]), "\n";

    // Row x of table t, and what table t:x keeps beside; shards' own keys.
    $names = ['t' => ['x', ':0', ':1', ':x', 'x:0', '_0', 'x~#', str_repeat('long', 100)], 't:x' => ['0', ':0', 'x'], 't_x' => ['0']];
    foreach ($names as $name => $ids) {
        foreach ($ids as $id) {
            (new Table($pool, $name))->put($id, "$name/$id");
        }
    }
    foreach ($names as $name => $ids) {
        $rows = (new Table($pool, $name))->rows();
        echo $rows === array_combine($ids, array_map(fn ($id) => "$name/$id", $ids)) ? 'its own' : json_encode($rows), ' ';
    }
    $wide = new Table($pool, 'wide', shards: 5);
    foreach (range(1, 50) as $i) {
        $wide->put("id $i", $i);
    }
    echo count($wide->rows()), ' ', array_sum($wide->rows()), "\n";
}
Clock::freeze(1800000000.0);
$short = new Table(new Pool('memory://m'), 'short', 10);
for ($i = 0; $i < 400; $i++) {
    $short->put("a longer id, number $i", $i);
}
echo $short->count(), ' ';
Clock::advance(20);
$short->put('there', 1);
echo json_encode($short->rows()), ' ', $short->count(), "\n";
?>
--EXPECT--
array(0) {
}
string(7) "default"
NULL
[{"17":{"done":1},"any \u0000 bytes":"text","null":null},["17","any \u0000 bytes","null"],3,null,true,false]
[{"null":null,"17":{"done":1}},[]]
[{"any \u0000 bytes":"text","null":null},"default"]
[1,2,2,["any \u0000 bytes","null","n"]]
its own its own its own 50 1275
array(0) {
}
string(7) "default"
NULL
[{"17":{"done":1},"any \u0000 bytes":"text","null":null},["17","any \u0000 bytes","null"],3,null,true,false]
[{"null":null,"17":{"done":1}},[]]
[{"any \u0000 bytes":"text","null":null},"default"]
[1,2,2,["any \u0000 bytes","null","n"]]
its own its own its own 50 1275
400 {"there":1} 1
