--TEST--
A postponed rebuild reports its exception to the Pool's listener
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

require __DIR__ . '/../../../_support/fpm.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$fpm = start_fpm();
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

$pool = new Pool($_GET['server'], timeout: 10);
$told = fn (string $line) => file_put_contents("$folder/told", "$line\n", FILE_APPEND);
$pool->onError(function (string $message, array $context) use ($told) {
    $told("$message ($context[kind], $context[key], " . get_class($context['exception']) . ')');
});
$cache = new Cache($pool, ttl: 100);
foreach (['left' => fn () => exit, 'first' => fn () => throw new DomainException('no database'), 'last' => fn () => 'new'] as $key => $compute) {
    echo $cache->remember($key, 100, $compute, refresh: Refresh::AfterResponse), ' ';
}
register_shutdown_function(fn () => $told('the script has ended'));
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
foreach (['left', 'first', 'last'] as $key) {
    $cache->set($key, "old $key");
    $cache->expire($key);
}
echo $fpm->ask('page', 'server=' . urlencode($server->address)), "\n";
$fpm->await(fn () => is_file("$fpm->folder/told") && substr_count(file_get_contents("$fpm->folder/told"), "\n") === 2);
$fpm->await(fn () => $cache->peek('last') === 'new'); // the listener is told between the two
echo file_get_contents("$fpm->folder/told"), $cache->peek('last'), "\n";
?>
--EXPECT--
old left old first old last 
the script has ended
The computation of "first" failed after the response: DomainException: no database (computation, first, DomainException)
new
