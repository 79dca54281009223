--TEST--
Pool::endRequest() inside callbacks or Fibers leaves running calls intact
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Key, Lock, Pool, Semaphore};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$make = fn (): Cache => new Cache($pool, ttl: 100, lease: 300, near: 50);
$cache = $make();
$tagged = $make()->tagged('t');
$end = function (mixed $value = null): mixed { Pool::endRequest(); Pool::endRequest(); return $value; };
$claim = fn (string $key): string => get_envelope($server, $key)['claim'] ? 'claimed' : 'free';

echo "remember\n";
$inner = function () use ($cache, $claim, $end) {
    $cache->set('old', 1);
    $cache->expire('old');
    $cache->get('old');
    $end();
    echo '  its own: ', $claim('cold'), ', the one beside it: ', $claim('old'), "\n";
    return 'computed';
};
$value = $cache->remember('cold', 100, $inner);
echo "  $value, ", $claim('cold'), ', ', $make()->entry('cold')->status->name, "\n";
echo '  ', $tagged->remember('tagged', 100, fn () => $end('computed')), ', ', $tagged->entry('tagged')->status->name, "\n";
print_r($cache->rememberMany(['x', 'y'], 100, fn (array $keys) => $end(array_fill_keys($keys, 'many'))));
echo '  ', $make()->entry('x')->status->name, ' ', $make()->entry('y')->status->name, "\n";
echo '  ', $cache->update('cold', fn ($old) => $end("$old twice")), ' ', $cache->get('cold'), "\n";

echo "in Fibers\n";
$fibers = array_map(fn (string $key) => new Fiber(fn () => $cache->remember($key, 100, fn () => Fiber::suspend() ?? $key)), ['f1', 'f2']);
array_map(fn (Fiber $fiber) => $fiber->start(), $fibers);
$end();
echo '  ', $claim('f1'), ' ', $claim('f2'), "\n";
$fibers[0]->resume();
unset($fibers);
gc_collect_cycles();
echo '  ', $make()->entry('f1')->status->name, ' ', $make()->entry('f2')->status->name, "\n";

echo "run\n";
foreach ([new Lock($pool, 'job', ttl: 60), new Semaphore($pool, 'job', permits: 2, ttl: 60)] as $lock) {
    $lock->run(fn () => $end(print '  held: ' . ($lock->run(fn () => $end() ?? $lock->isHeld(verify: true)) ? 'yes' : 'no')), 1);
    echo ', after it: ', $lock->isHeld() ? 'yes' : 'no', "\n";
}

echo "counters\n";
$views = new Counter($pool, 'views', initial: fn () => $end(5));
echo '  ', $views->increment(), "\n";
$views->drain(fn (int $taken) => $end() ?? print "  $taken\n");
echo '  left: ', $views->value(), "\n";

echo "values, listeners, error handlers\n";
class Ending
{
    public function __serialize(): array { Pool::endRequest(); return []; }
    public function __unserialize(array $data): void { Pool::endRequest(); }
    public function __destruct() { Pool::endRequest(); }
}
$cache->set('object', new Ending);
$cache->expire('object');
echo '  ', get_debug_type($cache->get('object')), ' ', get_debug_type($cache->lookup('object')->value), ' ', $cache->set('object', new Ending) ? 'stored' : 'not stored', "\n";
$down = new Pool('127.0.0.1:1');
$down->onError(fn (string $message) => $end(print "  told\n"));
(new Cache($down))->get('k');
ini_set('mcpatterns.report_key_drift', '1');
set_error_handler(fn (int $level) => $end(true));
Key::of('drift', 1);
Key::of('drift', '1');
echo "  done\n";
?>
--EXPECT--
remember
  its own: claimed, the one beside it: free
  computed, free, Fresh
  computed, Fresh
Array
(
    [x] => many
    [y] => many
)
  Fresh Fresh
  computed twice computed twice
in Fibers
  claimed claimed
  Fresh Miss
run
  held: yes, after it: no
  held: yes, after it: no
counters
  6
  6
  left: 0
values, listeners, error handlers
  null Ending stored
  told
  done
