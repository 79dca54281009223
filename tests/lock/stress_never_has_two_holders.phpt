--TEST--
Many processes that pause beyond the TTL and are killed while they hold: never two holders inside their own deadlines, nobody frees another's lock (L1, L2, L3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../_support/workers.inc';

// At full size: 16 processes, 10,000 acquisitions.
[$processes, $wanted, $names, $kills] = getenv('MCPATTERNS_SOAK') ? [16, 10000, 8, 100] : [8, 600, 4, 6];
$server = start_memcached();
$journal = "{$server->host}.journal";
touch($journal);

// One line for each acquisition, written by one call, so that lines are never mixed: who may think what
// until when, by the clock that all processes of a host share.
function hold_and_write(string $address, int $names, string $journal): void
{
    $pool = new Pool($address, timeout: 10);
    $file = fopen($journal, 'a');
    $note = function (string $line) use ($file) { fwrite($file, getmypid() . " $line\n"); };
    for ($i = 0;; $i++) {
        $name = 'job' . random_int(0, $names - 1);
        $lock = new Lock($pool, $name, ttl: 0.05);
        if (!$lock->acquire(wait: 1)) {
            continue;
        }
        $start = hrtime(true);
        $until = $start + (int) ($lock->remaining() * 1e9);
        $note("got $name $start $until");
        usleep(random_int(0, 3000));
        if (random_int(0, 29) === 0) {
            // Past the TTL, and half of them past the key's end.
            usleep(random_int(0, 1) ? random_int(50000, 2000000) : 2100000);
        }
        $is_inside = $lock->isHeld();
        $is_verified = $is_inside && $lock->isHeld(verify: true);
        if ($is_inside && !$is_verified && hrtime(true) < $until) {
            $note("robbed $name");
        }
        $end = hrtime(true);
        $was_ours = $lock->release();
        $note("gave $name $end " . json_encode($was_ours));
    }
}

// By the last line that a process wrote. It may be a line ahead of us.
function is_holding(int $pid, string $text): bool
{
    $last = strrpos($text, "\n$pid ");
    return $last !== false && str_starts_with(substr($text, $last + 1), "$pid got ");
}

$workers = [];
for ($i = 0; $i < $processes; $i++) {
    $workers[$i] = new Workers(1, fn () => hold_and_write($server->address, $names, $journal), 3600);
    $workers[$i]->release();
}
$killed = 0;
do {
    usleep(50000);
    $text = file_get_contents($journal);
    $got = substr_count($text, ' got ');
    // Spread over the run: somebody who holds a lock right now.
    $holders = array_keys(array_filter($workers, fn ($worker) => is_holding($worker->pids[0], $text)));
    if ($holders !== [] && $killed < $kills && $got >= $wanted * ($killed + 1) / ($kills + 2)) {
        $index = $holders[array_rand($holders)];
        $killed++;
        $workers[$index]->kill(0);
        $workers[$index]->results();
        $workers[$index] = new Workers(1, fn () => hold_and_write($server->address, $names, $journal), 3600);
        $workers[$index]->release();
    }
} while ($got < $wanted);
foreach ($workers as $worker) {
    $worker->kill_all();
}

$holds = $ends = [];
$robbed = $lost = 0;
foreach (file($journal) as $line) {
    [$pid, $what, $name, $time, $more] = explode(' ', trim($line)) + [3 => '', 4 => ''];
    if ($what === 'got') {
        $holds[$name][] = ['pid' => $pid, 'start' => (int) $time, 'until' => (int) $more];
        $open["$pid $name"] = array_key_last($holds[$name]);
    } elseif ($what === 'gave') {
        $hold = &$holds[$name][$open["$pid $name"]];
        $hold['until'] = min($hold['until'], (int) $time);
        $lost += $more === 'false';
        unset($hold);
    } else {
        $robbed++;
    }
}
$overlaps = 0;
foreach ($holds as $name => $of_name) {
    usort($of_name, fn ($a, $b) => $a['start'] <=> $b['start']);
    for ($i = 1; $i < count($of_name); $i++) {
        $overlaps += $of_name[$i]['start'] < $of_name[$i - 1]['until'];
    }
}
echo "two holders at once: $overlaps, robbed of a lock: $robbed\n";
echo $got >= $wanted && $killed === $kills && $lost > 0 ? 'enough of everything' : "only $got acquisitions, $killed kills, $lost lost", "\n";
if (getenv('MCPATTERNS_SOAK')) {
    fwrite(STDERR, "$got acquisitions, $killed kills, $lost lost to pauses\n");
}
?>
--EXPECT--
two holders at once: 0, robbed of a lock: 0
enough of everything
