--TEST--
2 readers get each acknowledged event once and ordered, despite kills (J1, J3, J5)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{EventLog, Pool, StoredValueException};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/never.inc';
require __DIR__ . '/../../_support/workers.inc';

[$writers, $events] = at_full_size() ? [16, 5000] : [8, 300];
$server = start_memcached(['memory' => 256]);
$open = fn () => new EventLog(new Pool($server->address, timeout: 10), 'events', 600, 600);

/** Its journal has events and cursor in one line, so that whoever resumes has both or neither. */
function follow(EventLog $log, string $journal, int $wanted): array
{
    $cursor = null;
    $read = $lost = 0;
    foreach (is_file($journal) ? file($journal) : [] as $line) {
        if (!str_ends_with($line, "\n")) {
            continue; // it was killed while it wrote
        }
        [$cursor, $numbers, $some] = json_decode($line);
        $read += count($numbers);
        $lost += $some;
    }
    $file = fopen($journal, 'c+');
    fseek($file, 0, SEEK_END);
    if (($length = ftell($file)) > 0 && !str_ends_with(file_get_contents($journal), "\n")) {
        ftruncate($file, strrpos(file_get_contents($journal), "\n") + 1);
        fseek($file, 0, SEEK_END);
    }
    while ($read < $wanted) {
        $got = $log->since($cursor, 500, $some);
        fwrite($file, json_encode([$cursor, array_column($got, 1), $some]) . "\n");
        fflush($file);
        $read += count($got);
        $got === [] && usleep(2000);
    }
    return [$read, $lost];
}

$wanted = $writers * $events;
$journals = [$server->path('1'), $server->path('2')];
$start = function (int $index) use ($open, $journals, $wanted): Workers {
    $reader = new Workers(1, fn () => follow($open(), $journals[$index], $wanted), 240);
    $reader->release();
    return $reader;
};
$readers = [$start(0), $start(1)];
$began = hrtime(true);
$writing = new Workers($writers, function (int $writer) use ($open, $events): array {
    $log = $open();
    $full = 0;
    for ($i = 0; $i < $events;) {
        try {
            $log->append([$writer, $i]);
            $i++;
        } catch (StoredValueException) {
            $full++;
            usleep(20000); // until the next slot
        }
    }
    return [$events, $full];
}, 240);
$writing->release();
do {
    usleep(1000);
    clearstatcache();
} while (!is_file($journals[1]) || filesize($journals[1]) < $wanted);
$readers[1]->kill(0);
$readers[1]->results();
$readers[1] = $start(1);
$written = $writing->results();
$acknowledged = array_sum(array_column($written, 0));
$seconds = (hrtime(true) - $began) / 1e9;
foreach ($readers as $index => $reader) {
    $reader->results();
    $last = array_fill(0, $writers, -1);
    $lost = $doubled = $count = 0;
    foreach (file($journals[$index]) as $line) {
        [, $numbers, $some] = json_decode($line);
        $lost += $some;
        foreach ($numbers as [$writer, $i]) {
            $doubled += $last[$writer] + 1 !== $i;
            $last[$writer] = $i;
            $count++;
        }
    }
    $told = "lost: $lost, out of order or doubled: $doubled, missing: " . ($acknowledged - $count);
    $lost + $doubled + abs($acknowledged - $count) > 0 ? never($told) : print("$told\n");
}
report_figures(sprintf('%d events of %d processes in %.1f s, read by two; %d were told of a full slot', $acknowledged, $writers, $seconds, array_sum(array_column($written, 1))));
?>
--EXPECT--
lost: 0, out of order or doubled: 0, missing: 0
lost: 0, out of order or doubled: 0, missing: 0
