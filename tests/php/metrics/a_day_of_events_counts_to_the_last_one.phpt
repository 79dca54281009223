--TEST--
Metrics count each event of a day under a frozen clock
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Metrics, Pool};

const START = 1_700_000_000;
Clock::freeze(START);
Metrics::reset();
$cache = new Cache(new Pool('memory://day'), 'page:', ttl: 30);
for ($second = 0; $second < 86400; $second += 10) {
    $cache->remember('front', 30, fn () => $second, grace: 0);
    if ($second % 3600 === 0) {
        $cache->remember("hour $second", 30, fn () => usleep(1000), grace: 0);
    }
    Clock::advance(10);
}
$read = Metrics::read();
$page = $read['groups'][0];
var_dump($read['since'], $read['now'] - $read['since']);
var_dump($page['hits'], $page['elections'], $page['stored'], $page['misses'] + $page['stale'] + $page['errors']);
echo implode(' ', array_map(fn ($rebuild) => "$rebuild[key] $rebuild[count]", $read['rebuilds'])), "\n";
$trace = Metrics::trace(null, 4096);
var_dump(count($trace), end($trace)['at'], $trace === array_values($trace));
$times = array_column($trace, 'at');
$sorted = $times;
sort($sorted);
var_dump($times === $sorted);
Clock::advance(60);
var_dump(Metrics::read()['rebuilds']);
?>
--EXPECT--
float(1700000000)
float(86400)
int(5760)
int(2904)
int(2904)
int(0)
front 1
int(4096)
float(1700086390)
bool(true)
bool(true)
array(0) {
}
