--TEST--
A fatal error cancels postponed rebuilds and releases their claims (C6, C11)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/fpm.inc';

$server = start_memcached();
$fpm = start_fpm();
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

$cache = new Cache(new Pool($_GET['server'], timeout: 10), lease: 1000);
$hold = fn () => file_put_contents("$folder/ran", $_GET['end']);
for ($i = 0; $i < 3; $i++) {
    echo $cache->remember("k$i", 100, $hold, refresh: Refresh::AfterResponse);
}
register_shutdown_function(function () { echo ' shutdown'; });
switch ($_GET['end']) {
    case 'uncaught': throw new DomainException('nobody catches this');
    case 'unknown function': unknown_function();
    case 'user error': trigger_error('user error', E_USER_ERROR);
    case 'memory limit': ini_set('memory_limit', '8M'); $text = str_repeat('x', 100_000_000);
    case 'time limit': set_time_limit(1); while (true) {}
    case 'compile error': eval('class Broken implements Countable {}');
    case 'fatal in a shutdown function': register_shutdown_function(function () { unknown_function(); }); break;
    case 'exit': exit(' bye');
    case 'caught': set_exception_handler(fn () => print(' handled')); throw new DomainException;
}
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10));
$claims = fn () => count(array_filter([0, 1, 2], fn ($i) => (get_envelope($server, "k$i") ?? ['claim' => 'unknown'])['claim'] !== null));
$prepare = function () use ($cache): void {
    for ($i = 0; $i < 3; $i++) {
        $cache->set("k$i", $i) && $cache->expire("k$i") || print "k$i is not stale\n";
    }
};
foreach (['uncaught', 'unknown function', 'user error', 'memory limit', 'time limit', 'compile error', 'fatal in a shutdown function', 'exit', 'caught'] as $end) {
    $prepare();
    echo "$end: ", $fpm->ask('page', http_build_query(['end' => $end, 'server' => $server->address]));
    $is_back = $fpm->await(fn () => $claims() === 0);
    echo $is_back ? '' : ', claims kept', @file_get_contents("$fpm->folder/ran") === $end ? ', ran' : ', nothing ran';
    echo ', elected next: ', $cache->lookup('k0')->status->name === 'Elected' || $cache->peek('k0') !== 0 ? 'as it should' : 'nobody', "\n";
    $cache->abandon('k0');
}
// A fatal error in a rebuild itself: those that were still to come give their claims back too.
$fpm->script('inside', <<<'PHP'
$cache = new McPatterns\Cache(new McPatterns\Pool($_GET['server'], timeout: 10), lease: 1000);
for ($i = 0; $i < 3; $i++) {
    echo $cache->remember("k$i", 100, fn () => $i === 1 ? unknown_function_inside() || exit : trigger_error('inside', E_USER_ERROR),
        refresh: McPatterns\Refresh::AfterResponse);
}
PHP);
$prepare();
echo 'inside: ', $fpm->ask('inside', 'server=' . urlencode($server->address));
var_dump($fpm->await(fn () => $claims() === 0));
echo $cache->peek('k2'), "\n";
?>
--EXPECT--
uncaught: 012 shutdown, nothing ran, elected next: as it should
unknown function: 012 shutdown, nothing ran, elected next: as it should
user error: 012 shutdown, nothing ran, elected next: as it should
memory limit: 012 shutdown, nothing ran, elected next: as it should
time limit: 012 shutdown, nothing ran, elected next: as it should
compile error: 012 shutdown, nothing ran, elected next: as it should
fatal in a shutdown function: 012 shutdown, nothing ran, elected next: as it should
exit: 012 bye shutdown, ran, elected next: as it should
caught: 012 handled shutdown, ran, elected next: as it should
inside: 012bool(true)
2
