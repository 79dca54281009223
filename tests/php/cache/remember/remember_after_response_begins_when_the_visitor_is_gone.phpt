--TEST--
Refresh::AfterResponse under php-fpm rebuilds after the client has the response (C11)
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
// The callback goes on when the test has read the answer. Were it run before the answer, it would wait in vain.
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

ob_start(fn ($text) => strtoupper($text));
register_shutdown_function(function () {
    echo ' [registered before]';
    register_shutdown_function(function () { echo ' [registered by a shutdown function]'; });
});
$cache = new Cache(new Pool($_GET['server'], timeout: 10), ttl: 100);
$start = hrtime(true);
echo $cache->remember('k', 100, function () use ($folder) {
    for ($i = 0; $i < 5000 && !file_exists("$folder/answered"); $i++, clearstatcache()) {
        usleep(2000);
    }
    echo ' [the rebuild]';
    return file_exists("$folder/answered") ? 'rebuilt after the answer' : 'rebuilt before the answer';
}, refresh: Refresh::AfterResponse);
register_shutdown_function(function () { echo ' [registered after]'; });
echo ' [', json_encode(array_intersect_key($cache->stats(), ['elected' => 1, 'after_response' => 1])), ']';
PHP);

$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
$cache->set('k', 'old');
$cache->expire('k');
echo $fpm->ask('page', 'server=' . urlencode($server->address)), "\n";
echo 'meanwhile: ', $cache->peek('k'), ', ', $cache->entry('k')->status->name, "\n";
touch("$fpm->folder/answered");
var_dump($fpm->await(fn () => $cache->peek('k') !== 'old'));
echo $cache->peek('k'), ', ', $cache->entry('k')->status->name, "\n";
var_dump(get_envelope($server, 'k')['claim']);

echo "a cold key is computed at once\n";
$cache->delete('k');
echo $fpm->ask('page', 'server=' . urlencode($server->address)), "\n";
echo $fpm->log();
?>
--EXPECT--
OLD [{"ELECTED":1,"AFTER_RESPONSE":0}] [REGISTERED BEFORE] [REGISTERED AFTER] [REGISTERED BY A SHUTDOWN FUNCTION]
meanwhile: old, Busy
bool(true)
rebuilt after the answer, Fresh
NULL
a cold key is computed at once
 [THE REBUILD]REBUILT AFTER THE ANSWER [{"ELECTED":1,"AFTER_RESPONSE":0}] [REGISTERED BEFORE] [REGISTERED AFTER] [REGISTERED BY A SHUTDOWN FUNCTION]
