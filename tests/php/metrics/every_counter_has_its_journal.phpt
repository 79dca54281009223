--TEST--
Each counter of Metrics::read() equals the journals of 16 processes
--EXTENSIONS--
mcpatterns
pcntl
session
--SKIPIF--
<?php
if (PHP_OS_FAMILY === 'Windows') {
    die('skip needs fork');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';
require __DIR__ . '/../../_support/metrics_scenes.inc';
require __DIR__ . '/../../_support/metrics_session_scenes.inc';

use McPatterns\Metrics;

const PROCESSES = 16;

/** Names and moments: servers_say_what_they_fail_of.phpt has these. */
const NO_COUNTERS = ['group', 'is_other', 'server', 'lock', 'prefix', 'open_since', 'last_error', 'last_used'];

/**
 * @param array<string, int|float|list<int>|bool> $read
 * @param array<string, array{int|float, int|float}> $journaled each counter's bounds
 */
function compare(string $what, array $read, array $journaled): int
{
    $wrong = 0;
    foreach (array_diff(array_keys($read), array_keys($journaled), NO_COUNTERS) as $counter) {
        echo "$what: nothing in the journals tells what $counter should be\n";
        $wrong++;
    }
    foreach ($journaled as $counter => [$least, $most]) {
        $counted = is_array($read[$counter]) ? array_sum($read[$counter]) : $read[$counter];
        if ($counted < $least || $counted > $most) {
            echo "$what $counter: ", json_encode($counted), ' counted, ', json_encode([$least, $most]), " in the journals\n";
            $wrong++;
        }
    }
    return $wrong;
}

$server = start_memcached();
$dead = make_temporary_folder('metrics') . '/nobody.sock';
$frozen = start_memcached();
$frozen->freeze();
Metrics::reset();
$journal = new Journal();
foreach (run_workers(PROCESSES, fn (int $index) => play($server->address, "unix://$dead", $frozen->address, $index), 300) as $told) {
    $journal->addAll($told);
}
$read = Metrics::read();
$group = array_column($read['groups'], null, 'group')['scene:'];
$servers = array_column($read['servers'], null, 'server');
$lock = array_column($read['locks'], null, 'lock')['scene'];
$sessions = array_column($read['sessions'], null, 'prefix')['scene.'];
$wrong = compare('groups', $group, $journal->bounds('scene:'));
$wrong += compare('dead server', $servers["unix://$dead"] ?? $servers[$dead], $journal->bounds('dead'));
$wrong += compare('frozen server', $servers[$frozen->name], $journal->bounds('frozen'));
$wrong += compare('locks', $lock, $journal->bounds('lock'));
$wrong += compare('sessions', $sessions, $journal->bounds('sessions'));
printf("%d counters of groups, %d of servers, %d of locks, %d of sessions: %d wrong\n", count($journal->bounds('scene:')), count($journal->bounds('dead')),
    count($journal->bounds('lock')), count($journal->bounds('sessions')), $wrong);
$silent = array_keys(array_filter($journal->bounds('scene:'), fn (array $bounds): bool => $bounds[1] == 0));
echo 'never happened: ', json_encode($silent), "\n";
?>
--EXPECT--
30 counters of groups, 8 of servers, 3 of locks, 11 of sessions: 0 wrong
never happened: ["after_response"]
