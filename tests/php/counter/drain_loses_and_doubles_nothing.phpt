--TEST--
Drained and remaining amounts equal all increments despite 2 drainers and kills (K4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

[$processes, $increments, $kills] = at_full_size() ? [8, 50000, 20] : [8, 1500, 3];
$server = start_memcached();
$counter = new Counter(new Pool($server->address, timeout: 10), 'views', wait: 30);

$incrementing = new Workers($processes, function () use ($server, $increments) {
    $counter = new Counter(new Pool($server->address, timeout: 10), 'views');
    for ($i = 0; $i < $increments; $i++) {
        $counter->increment();
        if ($i % 10 === 0) {
            usleep(1000);
        }
    }
}, 3000);

// Every 10 ms; what it took is in a file before it goes on. It says when it is inside a drain: what one has
// taken when it is killed there is lost, so it is killed outside.
$drain = fn (string $file, callable $is_over) => function () use ($server, $file, $is_over) {
    $counter = new Counter(new Pool($server->address, timeout: 10), 'views', wait: 30);
    do {
        file_put_contents("$file.inside", '1');
        $counter->drain(fn (int $taken) => file_put_contents($file, "$taken\n", FILE_APPEND));
        unlink("$file.inside");
        usleep(10000);
    } while (!$is_over());
};
$folder = make_temporary_folder('drained');
$stop = "$folder/stop";
$drained = [];
$start_drainer = function () use (&$drained, $drain, $folder, $stop) {
    $drained[] = $file = "$folder/drained" . count($drained);
    $worker = new Workers(1, $drain($file, fn () => file_exists($stop)), 3000);
    $worker->release();
    return $worker;
};
// One goes on all the time; the other one is killed and replaced.
$steady = $start_drainer();
$shot = $start_drainer();
$incrementing->release();
for ($killed = 0; $killed < $kills; $killed++) {
    usleep(100000);
    for (;;) {
        send_signal($shot->pids[0], SIGNAL_STOP);
        wait_for_state($shot->pids[0], 'T');
        if (!file_exists(end($drained) . '.inside')) {
            break;
        }
        send_signal($shot->pids[0], SIGNAL_CONTINUE);
        usleep(random_int(500, 3000));
    }
    $shot->kill(0);
    $shot->results();
    $shot = $start_drainer();
}
$incrementing->results();
touch($stop);
$steady->results();
$shot->results();

$sum = 0;
$takers = 0;
foreach ($drained as $file) {
    $taken = is_file($file) ? array_sum(file($file)) : 0;
    $sum += $taken;
    $takers += $taken > 0;
}
remove_folder($folder);
$left = $counter->value();
echo $sum + $left === $processes * $increments ? 'exact' : "drained $sum + left $left of " . $processes * $increments, "\n";
echo $takers > 1 ? 'by several' : 'by one', "\n";
?>
--EXPECT--
exact
by several
