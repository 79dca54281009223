--TEST--
var_dump() shows settings and state of each object without requests
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Compression, Counter, Distribution, Lock, OnlineCounter, Pool, Serializer, Transport};

function show(object $object): void
{
    ob_start();
    var_dump($object);
    $hidden = [
        '/#\d+/' => '',
        // Shown with each of the others.
        '/(\["pool"\]=>\s+)object\(McPatterns\\\\Pool\) \(\d+\) \{.*?\n  \}/s' => '$1...',
        '/(\["stats"\]=>\s+)array\(\d+\) \{\s+\["hits"\].*?\n  \}/s' => '$1...',
        // The monotonic clock goes on while the other one is frozen.
        '/float\(5\.9\d*\)/' => 'float(6)',
    ];
    echo preg_replace(array_keys($hidden), $hidden, ob_get_clean());
}

Clock::freeze(1000);
$pool = new Pool(['memory://m', 'unix:///nowhere/a.sock:3'], 'p:', Distribution::Modulo, Serializer::Php,
    compression: Compression::None, connectTimeout: 0.1, timeout: 1, retryAfter: 2.5, persistent: false, transport: Transport::Direct);
show($pool);
$one = new Pool('memory://m');
$cache = new Cache($one, 'c:', ttl: 60, grace: INF, lease: 5, wait: 1.5, stale: false, staleOnError: true, early: 1.0, jitter: 0.1);
$cache->get('k');
show($cache);
$lock = new Lock($one, 'job', 10, 'me', autoRelease: false, skew: 0.5);
show($lock);
$lock->acquire();
Clock::advance(4);
show($lock);
show(new Lock($one, 'endless', INF, 'me', skew: INF));
show(new Counter($one, 'views', 7, 3600));
show(new Counter($one, 'views', 'strlen'));
show(new OnlineCounter($one, 'page', 600, 10));

echo "nothing else changes\n";
foreach ([$pool, $cache, $lock] as $object) {
    var_dump((array) $object, count(get_object_vars($object)));
    var_export($object);
    echo "\n";
}
var_dump($pool == $one, $cache == new Cache($one), $pool == $cache, json_encode($lock));
echo "no server was asked\n";
$down = new Pool('unix:///nowhere/a.sock');
$unheld = new Lock($down, 'l');
print_r($unheld, true);
var_dump($down->lastErrors());
?>
--EXPECT--
object(McPatterns\Pool) (13) {
  ["servers"]=>
  array(2) {
    ["memory://m"]=>
    int(1)
    ["unix:///nowhere/a.sock"]=>
    int(3)
  }
  ["prefix"]=>
  string(2) "p:"
  ["distribution"]=>
  string(6) "modulo"
  ["transport"]=>
  string(6) "direct"
  ["serializer"]=>
  string(3) "php"
  ["compression"]=>
  string(4) "none"
  ["compressAbove"]=>
  int(2000)
  ["connectTimeout"]=>
  float(0.1)
  ["timeout"]=>
  float(1)
  ["retryAfter"]=>
  float(2.5)
  ["failover"]=>
  bool(false)
  ["persistent"]=>
  bool(false)
  ["lastErrors"]=>
  array(2) {
    ["memory://m"]=>
    NULL
    ["unix:///nowhere/a.sock"]=>
    NULL
  }
}
object(McPatterns\Cache) (17) {
  ["pool"]=>
  ...
  ["prefix"]=>
  string(2) "c:"
  ["ttl"]=>
  float(60)
  ["grace"]=>
  float(INF)
  ["lease"]=>
  float(5)
  ["wait"]=>
  float(1.5)
  ["stale"]=>
  bool(false)
  ["staleOnError"]=>
  bool(true)
  ["early"]=>
  float(1)
  ["jitter"]=>
  float(0.1)
  ["clearable"]=>
  bool(false)
  ["copies"]=>
  int(1)
  ["near"]=>
  float(0)
  ["foreign"]=>
  bool(false)
  ["guarded"]=>
  bool(false)
  ["holdoff"]=>
  float(10)
  ["stats"]=>
  ...
}
object(McPatterns\Lock) (8) {
  ["pool"]=>
  ...
  ["name"]=>
  string(3) "job"
  ["owner"]=>
  string(2) "me"
  ["ttl"]=>
  float(10)
  ["skew"]=>
  float(0.5)
  ["autoRelease"]=>
  bool(false)
  ["isHeld"]=>
  bool(false)
  ["remaining"]=>
  float(0)
}
object(McPatterns\Lock) (8) {
  ["pool"]=>
  ...
  ["name"]=>
  string(3) "job"
  ["owner"]=>
  string(2) "me"
  ["ttl"]=>
  float(10)
  ["skew"]=>
  float(0.5)
  ["autoRelease"]=>
  bool(false)
  ["isHeld"]=>
  bool(true)
  ["remaining"]=>
  float(6)
}
object(McPatterns\Lock) (8) {
  ["pool"]=>
  ...
  ["name"]=>
  string(7) "endless"
  ["owner"]=>
  string(2) "me"
  ["ttl"]=>
  float(INF)
  ["skew"]=>
  float(INF)
  ["autoRelease"]=>
  bool(true)
  ["isHeld"]=>
  bool(false)
  ["remaining"]=>
  float(0)
}
object(McPatterns\Counter) (6) {
  ["pool"]=>
  ...
  ["name"]=>
  string(5) "views"
  ["initial"]=>
  int(7)
  ["ttl"]=>
  float(3600)
  ["wait"]=>
  float(2.5)
  ["whenDown"]=>
  NULL
}
object(McPatterns\Counter) (6) {
  ["pool"]=>
  ...
  ["name"]=>
  string(5) "views"
  ["initial"]=>
  string(6) "strlen"
  ["ttl"]=>
  float(0)
  ["wait"]=>
  float(2.5)
  ["whenDown"]=>
  NULL
}
object(McPatterns\OnlineCounter) (5) {
  ["pool"]=>
  ...
  ["name"]=>
  string(4) "page"
  ["window"]=>
  int(600)
  ["slots"]=>
  int(10)
  ["whenDown"]=>
  NULL
}
nothing else changes
array(0) {
}
int(0)
\McPatterns\Pool::__set_state(array(
))
array(0) {
}
int(0)
\McPatterns\Cache::__set_state(array(
))
array(0) {
}
int(0)
\McPatterns\Lock::__set_state(array(
))
bool(false)
bool(false)
bool(false)
string(2) "{}"
no server was asked
array(1) {
  ["unix:///nowhere/a.sock"]=>
  NULL
}
