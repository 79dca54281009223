--TEST--
EventLog::append() rejects events that exceed the slot, 65,536 bytes, or serialization
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, EventLog, Pool, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(EventLog $log, mixed $event): void
{
    try {
        $log->append($event);
        echo "appended\n";
    } catch (StoredValueException | TypeError $exception) {
        echo get_class($exception), ': ', $exception->getMessage(), "\n";
    }
}

foreach (['memory://m', start_memcached()->address] as $server) {
    Clock::freeze(1800000000.0);
    $log = new EventLog(new Pool($server), 'errors', 60, 6);
    $event = random_bytes(65536);
    $count = 0;
    try {
        for (;; $count++) {
            $log->append($event);
        }
    } catch (StoredValueException $exception) {
        echo $exception->getMessage(), "\n";
    }
    echo $count, ' ', count($log->last()), ' ', $log->last(1)[0][1] === $event ? 'whole' : 'changed', "\n";
    attempt($log, random_bytes(65537));
    attempt($log, fn () => 1);
    Clock::advance(10);
    attempt($log, 'in the next slot');
    echo count($log->last()), "\n";
}
?>
--EXPECT--
The event log "errors" has no space for the event: its slot is full (use more slots), or the server is out of memory
15 15 whole
McPatterns\TooLargeException: The event log "errors" accepts serialized events of at most 65536 bytes, 65537 given
McPatterns\NotSerializableException: Cannot store the value of "errors": not serializable: Serialization of 'Closure' is not allowed
appended
16
The event log "errors" has no space for the event: its slot is full (use more slots), or the server is out of memory
15 15 whole
McPatterns\TooLargeException: The event log "errors" accepts serialized events of at most 65536 bytes, 65537 given
McPatterns\NotSerializableException: Cannot store the value of "errors": not serializable: Serialization of 'Closure' is not allowed
appended
16
