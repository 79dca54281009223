--TEST--
Each read of a prefetched value costs no round trip, as often as it is asked for (P11, P12, P19)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Transport};

require __DIR__ . '/../../../_support/round_trips.inc';

final class Point { public function __construct(public int $x) {} }

$servers = [start_memcached(), start_memcached(), start_memcached()];
$counted = count_round_trips_by_both($servers, function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses, timeout: 10, transport: $transport);
    $make = fn (float $near = 0): Cache => new Cache($pool, 'p.', ttl: 100, near: $near);
    $values = ['s' => 'text', 'e' => '', '7' => 'seven', 'n' => 5, 'a' => ['x' => [1, 2]], 'o' => new Point(3), 'big' => str_repeat('z', 100000)];
    $make()->setMultiple($values);
    $make()->set('counted', 5);
    $make()->increment('counted');
    $make()->tagged('tag')->set('tagged', 'with a tag');
    $make()->peek('s');
    $keys = array_keys($values);
    $cache = $make();
    $mark('-');
    $cache->prefetch($keys); $mark('-');
    $one = new Cache(new Pool($addresses[0], timeout: 10, transport: $transport), 'one.', ttl: 100);
    $one->setMultiple($values);
    $one->peek('s');
    $mark('-');
    $one->prefetch($keys); $mark('prefetch of 7 keys');
    $cache->prefetch($keys); $mark('prefetch again');
    $cache->prefetch([]); $mark('prefetch of nothing');
    for ($i = 0; $i < 2; $i++) {
        foreach ($values as $key => $value) {
            $cache->get((string) $key) == $value || print "get($key) is wrong\n";
            $cache->peek((string) $key) == $value || print "peek($key) is wrong\n";
            $cache->has((string) $key) || print "has($key) is wrong\n";
            $cache->entry((string) $key)->value == $value || print "entry($key) is wrong\n";
            $cache->remember((string) $key, 100, fn () => print 'computed') == $value || print "remember($key) is wrong\n";
        }
        $cache->getMultiple($keys) == $values || print "getMultiple is wrong\n";
        $cache->rememberMany($keys, 100, fn () => print 'computed') == $values || print "rememberMany is wrong\n";
    }
    $mark('all reads of all keys');
    $cache->lookup('s'); $mark('lookup');
    $cache->get('absent'); $mark('absent');
    $cache->set('other', 1);
    $mark('-');
    $cache->get('other'); $cache->get('other'); $mark('another key, twice');
    $make()->get('s'); $mark('another object of the prefix');
    $cache->prefetch(['counted', 'absent']);
    $mark('-');
    $cache->get('counted'); $mark('a running number');
    $cache->get('absent'); $mark('a missing key');
    $view = $make()->tagged('tag');
    $view->prefetch(['tagged', 's']);
    $mark('-');
    $make()->tagged('tag')->get('tagged'); $mark('tagged, through another view');
    $view->get('tagged'); $mark('tagged, through its view');
    $view->remember('tagged', 100, fn () => 1); $mark('remember of it');
    $cache->prefetch(['tagged']);
    $mark('-');
    $cache->get('tagged'); $mark('tagged, without a view');
    $near = $make(60);
    $near->prefetch(['s', 'a', 'o']);
    $mark('-');
    $near->get('s'); $near->get('a'); $near->get('o'); $near->get('o'); $mark('with near');
    Clock::freeze();
    $cache = $make();
    $cache->prefetch(['s', 'o']);
    $near->prefetch(['o']);
    $mark('-');
    Clock::advance(2.9);
    $cache->get('s'); $cache->get('o'); $mark('after 2.9 seconds');
    Clock::advance(0.1);
    $cache->get('s'); $mark('after 3 seconds');
    $near->get('o'); $mark('with near, after 3 seconds');
    $cache->prefetch(['s', 'o']);
    $near->prefetch(['o']);
    $mark('-');
    Pool::endRequest();
    $cache->get('s'); $mark('after the request');
    $near->get('o'); $mark('with near, after the request');
    $near->get('s');
    Clock::advance(60);
    $near->prefetch(['s']);
    $mark('-');
    $near->get('s'); $mark('with near, of a key whose served value is too old');
});
unset($counted['-']);
foreach ($counted as $name => $round_trips) {
    echo "$name: $round_trips\n";
}
?>
--EXPECT--
prefetch of 7 keys: 1
prefetch again: 0
prefetch of nothing: 0
all reads of all keys: 0
lookup: 1
absent: 1
another key, twice: 2
another object of the prefix: 1
a running number: 2
a missing key: 1
tagged, through another view: 1
tagged, through its view: 0
remember of it: 0
tagged, without a view: 0
with near: 0
after 2.9 seconds: 0
after 3 seconds: 1
with near, after 3 seconds: 0
after the request: 1
with near, after the request: 1
with near, of a key whose served value is too old: 0
