--TEST--
EventLog::since() returns each event once in order, and reports lost events
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, EventLog, Pool};

require __DIR__ . '/../../_support/memcached.inc';

function values(array $events): string
{
    return json_encode(array_column($events, 1));
}

foreach (['memory://m', start_memcached()->address] as $server) {
    Clock::freeze(1800000000.0);
    $log = new EventLog(new Pool($server), 'errors', 60, 6);
    var_dump($log->last(), $log->since($cursor, 10, $lost), $lost);
    foreach ([null, false, 0, '', [], 1.5, str_repeat('x', 3), ['deep' => [1]]] as $event) {
        $log->append($event);
        Clock::advance(2.5);
    }
    echo values($log->last()), ' ', values($log->last(3)), ' ', json_encode($log->last(1)[0][0]), "\n";
    do {
        echo values($events = $log->since($cursor, 3, $lost)), $lost, ' ';
    } while ($events !== []);
    $log->append('after that');
    echo values($log->since($cursor)), ' ', values($log->since($cursor)), "\n";
    // The cursor's slots leave the log.
    $log->append('unread');
    Clock::advance(100);
    $log->append('now');
    echo values($log->since($cursor, 10, $lost)), ' lost: ', $lost > 0 ? 'some' : 'none', "\n";
    $log->clear();
    echo count($log->last()), ' ', values($log->since($cursor, 10, $lost)), " lost: $lost\n";
    echo values($log->since($cursor, 10, $lost)), " lost: $lost\n";
    $cursor = $lost = null;
}
?>
--EXPECT--
array(0) {
}
array(0) {
}
int(0)
[{"deep":[1]},"xxx",1.5,[],"",0,false,null] [{"deep":[1]},"xxx",1.5] 1800000017.5
[null,false,0]0 ["",[],1.5]0 ["xxx",{"deep":[1]}]0 []0 ["after that"] []
["now"] lost: some
0 [] lost: 1
[] lost: 0
array(0) {
}
array(0) {
}
int(0)
[{"deep":[1]},"xxx",1.5,[],"",0,false,null] [{"deep":[1]},"xxx",1.5] 1800000017.5
[null,false,0]0 ["",[],1.5]0 ["xxx",{"deep":[1]}]0 []0 ["after that"] []
["now"] lost: some
0 [] lost: 1
[] lost: 0
