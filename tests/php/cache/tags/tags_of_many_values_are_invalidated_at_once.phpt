--TEST--
Invalidating 10,000 values under load leaves no earlier result fresh (T1, T2, T4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

require __DIR__ . '/../../../_support/workers.inc';
require __DIR__ . '/../../../_support/memcached.inc';

const VALUES = 10_000;
$servers = [start_memcached(), start_memcached()];
$addresses = array_map(fn ($server) => $server->address, $servers);
$make = fn () => (new Cache(new Pool($addresses, timeout: 10), ttl: 1000))->tagged('catalogue');
$view = $make();
foreach (array_chunk(range(1, VALUES), 1000) as $keys) {
    $view->setMultiple(array_fill_keys(array_map(fn ($i) => "k$i", $keys), 0));
}

// The time when a value is computed is the value. An invalidation that has returned notes when it began, and each read adds a byte.
$folder = make_temporary_folder('tags');
$results = run_workers(17, function (int $index) use ($make, $folder) {
    $view = $make();
    $old = 0;
    if ($index === 16) {
        for ($round = 1; $round <= 20 || @filesize("$folder/reads") <= 100; $round++) {
            $began = hrtime(true);
            if (!($round % 2 === 0 ? $view->deleteTags('catalogue') : $view->invalidateTags('catalogue'))) {
                return 'not told';
            }
            file_put_contents("$folder/new", (string) $began);
            rename("$folder/new", "$folder/told");
            usleep(20_000);
            clearstatcache();
        }
        touch("$folder/over");
        return 'told';
    }
    mt_srand($index);
    while (!file_exists("$folder/over")) {
        clearstatcache();
        $told = (int) @file_get_contents("$folder/told");
        $key = 'k' . mt_rand(1, VALUES);
        $view->remember($key, 1000, fn () => hrtime(true), entry: $entry);
        $entry = $view->entry($key);
        $old += $entry->status === Status::Fresh && $entry->value < $told;
        file_put_contents("$folder/reads", '.', FILE_APPEND);
    }
    return $old;
}, 60);
echo $results[16], "\n";
unset($results[16]);
echo 'fresh though computed before: ', array_sum($results), "\n";

$view->invalidateTags('catalogue');
$fresh = 0;
foreach (range(1, VALUES) as $i) {
    $fresh += $view->entry("k$i")->status === Status::Fresh;
}
echo "fresh of all afterwards: $fresh\n";
remove_folder($folder);
?>
--EXPECT--
told
fresh though computed before: 0
fresh of all afterwards: 0
