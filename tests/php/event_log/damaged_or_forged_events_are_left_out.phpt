--TEST--
EventLog omits forged events, and reports damaged ones as lost
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, EventLog, Pool, Serializer};

require __DIR__ . '/../../_support/memcached.inc';

class Gone { public $x = 1; }
function values(array $events): string
{
    return json_encode(array_column($events, 1));
}

$server = start_memcached();
Clock::freeze(1800000000.0);
$signing = new EventLog(new Pool($server->address, signingKey: 'secret of thirty-two bytes length'), 'errors', 60, 6);
$plain = new EventLog(new Pool($server->address), 'errors', 60, 6);
$signing->append('signed');
$plain->append('not signed');
echo values($signing->last()), ' ', values($plain->last()), ' ', values($signing->since($cursor)), "\n";

// Another slot's item, whole.
preg_match('/^VALUE \S+ 0 (\d+)\r\n/', $answer = $server->raw('get log:errors:180000000'), $found);
$item = substr($answer, strlen($found[0]), (int) $found[1]);
Clock::advance(10);
$server->raw("set log:errors:180000001 0 60 $found[1]\r\n$item");
echo values($signing->last()), ' ', values($plain->last()), "\n";

// A byte changed in the middle, garbage behind, no log at all.
$cursor = null;
foreach ([substr_replace($item, '?', 36, 1), "$item garbage", 'hello'] as $bytes) {
    $plain->clear();
    $server->raw(sprintf("set log:errors:180000001 0 60 %d\r\n%s", strlen($bytes), $bytes));
    $plain->append('behind');
    echo values($plain->last()), ' ', values($plain->since($cursor, 10, $lost)), " lost: $lost, then ";
    $plain->append('after');
    echo values($plain->since($cursor, 10, $lost)), " lost: $lost\n";
    $cursor = null;
}

$plain->clear();
$php = new EventLog(new Pool($server->address, serializer: Serializer::Php), 'errors', 60, 6);
$php->append([new Gone]);
$php->append('there');
echo values((new EventLog(new Pool($server->address, serializer: Serializer::Php, allowedClasses: false), 'errors', 60, 6))->last()), "\n";
?>
--EXPECTF--
["signed"] ["not signed","signed"] ["signed"]
["signed"] ["not signed","signed","not signed","signed"]
[] [] lost: 1, then ["after"] lost: 0
["not signed","signed"] ["signed","not signed"] lost: 1, then ["after"] lost: 0
[] [] lost: 0, then [] lost: 0
["there",[{"__PHP_Incomplete_Class_Name":"Gone","x":1}]]
