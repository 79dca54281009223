--TEST--
Each TTL and grace accepts a DateInterval, relative to Clock's now
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';

final class MyInterval extends DateInterval
{
    public string $unused = 'x';
    public function format(string $format): string
    {
        exit('not called');
    }
}
final class NoParent extends DateInterval
{
    public function __construct() {}
}
function seconds(string $interval): DateInterval
{
    return new DateInterval("PT{$interval}S");
}

Clock::freeze(strtotime('2024-01-31 12:00:00 UTC'));
$server = start_memcached();
foreach ([$server->address, 'memory://intervals'] as $address) {
    $pool = new Pool($address);
    $cache = new Cache($pool, ttl: seconds(50), grace: seconds(7));
    $ways = [
        'set' => fn () => $cache->set('k', 1, seconds(20), seconds(9)),
        'add' => fn () => $cache->delete('k') && $cache->add('k', 1, seconds(21)),
        'replace' => fn () => $cache->replace('k', 1, seconds(22), seconds(11)),
        'update' => fn () => $cache->update('k', fn () => true, seconds(23)),
        'touch' => fn () => $cache->touch('k', seconds(24)),
        'publish' => fn () => $cache->expire('k') && $cache->get('k', true) && $cache->publish('k', 1, seconds(25)),
        'setMultiple' => fn () => $cache->setMultiple(['k' => 1], seconds(26), seconds(12)),
        'remember' => fn () => $cache->delete('k') && $cache->remember('k', seconds(27), fn () => true, seconds(13)),
        'remember, callable' => fn () => $cache->delete('k') && $cache->remember('k', fn () => seconds(28), fn () => true, seconds(14)),
        'rememberMany' => fn () => $cache->delete('k') && $cache->rememberMany(['k'], seconds(29), fn () => ['k' => true])['k'],
        'increment' => fn () => $cache->delete('k') && $cache->increment('k', 1, 0, seconds(31)),
        'the object' => fn () => $cache->set('k', 1),
    ];
    foreach ($ways as $way => $store) {
        Clock::freeze(strtotime('2024-01-31 12:00:00 UTC'));
        $is_done = $store();
        $ttl = $cache->entry('k')->expiresIn;
        Clock::advance($ttl);
        for ($grace = 0; $cache->has('k') && $grace < 60; $grace++) {
            Clock::advance(1);
        }
        echo "$way: ", json_encode([$is_done, $ttl, $grace]), "\n";
    }
}
$lock = new Lock($pool, 'lock', seconds(30));
$lock->acquire();
echo 'lock: ', json_encode([ceil($lock->remaining()), $lock->refresh(seconds(40)), ceil($lock->remaining()), Lock::restore($pool, 'lock', $lock->owner(), seconds(5))->isLocked()]), "\n";
$counter = new Counter($pool, 'counter', ttl: seconds(60));
$counter->increment();
Clock::advance(59);
$before = $counter->value();
Clock::advance(62);
echo 'counter: ', json_encode([$before, $counter->value()]), "\n";

echo "kinds\n";
Clock::freeze(strtotime('2024-01-31 12:00:00 UTC') + 0.75);
$diff = fn (string $from, string $to) => (new DateTime($from, new DateTimeZone('UTC')))->diff(new DateTime($to, new DateTimeZone('UTC')));
$inverted = seconds(5);
$inverted->invert = 1;
$kinds = [
    'a month of 31 days' => new DateInterval('P1M'), 'a leap year' => new DateInterval('P1Y'), 'all parts' => new DateInterval('P1DT2H3M4S'), 'weeks' => new DateInterval('P2W'),
    'microseconds' => $diff('2024-01-01 00:00:00.25', '2024-01-01 00:00:01.4995'), 'of two dates' => $diff('2024-01-31', '2024-02-29'),
    'from now to a month from now' => $diff('2024-01-31', '2024-03-31'), 'from a text' => DateInterval::createFromDateString('3 days + 4 hours'),
    'weekdays' => DateInterval::createFromDateString('3 weekdays'), 'a subclass' => new MyInterval('PT6S'), 'none' => new DateInterval('PT0S'),
    'inverted' => $inverted, 'of two dates, backwards' => $diff('2024-02-29', '2024-01-31'), 'ago' => DateInterval::createFromDateString('1 hour ago'),
    'too long' => new DateInterval('P400Y'), 'not constructed' => new NoParent, 'something else' => new DateTime, 'an array' => [], 'text' => 'soon', 'a number as text' => '6.5',
];
date_default_timezone_set('Europe/Berlin');
foreach ($kinds as $name => $ttl) {
    try {
        $cache->set('k', 1, $ttl);
        echo "$name: ", json_encode($cache->entry('k')->expiresIn), "\n";
    } catch (Error $error) {
        $class = get_class($error);
        echo "$name: ", $class === 'DateObjectError' ? 'Error' : $class, $error instanceof ValueError || $error instanceof TypeError ? ': ' . $error->getMessage() : '', "\n";
    }
}
echo "what is asked for is fixed at the call\n";
$ttl = seconds(10);
$changes = function () use ($ttl) {
    $ttl->s = 20;
    yield 'a' => 1;
    yield 'b' => 2;
};
$cache->setMultiple($changes(), $ttl);
$grace = seconds(30);
$cache->remember('c', fn () => 5, function () use ($grace) { $grace->s = 1; return 3; }, $grace);
echo json_encode([$cache->entry('a')->expiresIn, $cache->entry('b')->expiresIn]);
Clock::advance(30);
var_dump($cache->peek('c'));
foreach ([
    fn () => new Cache($pool, ttl: $inverted), fn () => new Cache($pool, grace: $inverted), fn () => new Cache($pool, lease: seconds(5)),
    fn () => $cache->remember('cold', $inverted, fn () => 1), fn () => $cache->remember('cold', fn () => $inverted, fn () => 1), fn () => $cache->remember('cold', fn () => new NoParent, fn () => 1),
    fn () => $cache->remember('cold', fn () => [], fn () => 1), fn () => $cache->remember('cold', fn () => new DateInterval('PT0S'), fn () => 1), fn () => new Counter($pool, 'c', 0, new DateInterval('PT0S')), fn () => new Lock($pool, 'l', new DateInterval('PT0S')), fn () => $lock->refresh($inverted), fn () => new Counter($pool, 'c', 0, $inverted),
    fn () => $cache->increment('n', 1, 0, $inverted), fn () => $cache->increment('n', 1, null, []), fn () => $cache->setMultiple(['x' => 1], $inverted), fn () => $cache->rememberMany(['x'], [], fn () => []), fn () => $cache->touch('k', new stdClass), fn () => $cache->remember('colder', new stdClass, fn () => 1),
] as $call) {
    try {
        $call();
        echo "nothing thrown\n";
    } catch (Error $error) {
        echo $error instanceof ValueError || $error instanceof TypeError ? $error->getMessage() : 'Error', "\n";
    }
}
?>
--EXPECT--
set: [true,20,9]
add: [true,21,7]
replace: [true,22,11]
update: [true,23,11]
touch: [true,24,11]
publish: [true,25,7]
setMultiple: [true,26,12]
remember: [true,27,13]
remember, callable: [true,28,14]
rememberMany: [true,29,7]
increment: [true,31,7]
the object: [true,50,7]
set: [true,20,9]
add: [true,21,7]
replace: [true,22,11]
update: [true,23,11]
touch: [true,24,11]
publish: [true,25,7]
setMultiple: [true,26,12]
remember: [true,27,13]
remember, callable: [true,28,14]
rememberMany: [true,29,7]
increment: [true,31,7]
the object: [true,50,7]
lock: [30,true,40,true]
counter: [1,0]
kinds
a month of 31 days: 2678400
a leap year: 31622400
all parts: 93784
weeks: 1209600
microseconds: 1.25
of two dates: 2505600
from now to a month from now: 5184000
from a text: 273600
weekdays: 432000
a subclass: 6
none: ValueError: McPatterns\Cache::set(): Argument #3 ($ttl) must not be a DateInterval or Time\Duration of 0 seconds: a TTL of 0 never expires
inverted: ValueError: McPatterns\Cache::set(): Argument #3 ($ttl) must be greater than or equal to 0
of two dates, backwards: ValueError: McPatterns\Cache::set(): Argument #3 ($ttl) must be greater than or equal to 0
ago: ValueError: McPatterns\Cache::set(): Argument #3 ($ttl) must be greater than or equal to 0
too long: ValueError: McPatterns\Cache::set(): Argument #3 ($ttl) must be at most 10000000000 seconds
not constructed: Error
something else: TypeError: McPatterns\Cache::set(): Argument #3 ($ttl) must be of type DateInterval|Time\Duration|int|float, DateTime given
an array: TypeError: McPatterns\Cache::set(): Argument #3 ($ttl) must be of type DateInterval|Time\Duration|int|float, array given
text: TypeError: McPatterns\Cache::set(): Argument #3 ($ttl) must be of type DateInterval|Time\Duration|int|float, string given
a number as text: 6.5
what is asked for is fixed at the call
[10,10]int(3)
McPatterns\Cache::__construct(): Argument #3 ($ttl) must be greater than or equal to 0
McPatterns\Cache::__construct(): Argument #4 ($grace) must be greater than or equal to 0
McPatterns\Cache::__construct(): Argument #5 ($lease) must be of type int|float, DateInterval given
McPatterns\Cache::remember(): Argument #2 ($ttl) must be greater than or equal to 0
McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, -5 returned
Error
McPatterns\Cache::remember(): Argument #2 ($ttl) must return a DateInterval, a Time\Duration, an int, a float or null, array returned
McPatterns\Cache::remember(): Argument #2 ($ttl) must not return a DateInterval or Time\Duration of 0 seconds
McPatterns\Counter::__construct(): Argument #4 ($ttl) must not be a DateInterval or Time\Duration of 0 seconds: a TTL of 0 never expires
McPatterns\Lock::__construct(): Argument #3 ($ttl) must be greater than 0
McPatterns\Lock::refresh(): Argument #1 ($ttl) must be greater than 0
McPatterns\Counter::__construct(): Argument #4 ($ttl) must be greater than or equal to 0
McPatterns\Cache::increment(): Argument #4 ($ttl) must be greater than or equal to 0
McPatterns\Cache::increment(): Argument #4 ($ttl) must be of type DateInterval|Time\Duration|int|float, array given
McPatterns\Cache::setMultiple(): Argument #2 ($ttl) must be greater than or equal to 0
McPatterns\Cache::rememberMany(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|int|float, array given
McPatterns\Cache::touch(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|int|float, stdClass given
McPatterns\Cache::remember(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|callable|int|float|null, stdClass given
