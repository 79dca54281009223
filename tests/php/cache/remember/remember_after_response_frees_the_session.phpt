--TEST--
A postponed rebuild does not block the same session's next request (C11)
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

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/fpm.inc';

$server = start_memcached();
$fpm = start_fpm();
// The rebuild lasts until the same user's second request has been answered. Were the session still locked,
// that request would wait for the rebuild, and the rebuild in vain.
$fpm->script('first', <<<'PHP'
session_start();
$_SESSION['before'] = 'kept';
register_shutdown_function(function () { $_SESSION['in shutdown'] = 'kept too'; });
$cache = new McPatterns\Cache(new McPatterns\Pool($_GET['server'], timeout: 10));
echo $cache->remember('k', 100, function () use ($folder) {
    touch("$folder/begun");
    for ($i = 0; $i < 5000 && !file_exists("$folder/second"); $i++, clearstatcache()) {
        usleep(2000);
    }
    return file_exists("$folder/second") ? 'beside it' : 'in vain';
}, refresh: McPatterns\Refresh::AfterResponse);
PHP);
$fpm->script('second', <<<'PHP'
session_start();
$_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
echo json_encode($_SESSION);
PHP);

$cache = new Cache(new Pool($server->address, timeout: 10));
$cache->set('k', 'old');
$cache->expire('k');
$cookie = 'PHPSESSID=thesamevisitorsession00000';
echo $fpm->ask('first', 'server=' . urlencode($server->address), $cookie), "\n";
var_dump($fpm->await(fn () => file_exists("$fpm->folder/begun")));
echo $fpm->ask('second', '', $cookie), "\n";
touch("$fpm->folder/second");
$fpm->await(fn () => $cache->peek('k') !== 'old');
echo 'the second request was answered: ', $cache->peek('k'), "\n";
echo $fpm->log();
?>
--EXPECT--
old
bool(true)
{"before":"kept","in shutdown":"kept too","visits":1}
the second request was answered: beside it
