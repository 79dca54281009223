--TEST--
A killed drain() doubles nothing, and loses at most its drained amount (K4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

// Each round keeps two descriptors open, and select() knows 1024.
[$rounds, $increments] = at_full_size() ? [400, 1000] : [150, 100];
$server = start_memcached();
$notes = $server->path('notes');
$read = fn (string $file) => is_file($file) ? array_map(intval(...), file($file)) : [];
$lost = $doubled = $unexplained = 0;
for ($round = 0; $round < $rounds; $round++) {
    // A counter of its own, as the guard of a killed drain stays for a second.
    $name = "views$round";
    $workers = new Workers(2, fn (int $index) => match ($index) {
        0 => (function () use ($server, $name, $notes) {
            $counter = new Counter(new Pool($server->address, timeout: 10), $name);
            for (;;) {
                $counter->drain(function (int $taken) use ($notes) {
                    file_put_contents("$notes.given", "$taken\n", FILE_APPEND);
                    file_put_contents("$notes.stored", "$taken\n", FILE_APPEND);
                });
            }
        })(),
        1 => (function () use ($server, $name, $increments) {
            $counter = new Counter(new Pool($server->address, timeout: 10), $name);
            for ($i = 0; $i < $increments; $i++) {
                $counter->increment();
            }
        })(),
    });
    $workers->release();
    usleep(random_int(500, 8000));
    $workers->kill(0, random_int(0, 1) ? SIGNAL_KILL : SIGNAL_TERMINATE);
    $workers->results();

    // At most one drain was under way; what it had in hand, if it came so far as to say so.
    [$given, $stored] = [$read("$notes.given"), $read("$notes.stored")];
    $in_hand = array_slice($given, count($stored));
    $missing = $increments - array_sum($stored) - (new Counter(new Pool($server->address, timeout: 10), $name))->value();
    $lost += $missing > 0;
    $doubled += $missing < 0 || array_slice($given, 0, count($stored)) !== $stored;
    $unexplained += count($in_hand) > 1 || ($in_hand !== [] && $missing !== $in_hand[0]);
    array_map(unlink(...), glob("$notes.*"));
}
report_figures("$lost of $rounds drains that were killed had taken something");
echo "$doubled doubled, $unexplained lost more than was in hand\n";
?>
--EXPECT--
0 doubled, 0 lost more than was in hand
