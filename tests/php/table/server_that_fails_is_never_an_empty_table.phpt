--TEST--
Each method of Table throws ServerException for a frozen server
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, ServerException, Table};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$table = new Table(new Pool($server->address, timeout: 0.2, retryAfter: 0), 'jobs');
$table->put('17', 'row');
$calls = [
    fn () => $table->put('17', 1), fn () => $table->get('17'), fn () => $table->has('17'), fn () => $table->update('17', fn () => 1),
    fn () => $table->delete('17'), fn () => $table->ids(), fn () => $table->rows(), fn () => $table->rows(['17']), fn () => $table->count(),
];
foreach ($calls as $call) {
    try {
        // A put, so that the connection has learned what the server can do.
        $server->while_frozen(fn () => $table->put('17', 1), $call);
        echo "answers\n";
    } catch (ServerException $exception) {
        echo hide_servers($exception->getMessage()), "\n";
    }
}
?>
--EXPECT--
Cannot put the row "17" on server: outcome unknown: the server did not reply within 200 ms
Cannot read the row "17" on server: the server did not reply within 200 ms
Cannot read the row "17" on server: the server did not reply within 200 ms
Cannot update the row "17" on server: the server did not reply within 200 ms
Cannot delete the row "17" on server: outcome unknown: the server did not reply within 200 ms
Cannot read the ids of the table "jobs" on server: the server did not reply within 200 ms
Cannot read the ids of the table "jobs" on server: the server did not reply within 200 ms
Cannot read the rows of the table "jobs" on server: the server did not reply within 200 ms
Cannot read the ids of the table "jobs" on server: the server did not reply within 200 ms
