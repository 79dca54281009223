--TEST--
A near value read twice survives a crawl larger than the cache (P8.3)
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.shared_memory=1M
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

const CRAWLED = 20000;

$server = start_memcached();
$pool = new Pool($server->address);
$near = fn (): Cache => new Cache($pool, near: 60); // with nothing in a memory of its own

/** @return list<string> */
function keys(string $name, int $count): array {
    return array_map(fn (int $number): string => "$name $number", range(1, $count));
}

/** Reads each by a get, and returns how many of them the host's memory has answered. */
function read(Cache $cache, array $keys): int {
    $wrong = 0;
    foreach ($keys as $key) {
        $wrong += $cache->get($key) !== "value of $key";
    }
    echo $wrong === 0 ? '' : "$wrong wrong\n";
    return $cache->stats()['near_shared'];
}

$popular = keys('popular', 50);
$crawled = keys('page', CRAWLED);
$writer = new Cache($pool);
foreach (array_chunk(array_merge($popular, $crawled), 1000) as $keys) {
    $writer->setMultiple(array_combine($keys, array_map(fn (string $key): string => "value of $key", $keys)));
}

echo 'read for the first time: ', read($near(), $popular), " were near\n";
echo 'and for the second: ', read($near(), $popular), "\n";
echo 'crawled: ', read($near(), $crawled), "\n";
echo 'read again behind that: ', read($near(), $popular), "\n";
$some = array_slice($crawled, 1000, 20);
read($near(), $some);
read($near(), $some);
echo 'pages that are read again, for the third time: ', read($near(), $some), "\n";
?>
--EXPECT--
read for the first time: 0 were near
and for the second: 50
crawled: 0
read again behind that: 50
pages that are read again, for the third time: 20
