--TEST--
A callable TTL runs after the computation, and null stores nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://ttl'), ttl: 100, lease: 1000);
$ttls = [
    'int' => fn ($value) => 5, 'float' => fn () => 0.5, 'zero' => fn () => 0, 'the value' => fn ($value) => strlen($value), 'function name' => 'strlen', 'null' => fn () => null,
    'negative' => fn () => -1, 'NAN' => fn () => NAN, '-INF' => fn () => -INF, 'too much' => fn () => 1e11, 'string' => fn () => '5', 'bool' => fn () => true, 'nothing' => function () {},
    'array' => fn () => [], 'thrower' => fn () => throw new DomainException('from ttl'),
];
foreach ($ttls as $name => $ttl) {
    try {
        $answer = $cache->remember($name, $ttl, fn () => 'computed');
    } catch (Throwable $exception) {
        $answer = get_class($exception) . ': ' . $exception->getMessage();
    }
    $entry = $cache->entry($name);
    echo "$name: $answer, ", $entry->status->name, ' ', json_encode($entry->expiresIn), "\n";
}
echo "what is not stored was given back: ", $cache->remember('null', 5, fn () => 'again', wait: 0), "\n";
Clock::advance(1);
echo "what was refused too: ", $cache->remember('negative', 5, fn () => 'again', wait: 0), "\n";

echo "the grace is as long as the TTL that was asked for\n";
$cache->remember('g', fn () => 7, fn () => 1);
Clock::advance(13.999);
echo $cache->entry('g')->status->name, ' ';
Clock::advance(0.001);
echo $cache->entry('g')->status->name, "\n";
echo "strings of digits are seconds\n";
$cache->remember('s', '20', fn () => 1);
var_dump($cache->entry('s')->expiresIn);
?>
--EXPECT--
int: computed, Fresh 5
float: computed, Fresh 0.5
zero: computed, Fresh null
the value: computed, Fresh 8
function name: computed, Fresh 8
null: computed, Miss null
negative: ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, -1 returned, Miss null
NAN: ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, NAN returned, Miss null
-INF: ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, -INF returned, Miss null
too much: ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, 1.0e+11 returned, Miss null
string: TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, string returned, Miss null
bool: TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, bool returned, Miss null
nothing: computed, Miss null
array: TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, array returned, Miss null
thrower: DomainException: from ttl, Miss null
what is not stored was given back: again
what was refused too: again
the grace is as long as the TTL that was asked for
Stale Miss
strings of digits are seconds
float(20)
