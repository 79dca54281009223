--TEST--
quiet replaces results of append(), last() and since() during an outage
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{EventLog, Pool, UnstorableException};

require __DIR__ . '/../../_support/when_down.inc';

$since = function (EventLog $log): array {
    [$cursor, $lost] = [null, -1];
    $events = $log->since($cursor, lost: $lost);
    return [$events, $cursor, $lost];
};
answer_outages(fn (Pool $pool) => new EventLog($pool, 'errors', quiet: true), [
    'append' => fn (EventLog $log) => $log->append('disk full'),
    'last' => fn (EventLog $log) => $log->last(),
    'since' => $since,
    'clear' => fn (EventLog $log) => $log->clear(),
]);

$server = start_memcached();
$log = new EventLog(new Pool($server->address), 'errors', quiet: true);
$log->append('disk full');
echo count($log->since($cursor, lost: $lost)), ' event, ', $lost, " lost\n";
$before = $cursor;
foreach ([fn () => $log->append(fn () => 1), fn () => $log->append(random_bytes(70000)), fn () => $log->last(0)] as $call) {
    try {
        $call();
    } catch (UnstorableException | ValueError $error) {
        echo $error::class, "\n";
    }
}
$server->kill();
var_dump($log->since($cursor, lost: $lost), $cursor === $before, $lost);
?>
--EXPECT--
dead, Libmemcached: append null, last [], since [[],null,-1], clear ServerException, counted 3
whenDown replaced the result of "errors": its server is down, key errors
frozen, Libmemcached: append null, last [], since [[],null,-1], clear ServerException, counted 3
whenDown replaced the result of "errors": its server is down, key errors
dead, Direct: append null, last [], since [[],null,-1], clear ServerException, counted 3
whenDown replaced the result of "errors": its server is down, key errors
frozen, Direct: append null, last [], since [[],null,-1], clear ServerException, counted 3
whenDown replaced the result of "errors": its server is down, key errors
1 event, 0 lost
McPatterns\NotSerializableException
McPatterns\TooLargeException
ValueError
array(0) {
}
bool(true)
int(0)
