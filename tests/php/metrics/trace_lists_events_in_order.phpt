--TEST--
Metrics::trace() returns the last events in order, of a group or all
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Metrics, Pool};

Clock::freeze(1_700_000_000.25);
$pool = new Pool('memory://trace');
$cache = new Cache($pool, 'page:', ttl: 10);
$show = function (string $what) {
    printf("%-22s %s\n", $what, implode(array_column(Metrics::trace('page:', 4096), 'letter')));
    Metrics::reset();
};
$cache->remember('front', 10, fn () => 'value');
$cache->remember('front', 10, fn () => 'value');
$show('a cold key, then a hit');
Clock::advance(10);
$cache->lookup('front');
$cache->get('front');
$cache->get('front');
$cache->publish('front', 'new');
$show('elected, two others');
$cache->remember('front', 10, fn () => 'value', force: true);
$show('forced');
Clock::advance(10);
$cache->lookup('front');
$cache->expire('front');
$cache->publish('front', 'late');
$show('refused');
$cache->lookup('front');
$cache->abandon('front');
$show('given back');
$cache->get('nothing');
$cache->set('it', 1);
$show('a miss and a set');
$cache->tagged('t')->remember('tagged', 10, fn () => 1);
$cache->invalidateTags('t');
$cache->tagged('t')->remember('tagged', 10, fn () => 2);
$show('a tag was invalidated');
try {
    $cache->remember('failing', 10, fn () => throw new Exception('no'));
} catch (Exception) {
}
$show('a computation failed');
$waiting = new Cache($pool, 'page:', lease: 1, wait: 0.2);
$waiting->remember('busy', 10, fn () => $waiting->rememberMany(['other'], 10, fn () => ['other' => 1]));
$show('one in another');
$down = new Cache(new Pool('127.0.0.1:1'), 'page:');
$down->get('any');
$down->set('any', 1);
$show('no server');

echo "which, and in which order\n";
$others = new Cache($pool, '');
$others->get('first');
$cache->get('second');
Clock::advance(0.001);
$others->get(str_repeat('long', 20));
foreach (Metrics::trace() as $event) {
    echo json_encode($event, JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_SLASHES), $event['pid'] === getmypid() ? '' : ' of whom?', "\n";
}
var_dump(array_column(Metrics::trace(''), 'key'), array_column(Metrics::trace(null, 1), 'letter'), Metrics::trace('page'));
foreach ([0, 4097, -1] as $last) {
    try {
        Metrics::trace(null, $last);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECTF--
a cold key, then a hit MLWH
elected, two others    MLSSW
forced                 ELW
refused                MLR
given back             MLU
a miss and a set       MW
a tag was invalidated  MLWTLW
a computation failed   MLU
one in another         MLMLWW
no server              XX
which, and in which order
{"at":%d.25,"letter":"M","group":"","key":"first","pid":%d}
{"at":%d.25,"letter":"M","group":"page:","key":"second","pid":%d}
{"at":%d.251,"letter":"M","group":"","key":"longlonglonglonglonglonglonglonglonglong","pid":%d}
array(2) {
  [0]=>
  string(5) "first"
  [1]=>
  string(40) "longlonglonglonglonglonglonglonglonglong"
}
array(1) {
  [0]=>
  string(1) "M"
}
array(0) {
}
McPatterns\Metrics::trace(): Argument #2 ($last) must be between 1 and 4096
McPatterns\Metrics::trace(): Argument #2 ($last) must be between 1 and 4096
McPatterns\Metrics::trace(): Argument #2 ($last) must be between 1 and 4096
