--TEST--
Holders never exceed permits despite pauses beyond TTL and kills (S1, S3, S5)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{LockLostException, Pool, Semaphore};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/never.inc';
require __DIR__ . '/../../_support/workers.inc';

const PERMITS = 3, TTL = 0.1;
[$processes, $wanted, $kills] = at_full_size() ? [16, 10000, 100] : [8, 400, 5];
$server = start_memcached();
$journal = $server->path('journal');
touch($journal);

/**
 * Lines of one piece: "pid got permit from until", "pid gave permit when" and "pid lost permit when": it was told so, and may
 * take it again itself, up to a millisecond before the end that is reckoned here.
 */
function hold_and_write(string $address, string $journal): void
{
    $pool = new Pool($address, timeout: 10);
    $file = fopen($journal, 'a');
    $semaphore = new Semaphore($pool, 'job', PERMITS, TTL);
    while (true) {
        $permit = null;
        $asked = hrtime(true);
        if (!$semaphore->acquire()) {
            usleep(random_int(0, 2000));
            continue;
        }
        // Its own deadline is counted from before the write, which came later than this.
        $until = $asked + (int) (TTL * 1e9);
        try {
            $permit = $semaphore->permit();
            fwrite($file, getmypid() . " got $permit " . hrtime(true) . " $until\n");
            usleep(random_int(0, 3000));
            if (random_int(0, 49) === 0) {
                usleep(random_int(0, 1) ? 1_300_000 : random_int(50_000, 150_000));
            }
            $now = hrtime(true);
            if ($semaphore->permit() !== $permit) {
                fwrite($file, getmypid() . " moved $permit 0 0\n");
            }
            fwrite($file, getmypid() . " gave $permit $now 0\n");
        } catch (LockLostException) {
            // It slept past its end.
            if ($permit !== null) {
                fwrite($file, getmypid() . " lost $permit " . hrtime(true) . " 0\n");
            }
        }
        $semaphore->release();
    }
}

$start = function () use ($server, $journal) {
    $worker = new Workers(1, fn () => hold_and_write($server->address, $journal), 3600);
    $worker->release();
    return $worker;
};
$workers = array_map($start, range(1, $processes));
$killed = 0;
$ended = []; // a process that is killed holds nothing from then on
do {
    usleep(20000);
    $got = substr_count(file_get_contents($journal), ' got ');
    if ($killed < $kills && $got >= $wanted * ($killed + 1) / ($kills + 2)) {
        $index = array_rand($workers);
        $ended[$workers[$index]->pids[0]] = hrtime(true);
        $workers[$index]->kill(0);
        $workers[$index]->results();
        $workers[$index] = $start();
        $killed++;
    }
} while ($got < $wanted || $killed < $kills);
foreach ($workers as $worker) {
    $ended[$worker->pids[0]] = hrtime(true);
    $worker->kill_all();
}

$holds = $open = [];
$moved = 0;
foreach (explode("\n", rtrim(file_get_contents($journal))) as $line) {
    [$pid, $what, $permit, $time, $until] = explode(' ', $line);
    $moved += $what === 'moved';
    $until = min($until, $ended[$pid] ?? $until);
    if ($what === 'got' && $time < $until) {
        $open[$pid] = [$permit, count($holds[$permit] ?? [])];
        $holds[$permit][] = [(int) $time, (int) $until];
    } elseif (in_array($what, ['gave', 'lost'], true) && isset($open[$pid])) {
        [$permit, $place] = $open[$pid];
        $holds[$permit][$place][1] = min($holds[$permit][$place][1], (int) $time);
        unset($open[$pid]);
    }
}
$together = $events = [];
$overlaps = 0;
foreach ($holds as $permit => $of_one) {
    usort($of_one, fn ($a, $b) => $a[0] <=> $b[0]);
    foreach ($of_one as $i => [$from, $until]) {
        $overlaps += isset($of_one[$i + 1]) && $of_one[$i + 1][0] < $until;
        array_push($events, [$from, 1], [$until, -1]);
    }
}
usort($events, fn ($a, $b) => $a <=> $b);
$inside = $most = 0;
foreach ($events as [, $change]) {
    $most = max($most, $inside += $change);
}
$told = "two by one permit: $overlaps, moved: $moved, too many inside: " . max(0, $most - PERMITS);
$overlaps + $moved + max(0, $most - PERMITS) > 0 ? never($told) : print("$told\n");

// All processes are dead, and nobody holds a permit.
$watch = new Semaphore(new Pool($server->address), 'job', PERMITS);
$began = microtime(true);
while ($watch->available() < PERMITS && microtime(true) < $began + 20) {
    usleep(5000);
}
$free_in = microtime(true) - $began;
echo $watch->available(), " free\n";
report_figures(sprintf('%d acquisitions of %d permits by %d processes, %d killed: at most %d inside, %d overlaps; after the last death all free within %.2f s',
    $got, PERMITS, $processes, $killed, $most, $overlaps, $free_in));
?>
--EXPECT--
two by one permit: 0, moved: 0, too many inside: 0
3 free
