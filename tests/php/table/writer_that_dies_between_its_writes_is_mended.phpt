--TEST--
A crashed writer's unlisted row is repaired by the next write (B3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, Table};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$table = new Table(new Pool($server->address), 'jobs');
$bytes = function (string $key) use ($server): string {
    preg_match('/^VALUE \S+ \d+ (\d+)\r\n/', $answer = $server->raw("get $key"), $found);
    return substr($answer, strlen($found[0]), (int) $found[1]);
};
$put = fn (string $key, string $value) => $server->raw(sprintf("set %s 0 0 %d\r\n%s", $key, strlen($value), $value));
$show = fn () => print(json_encode([$table->get('17'), $table->rows(), $table->count()]) . "\n");

// What a writer has stored when it is killed between its two writes.
$table->put('17', 'row');
$row = $bytes('row:jobs:17');
$table->delete('17');
$put('row:jobs:17', $row);
$show();
$table->put('17', 'again');
$show();
$table->delete('17');
$put('row:jobs:17', $row);
$table->delete('17');
$show();
// A deleter's: unlisted, and the row still there.
$table->put('17', 'row');
$index = $bytes('row:jobs::0');
$table->delete('17');
$put('row:jobs:17', $row);
$show();
// The row was lost, its id was not.
$put('row:jobs::0', $index);
$server->raw('delete row:jobs:17');
$show();

$signing = new Table(new Pool($server->address, signingKey: 'secret of thirty-two bytes length'), 'jobs');
$signing->put('18', 'signed');
$put('row:jobs:19', $bytes('row:jobs:18'));
$table->put('20', 'not signed');
echo json_encode([$signing->get('18'), $signing->get('19', 'none'), $signing->get('20', 'none'), $signing->has('20'), $signing->rows(['18', '19', '20'])]), "\n";
foreach (['hello', substr($row, 0, 15), "\xE4\x02" . substr($row, 2), ''] as $foreign) {
    $put('row:jobs:18', $foreign === '' ? ' ' : $foreign);
    echo json_encode([$table->get('18', 'none'), $table->has('18')]), ' ';
}
echo $table->update('18', fn ($old) => $old ?? 'new'), ' ', $table->get('18'), "\n";
$put('row:jobs::0', 'hello');
foreach (['ids', 'rows', 'count'] as $method) {
    try {
        $table->$method();
    } catch (McPatterns\StoredValueException $exception) {
        echo $exception->getMessage(), "\n";
    }
}
?>
--EXPECT--
["row",[],0]
["again",{"17":"again"},1]
[null,[],0]
["row",[],0]
[null,[],1]
["signed","none","none",false,{"18":"signed"}]
["none",false] ["none",false] ["none",false] ["none",false] new new
Cannot read the ids of the table "jobs": the stored item has a different type
Cannot read the ids of the table "jobs": the stored item has a different type
Cannot read the ids of the table "jobs": the stored item has a different type
