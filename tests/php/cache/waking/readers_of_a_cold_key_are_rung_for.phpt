--TEST--
A rebuild notifies waiters of a cold key once, others never
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/bells.inc';
skip_without_bells();
?>
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/bells.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const READERS = 32;
$server = start_memcached();
$cache = fn () => new Cache(new Pool($server->address), ttl: 100, wait: 20.0);

$own = $cache();
foreach (range(1, 200) as $i) {
    $own->set("$i", $i);
    $own->delete("$i");
}
echo 'writes alone: ', count(used_bells()), " bells\n";

$workers = new Workers(READERS, fn (int $index) => $cache()->remember('cold', 100, function () {
    /* Until somebody listens. */
    for ($i = 0; $i < 10000 && used_bells() === []; $i++) {
        usleep(1000);
    }
    usleep(20000);
    return 'computed by ' . getmypid();
}), 60);
$workers->release();
$answers = $workers->results();
echo count($answers), ' readers, ', count(array_unique($answers)), " answer\n";
$used = used_bells();
echo count($used), ' bell, ', $used[0]['sequence'] > 0 ? 'rung' : 'silent', "\n";

$own->set('another', 1);
$own->rememberMany(['a', 'b'], 100, fn (array $names) => array_fill_keys($names, 1));
echo count(used_bells()), " bell still\n";

echo "a clock that was moved: ";
Clock::advance(1);
$before = used_bells();
$own->set('cold', 1);
$own->delete('cold');
echo used_bells() === $before ? "none\n" : "rung\n";
?>
--EXPECT--
writes alone: 0 bells
32 readers, 1 answer
1 bell, rung
1 bell still
a clock that was moved: none
