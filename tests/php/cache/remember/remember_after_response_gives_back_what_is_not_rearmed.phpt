--TEST--
A postponed rebuild without a re-armed claim releases it and computes nothing (C6, C11)
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

function wait_for(string $file): void
{
    for ($i = 0; $i < 10_000 && !file_exists($file); $i++, clearstatcache()) {
        usleep(2000);
    }
}
/** Its destructor runs after what is done after the response, and before the request ends. */
class Between
{
    public function __construct(private string $folder) {}
    public function __destruct()
    {
        touch("$this->folder/tried");
        wait_for("$this->folder/thawed");
    }
}
$between = new Between($folder);
$cache = new Cache(new Pool($_GET['server'], timeout: 0.3), ttl: 100, lease: 1000);
echo $cache->remember('k', 100, fn () => touch("$folder/ran") . 'rebuilt', refresh: Refresh::AfterResponse);
touch("$folder/elected");
wait_for("$folder/frozen");
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 1000);
$cache->set('k', 'old');
$cache->expire('k');
$request = $fpm->send('page', http_build_query(['server' => $server->address]));
var_dump($fpm->await(fn () => file_exists("$fpm->folder/elected")), $cache->entry('k')->status->name);
$server->freeze();
touch("$fpm->folder/frozen");
echo $request->body(), "\n";
var_dump($fpm->await(fn () => file_exists("$fpm->folder/tried")));
$server->thaw();
touch("$fpm->folder/thawed");
var_dump($fpm->await(fn () => get_envelope($server, 'k')['claim'] === null), file_exists("$fpm->folder/ran"), $cache->entry('k')->status->name);
echo $fpm->log();
?>
--EXPECT--
bool(true)
string(4) "Busy"
old
bool(true)
bool(true)
bool(false)
string(5) "Stale"
