--TEST--
A callable TTL receives the value, null stores nothing, others throw
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://ttl');
$cache = new Cache($pool, ttl: 7);
$other = new Cache($pool);
$remember = function (mixed $returned, ...$options) use ($cache, $other): string {
    $cache->delete('k');
    try {
        $answer = $cache->remember('k', fn (...$arguments) => $returned instanceof Closure ? $returned(...$arguments) : $returned, fn () => 'value', ...$options);
    } catch (Throwable $exception) {
        $failed = $other->entry('k')->status->name === 'Miss' ? 'nobody holds a claim' : 'claimed';
        return get_class($exception) . ': ' . $exception->getMessage() . " ($failed)";
    }
    $entry = $other->entry('k');
    return "$answer, " . $entry->status->name . ' ' . json_encode($entry->expiresIn);
};
echo 'int: ', $remember(30), "\n";
echo 'float: ', $remember(0.25), "\n";
echo 'for ever: ', $remember(0), "\n";
echo 'from the value alone: ', $remember(fn (...$arguments) => count($arguments) * strlen($arguments[0])), "\n";
echo 'null: ', $remember(null), "\n";
foreach ([-1, -0.5, NAN, -INF, 1e11, '30', '', true, false, [30], new stdClass] as $wrong) {
    echo $remember($wrong), "\n";
}
echo $remember(fn () => throw new DomainException('no lifetime')), "\n";
echo $remember(fn () => exit_by_exception()), "\n";

echo "null leaves an old value as it is, and the next caller is elected\n";
$cache->set('k', 'old', 10);
Clock::advance(10);
echo $cache->remember('k', fn () => null, fn () => 'new'), ' ', $other->peek('k'), ' ', $other->lookup('k')->status->name, "\n";
$other->abandon('k');
echo 'staleOnError: ', $cache->remember('k', fn () => -1, fn () => 'new', staleOnError: true), "\n";

echo "any callable, and what is none\n";
echo $cache->remember('length', 'strlen', fn () => '12345'), ' ', $cache->entry('length')->expiresIn, "\n";
final class Lifetimes
{
    public static function ofFive(string $value): int { return 5; }
    public function __call(string $name, array $arguments): int { return strlen($name); }
}
for ($i = 0; $i < 3; $i++) { // a __call is made anew each time
    $cache->delete('magic');
    $cache->remember('magic', [new Lifetimes, 'sixsix'], [new Lifetimes, 'value']);
    echo $cache->entry('magic')->expiresIn, ' ';
}
echo $cache->remember('static', 'Lifetimes::ofFive', fn () => 'v'), ' ', $cache->entry('static')->expiresIn, "\n";
foreach ([-1, NAN, '-1', 'no function', [1], new stdClass] as $wrong) {
    try {
        $cache->remember('never', $wrong, fn () => print('computed'));
    } catch (TypeError | ValueError $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
var_dump($cache->has('never'));

function exit_by_exception(): never
{
    throw new Error('an Error');
}
?>
--EXPECT--
int: value, Fresh 30
float: value, Fresh 0.25
for ever: value, Fresh null
from the value alone: value, Fresh 5
null: value, Miss null
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, -1 returned (nobody holds a claim)
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, -0.5 returned (nobody holds a claim)
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, NAN returned (nobody holds a claim)
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, -INF returned (nobody holds a claim)
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, 1.0e+11 returned (nobody holds a claim)
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, string returned (nobody holds a claim)
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, string returned (nobody holds a claim)
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, bool returned (nobody holds a claim)
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, bool returned (nobody holds a claim)
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, array returned (nobody holds a claim)
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, stdClass returned (nobody holds a claim)
DomainException: no lifetime (nobody holds a claim)
Error: an Error (nobody holds a claim)
null leaves an old value as it is, and the next caller is elected
new old Elected
staleOnError: old
any callable, and what is none
12345 5
6 6 6 v 5
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must be greater than or equal to 0
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must be a number of seconds or INF
ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must be greater than or equal to 0
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|callable|int|float|null, string given
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|callable|int|float|null, array given
TypeError: McPatterns\Cache::remember(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|callable|int|float|null, stdClass given
bool(false)
