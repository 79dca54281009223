--TEST--
Null means the documented default for each parameter, with strict_types too
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.timeout=0.5
--FILE--
<?php
declare(strict_types=1);
use McPatterns\{Cache, Counter, Distribution, Entry, Limiting, Pool, RateLimiter, Refresh, Transport};

/** What the object is, by what it shows of itself. */
function shown(object $object): string
{
    return print_r($object, true);
}

$server = 'memory://defaults';
$pool = new Pool($server);
$same = [
    'Pool' => [
        $pool,
        new Pool($server, '', null, null, true, null, null, 2000, null, null, 1, false, true, null),
        new Pool($server, distribution: Distribution::Ketama, connectTimeout: 0.2, timeout: 0.5),
    ],
    'Cache' => [
        new Cache($pool),
        new Cache($pool, '', 3600, null, 10, null, true, false, null, null),
        new Cache($pool, wait: 2.5, early: 0.0, jitter: 0.0),
        new Cache($pool, early: 0, jitter: 0),
    ],
    'Counter' => [new Counter($pool, 'c'), new Counter($pool, 'c', 0, 0, null), new Counter($pool, 'c', wait: 2.5)],
    'RateLimiter' => [
        new RateLimiter($pool, 'r', 1, 60),
        new RateLimiter($pool, 'r', 1, 60, null, 10),
        new RateLimiter($pool, 'r', 1, 60, Limiting::SlidingWindow),
    ],
];
foreach ($same as $class => $objects) {
    echo $class, ': ', count(array_unique(array_map(shown(...), $objects))), "\n";
}
$different = [
    new Pool($server, distribution: Distribution::Modulo), new Pool($server, timeout: 1), new Pool($server, connectTimeout: 1),
    new Cache($pool, wait: 1), new Cache($pool, early: 1), new Cache($pool, jitter: 0.5), new Counter($pool, 'c', wait: 1.5),
    new RateLimiter($pool, 'r', 1, 60, Limiting::FixedWindow),
];
echo 'different: ', count(array_intersect(array_map(shown(...), $different), array_map(shown(...), array_merge(...array_values($same))))), "\n";
foreach (Transport::cases() as $transport) {
    new Pool('127.0.0.1:1', transport: $transport);
}
$cache = new Cache($pool);
foreach ([null, Refresh::Inline, Refresh::AfterResponse] as $number => $refresh) {
    echo $cache->remember("k$number", 60, fn (Entry $old): string => 'computed', refresh: $refresh, entry: $entry), ' ', $entry->status->name, "\n";
}
foreach ([fn () => new Cache($pool, wait: '2.5'), fn () => new Cache($pool, jitter: true), fn () => new Pool($server, transport: 'direct')] as $wrong) {
    try {
        $wrong();
    } catch (TypeError $error) {
        echo strtr($error->getMessage(), ['true given' => 'bool given']), "\n";  // PHP 8.4 names the value
    }
}
echo (new ReflectionMethod(Cache::class, 'remember'))->getParameters()[10], "\n";
?>
--EXPECT--
Pool: 1
Cache: 1
Counter: 1
RateLimiter: 1
different: 0
computed Elected
computed Elected
computed Elected
McPatterns\Cache::__construct(): Argument #6 ($wait) must be of type int|float|null, string given
McPatterns\Cache::__construct(): Argument #10 ($jitter) must be of type ?float, bool given
McPatterns\Pool::__construct(): Argument #14 ($transport) must be of type ?McPatterns\Transport, string given
Parameter #10 [ <optional> ?McPatterns\Refresh $refresh = null ]
