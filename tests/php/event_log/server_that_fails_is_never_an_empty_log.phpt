--TEST--
Each EventLog method throws ServerException within timeouts, and keeps the cursor
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{EventLog, Pool, ServerException};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$log = new EventLog(new Pool($server->address, timeout: 0.2, retryAfter: 0), 'errors', 3600, 12);
$log->append('before');
$log->since($cursor);
$before = $cursor;
$calls = [
    'append' => fn () => $log->append('x'),
    'last' => fn () => $log->last(),
    'since' => function () use ($log, &$cursor) { $log->since($cursor); },
    'clear' => fn () => $log->clear(),
];
$try_all = function (string $when, callable $try) use ($calls): void {
    foreach ($calls as $name => $call) {
        try {
            $try($call);
            echo "$when: $name answers\n";
        } catch (ServerException $exception) {
            echo "$when: ", hide_servers($exception->getMessage()), "\n";
        }
    }
};
$begun = hrtime(true);
$try_all('hangs', fn (callable $call) => $server->while_frozen(fn () => $log->last(), $call));
echo hrtime(true) - $begun < 10e9 ? '' : "it took too long\n";
$server->kill();
$try_all('killed', fn (callable $call) => $call());
echo $cursor === $before ? 'the cursor stayed' : 'the cursor moved', "\n";
?>
--EXPECT--
hangs: Cannot append to the event log "errors" on server: outcome unknown: the server did not reply within 200 ms
hangs: Cannot read the event log "errors" on server: the server did not reply within 200 ms
hangs: Cannot read the event log "errors" on server: the server did not reply within 200 ms
hangs: Cannot clear the event log "errors" on server: outcome unknown: the server did not reply within 200 ms
killed: Cannot append to the event log "errors" on server: the server could not be reached: connection refused, nothing listens there
killed: Cannot read the event log "errors" on server: the server could not be reached: connection refused, nothing listens there
killed: Cannot read the event log "errors" on server: the server could not be reached: connection refused, nothing listens there
killed: Cannot clear the event log "errors" on server: the server could not be reached: connection refused, nothing listens there
the cursor stayed
