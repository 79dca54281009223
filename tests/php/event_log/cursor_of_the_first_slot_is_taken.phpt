--TEST--
EventLog accepts a cursor in the first slot of all time
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, EventLog, Pool};

$log = new EventLog(new Pool('memory://log'), 'errors', 60, 6);
Clock::freeze(0);
$log->append('first');
$seen = [$log->since($cursor, lost: $lost)];
$log->append('second');
$seen[] = $log->since($cursor, lost: $lost);
Clock::advance(10);
$log->append('third');
$seen[] = $log->since($cursor, lost: $lost);
$seen[] = $log->since($cursor, lost: $lost);
echo json_encode($seen), " $lost\n";

Clock::unfreeze();
$ages = new EventLog(new Pool('memory://log'), 'ages', 4294967295, 1);
$cursor = null;
$ages->append('early');
echo count($ages->since($cursor)), count($ages->since($cursor)), "\n";
$ages->append('late');
echo $ages->since($cursor)[0][1], "\n";

// What follows a first slot that was lost.
Clock::freeze(0);
$lossy = new EventLog(new Pool('memory://log'), 'lossy', 60, 6);
$lossy->append('gone');
$cursor = null;
$lossy->since($cursor);
$lossy->clear();
$lossy->append('new');
echo json_encode([$lossy->since($cursor, lost: $lost), $lost]), "\n";
Clock::advance(1000);
$lossy->append('much later');
echo json_encode([$lossy->since($cursor, lost: $lost), $lost > 0]), "\n";
?>
--EXPECT--
[[[0,"first"]],[[0,"second"]],[[10,"third"]],[]] 0
10
late
[[[0,"new"]],1]
[[[1000,"much later"]],true]
