--TEST--
Each end of a script except SIGKILL releases its claims immediately (C6)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/envelope.inc';
require __DIR__ . '/../../_support/script.inc';

putenv('USE_ZEND_ALLOC=1'); // valgrind's runs are without it, and then there is no memory limit
$server = start_memcached();
// A claim that no server takes back in time is left to its lease: on a busy machine that may be memcached after half a second.
$patient = 'connectTimeout: 10, timeout: 10';
$pool = new Pool($server->address, connectTimeout: 10, timeout: 10);
$cache = new Cache($pool, ttl: 100, lease: 300);
$head = "use McPatterns\\{Cache, MC, Pool}; \$cache = new Cache(new Pool(\$argv[1], $patient), ttl: 100, lease: 300); ";
$compute = fn (string $code) => '$cache->remember($argv[2], 100, function () use ($cache) { ' . $code . ' return "computed"; });';
// The limit is a second of computing, which takes minutes where many others compute: its signal comes from outside. With threads
// it is a timer's, and real time.
$at_time_limit = PHP_ZTS ? 'set_time_limit(1); for (;;) {}' : 'set_time_limit(1000); exec("kill -s PROF " . getmypid()); for (;;) {}';
$endings = [
    'exit' => $compute('exit(0);'),
    'exit in a Fiber' => '$fiber = new Fiber(function () use ($cache, $argv) { ' . $compute('exit(0);') . ' }); $fiber->start();',
    'suspended at the end' => '$fiber = new Fiber(function () use ($cache, $argv) { ' . $compute('Fiber::suspend();') . ' }); $fiber->start();',
    'fatal error' => $compute('eval("class Sub extends McPatterns\\\\Cache {}");'),
    'memory limit' => $compute('str_repeat("x", 1 << 40);'),
    'time limit' => $compute($at_time_limit),
    'uncaught exception' => $compute('throw new Exception("uncaught");'),
    'exit in a shutdown function' => 'register_shutdown_function(function () use ($cache, $argv) { ' . $compute('exit;') . ' });',
    'exit in a destructor within' => $compute('$object = new class { function __destruct() { exit; } }; unset($object);'),
    'get and exit' => '$cache->get($argv[2]); exit;',
    'get and a fatal error' => '$cache->get($argv[2]); str_repeat("x", 1 << 40);',
    'get in a cycle that is never collected' => '$a = new stdClass; $a->self = $a; $a->cache = $cache; $cache->get($argv[2]); gc_disable();',
    'get in a static' => 'class Holder { static $cache; } Holder::$cache = $cache; $cache->get($argv[2]);',
    'get through an object that is gone' => '(new Cache(new Pool($argv[1], ' . $patient . '), ttl: 100, lease: 300))->get($argv[2]);',
    'the same with a connection of its own and a fatal error' => '(new Cache(new Pool($argv[1], persistent: false, ' . $patient . '), ttl: 100, lease: 300))->get($argv[2]); unset($cache); str_repeat("x", 1 << 40);',
    'lookup' => '$cache->lookup($argv[2]);',
    'getMultiple' => '$cache->getMultiple([$argv[2], "other"]);',
    'MC::get' => 'MC::use($cache); unset($cache); MC::get($argv[2]); str_repeat("x", 1 << 40);',
];
$run = function (string $name, string $code, string $state) use ($cache, $pool, $server, $head) {
    $key = "$state-" . strtr($name, ' :', '--');
    if ($state === 'old') {
        $cache->set($key, 'old');
        $cache->expire($key);
    }
    $before = $server->stats()['cmd_set'];
    run_script($head . $code, [$server->address, $key], ['memory_limit' => '64M', 'display_errors' => '0']);
    if ($server->stats()['cmd_set'] - $before < 2) {
        echo "$key: nothing was claimed, or nothing given back\n";
    }
    if ($state === 'cold') {
        // An uncaught exception leaves its short pause.
        (new Cache($pool, lease: 300, wait: 30))->remember($key, 100, fn () => 'elected');
        // Whoever waited in vain would have stored too, but not as the second election.
        return get_envelope($server, $key)['from'] === 2;
    }
    usleep($name === 'uncaught exception' ? 160_000 : 0);
    return (new Cache($pool, lease: 300))->lookup($key)->status->name === 'Elected';
};
$wrong = 0;
foreach ($endings as $name => $code) {
    foreach (str_contains($code, 'remember') ? ['cold', 'old'] : ['old'] as $state) {
        if (!$run($name, $code, $state)) {
            $wrong++;
            echo "$state, $name: not elected\n";
        }
    }
}
echo "wrong: $wrong\n";

echo 'killed: ';
$cache->set('killed', 'old');
$cache->expire('killed');
run_script($head . '$cache->get("killed"); exec("kill -9 " . getmypid());', [$server->address, '']);
echo $cache->lookup('killed')->status->name, "\n";
?>
--EXPECT--
wrong: 0
killed: Busy
