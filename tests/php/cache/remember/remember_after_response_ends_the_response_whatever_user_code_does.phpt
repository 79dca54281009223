--TEST--
Failing output callbacks and session handlers never delay the response (C11)
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
$fpm = start_fpm([], 1); // one process: the second request shows what the first has left behind
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

class Handler implements SessionHandlerInterface
{
    public function __construct(private Cache $cache, private string $mode) {}
    public function open($path, $name): bool { return true; }
    public function close(): bool { return true; }
    public function read($id): string { return ''; }
    public function destroy($id): bool { return true; }
    public function gc($lifetime): int { return 0; }
    public function create_sid(): string { return bin2hex(random_bytes(16)); }
    public function validateId($id): bool { return true; }
    public function write($id, $data): bool
    {
        if ($this->mode === 'session throws') {
            throw new DomainException('session handler');
        }
        $this->cache->remember('session', 100, fn () => "by the session handler, {$this->mode}", refresh: Refresh::AfterResponse);
        return true;
    }
}
$mode = $_GET['mode'];
$cache = new Cache(new Pool($_GET['server'], timeout: 10));
if ($mode === 'output throws') {
    ob_start(fn ($text) => throw new DomainException('output callback'));
}
if (str_starts_with($mode, 'session')) {
    session_set_save_handler(new Handler($cache, $mode), $mode === 'session, early');
    session_start();
    $_SESSION['x'] = 1;
}
echo $mode === 'nothing' ? 'nothing left behind' : 'page';
if ($mode === 'nothing' || $mode === 'session, late') {
    return;
}
echo $cache->remember('k', 100, function () use ($folder, $mode) {
    for ($i = 0; $i < 5000 && !file_exists("$folder/answered"); $i++, clearstatcache()) {
        usleep(2000);
    }
    return file_exists("$folder/answered") ? "rebuilt, $mode" : 'the visitor waited';
}, refresh: Refresh::AfterResponse);
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10));
foreach (['output throws', 'session throws', 'session, early', 'session, late'] as $mode) {
    @unlink("$fpm->folder/answered");
    foreach (['k', 'session'] as $key) {
        $cache->set($key, "old $key");
        $cache->expire($key);
    }
    $ask = fn (string $mode) => $fpm->ask('page', http_build_query(['mode' => $mode, 'server' => $server->address]));
    echo "$mode: ", $ask($mode);
    touch("$fpm->folder/answered");
    echo ', ', $ask('nothing');
    echo ', ', $cache->peek('k'), ', ', $cache->peek('session'), "\n";
}
echo $fpm->log();
?>
--EXPECT--
output throws: pageold k, nothing left behind, rebuilt, output throws, old session
session throws: pageold k, nothing left behind, rebuilt, session throws, old session
session, early: pageold k, nothing left behind, rebuilt, session, early, by the session handler, session, early
session, late: page, nothing left behind, old k, by the session handler, session, late
mcpatterns: flushing "output buffers" after the response failed: DomainException: output callback
mcpatterns: calling "session_write_close" after the response failed: DomainException: session handler
