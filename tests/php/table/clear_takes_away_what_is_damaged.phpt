--TEST--
Table::clear() removes all rows and damaged indexes, but no concurrent put
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, StoredValueException, Table};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
foreach ([1, 3] as $shards) {
    $table = new Table($pool, "t$shards", shards: $shards);
    $other = new Table($pool, "t$shards-other", shards: $shards);
    $table->clear();
    foreach (range(1, 1200) as $i) {
        $table->put("row $i", $i);
    }
    $table->put(':odd', 'odd');
    $table->delete('row 7');
    $other->put('theirs', 1);
    echo $table->count(), ' before, ';
    $table->clear();
    echo json_encode([$table->count(), $table->rows(), $table->get('row 1'), $table->get('row 1200'), $table->has(':odd'), $other->rows()]), "\n";
    $table->put('again', 'after');
    echo json_encode($table->rows()), "\n";
}

$table = new Table($pool, 'damaged');
$table->put('a', 1);
$table->put('b', 2);
$server->raw("set row:damaged::0 0 0 7\r\nno list");
$tries = [
    'put' => fn () => $table->put('c', 3),
    'ids' => fn () => $table->ids(),
    'rows' => fn () => $table->rows(),
    'count' => fn () => $table->count(),
    'delete' => fn () => $table->delete('a'),
    'clear' => fn () => $table->clear(),
    'put again' => fn () => $table->put('c', 3),
    'rows again' => fn () => $table->rows(),
    'a row that it alone named' => fn () => $table->get('b'),
];
foreach ($tries as $what => $try) {
    try {
        $answer = $try();
        echo "$what: ", json_encode($answer), "\n";
    } catch (StoredValueException $exception) {
        echo "$what: StoredValueException\n";
    }
}
?>
--EXPECT--
1200 before, [0,[],null,null,false,{"theirs":1}]
{"again":"after"}
1200 before, [0,[],null,null,false,{"theirs":1}]
{"again":"after"}
put: null
ids: StoredValueException
rows: StoredValueException
count: StoredValueException
delete: null
clear: null
put again: null
rows again: {"c":3}
a row that it alone named: 2
