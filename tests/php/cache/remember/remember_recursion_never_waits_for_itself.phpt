--TEST--
A callback that requests its own key never waits for itself (C14)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Distribution, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$second = start_memcached();
$pool = new Pool($server->address, 'p:', timeout: 10);
$new = fn () => new Cache($pool, ttl: 100, wait: 60); // who waits for himself is stopped by the test's time limit
$cache = $new();
$attempt = function (callable $work) {
    try {
        return $work();
    } catch (LogicException $exception) {
        return get_class($exception);
    }
};
$cold = function (string $name, Cache $asked, string $key = 'k') use ($cache, $attempt) {
    $cache->delete('k');
    echo $name, ': ', $cache->remember('k', 100, fn () => 'outer sees ' . $attempt(fn () => $asked->remember($key, 100, fn () => 'inner'))), "\n";
};
$hot = function (string $name, Cache $asked, string $key = 'k') use ($cache) {
    $cache->set('k', 'old');
    $cache->expire('k');
    echo $name, ': ', $cache->remember('k', 100, fn () => 'outer sees ' . $asked->remember($key, 100, fn () => 'inner')), "\n";
};
$objects = [
    'the same object' => [$cache],
    'another Cache' => [$new()],
    'another Pool' => [new Cache(new Pool($server->address, 'p:', timeout: 10), wait: 60)],
    'another connection' => [new Cache(new Pool($server->address, 'p:', timeout: 10, persistent: false), wait: 60)],
    'the prefix on the other side' => [new Cache(new Pool($server->address, timeout: 10), 'p:', wait: 60)],
    'the prefix in the key' => [new Cache(new Pool($server->address, timeout: 10), wait: 60), 'p:k'],
];
foreach ([[$server, $second], [$second, $server]] as $servers) {
    $many = new Pool(array_column($servers, 'address'), 'p:', distribution: Distribution::Modulo);
    if (str_ends_with($server->name, $many->serverFor('k'))) {
        $objects['a pool of two servers'] = [new Cache($many, wait: 60)];
    }
}
foreach ($objects as $name => $object) {
    $cold($name, ...$object);
    $hot($name, ...$object);
}
$cold('another key', $cache, 'other');
$cold('another server', new Cache(new Pool($second->address, 'p:')));

echo "rememberMany\n";
$cache->deleteMultiple(['k', 'l']);
echo $cache->remember('k', 100, fn () => $attempt(fn () => $cache->rememberMany(['l', 'k'], 100, fn ($keys) => array_fill_keys($keys, 'inner')))), "\n";
$cache->deleteMultiple(['k', 'l']);
echo json_encode($cache->rememberMany(['k', 'l', 'm'], 100, fn ($keys) => ['k' => 1, 'l' => $attempt(fn () => $cache->remember('m', 100, fn () => 'inner')), 'm' => 3])), "\n";
$cache->setMultiple(['k' => 'old k', 'l' => 'old l']);
$cache->expire('k');
echo json_encode($cache->rememberMany(['k', 'l'], 100, fn ($keys) => ['k' => $cache->rememberMany(['n', 'k', 'l'], 100, fn ($inner) => array_fill_keys($inner, 'inner of ' . implode(',', $inner)))])), "\n";

echo "__wakeup\n";
class Asker
{
    public mixed $seen = null;
    public static ?Closure $ask = null;
    public function __wakeup(): void { $this->seen = (self::$ask)(); }
}
Asker::$ask = null;
$cache->set('asker', new Asker);
$depth = 0;
Asker::$ask = function () use ($cache, &$depth) {
    // Decoding is not computing: whoever asks for the value in its own __wakeup has to end that himself.
    return ++$depth < 3 ? $cache->remember('asker', 100, fn () => 'never called')->seen ?? 'deepest' : null;
};
echo $cache->remember('asker', 100, fn () => 'never called')->seen, " after $depth\n";
$depth = 0;
$cache->expire('asker');
Asker::$ask = fn () => $attempt(fn () => $cache->remember('k2', 100, fn () => 'never'));
echo $cache->remember('k2', 100, fn () => $cache->peek('asker')->seen), ", asked in a __wakeup in the callback\n";
Asker::$ask = fn () => $cache->remember('asker', 100, fn () => 'computed in the __wakeup of the old value');
echo $cache->remember('asker', 100, fn () => 'computed'), ' ', $cache->peek('asker'), "\n";

echo "Fibers\n";
$cache->delete('f');
$fiber = fn (string $name) => new Fiber(function () use ($cache, $attempt, $name) {
    return $cache->remember('f', 100, function () use ($cache, $attempt, $name) {
        Fiber::suspend();
        // Its own key, though another Fiber was the first to compute it.
        return "$name sees " . $attempt(fn () => $cache->remember('f', 100, fn () => "inner of $name"));
    });
});
$fibers = array_map($fiber, ['first', 'second', 'third']);
foreach ($fibers as $one) {
    $one->start();
}
foreach ([1, 0, 2] as $i) {
    $fibers[$i]->resume();
    echo $fibers[$i]->getReturn(), ', stored: ', $cache->peek('f'), "\n";
}
$cache->delete('f');
$fibers = array_map($fiber, ['first', 'second', 'third']);
foreach ($fibers as $one) {
    $one->start();
}
unset($fibers[0], $one); // dropped in the middle
gc_collect_cycles();
$fibers[1]->resume();
echo $fibers[1]->getReturn(), "\n";
$fibers[2]->resume();
echo $cache->remember('f', 100, fn () => 'again'), "\n";
$cache->delete('f');
$inner = null;
echo $cache->remember('f', 100, function () use ($cache) {
    $fiber = new Fiber(fn () => $cache->remember('f', 100, fn () => 'by a Fiber in the callback'));
    $fiber->start();
    return 'outer, ' . $fiber->getReturn();
}), ', stored: ', $cache->peek('f'), "\n";

echo "a callback that was left by an exception or an exit marks nothing\n";
foreach ([fn () => throw new DomainException, fn () => throw new Error] as $leave) {
    try {
        $cache->remember('left', 100, $leave, wait: 0);
    } catch (Throwable) {
    }
    $cache->delete('left'); // and with it the pause
}
echo $cache->remember('left', 100, fn () => 'computed', wait: 0), "\n";
register_shutdown_function(function () use ($cache) {
    echo $cache->remember('exit', 100, fn () => 'after the exit'), "\n";
});
$cache->remember('exit', 100, fn () => exit);
?>
--EXPECT--
the same object: outer sees LogicException
the same object: outer sees old
another Cache: outer sees LogicException
another Cache: outer sees old
another Pool: outer sees LogicException
another Pool: outer sees old
another connection: outer sees LogicException
another connection: outer sees old
the prefix on the other side: outer sees LogicException
the prefix on the other side: outer sees old
the prefix in the key: outer sees LogicException
the prefix in the key: outer sees old
a pool of two servers: outer sees LogicException
a pool of two servers: outer sees old
another key: outer sees inner
another server: outer sees inner
rememberMany
LogicException
{"k":1,"l":"LogicException","m":3}
{"k":{"n":"inner of n","k":"old k","l":"old l"},"l":"old l"}
__wakeup
deepest after 3
LogicException, asked in a __wakeup in the callback
computed computed
Fibers
second sees LogicException, stored: second sees LogicException
first sees second sees LogicException, stored: second sees LogicException
third sees second sees LogicException, stored: second sees LogicException
second sees LogicException
second sees LogicException
outer, by a Fiber in the callback, stored: by a Fiber in the callback
a callback that was left by an exception or an exit marks nothing
computed
after the exit
