--TEST--
Pool::endRequest() ends per-request reports, and notifies no listener of failed releases
--EXTENSIONS--
mcpatterns
posix
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
if (PHP_OS_FAMILY === 'Windows') {
    die('skip needs paths that begin with /');
}
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/script.inc';

$folder = make_temporary_folder('end-request');
register_shutdown_function('remove_folder', $folder);
$server = start_memcached();
$code = <<<'PHP'
    use McPatterns\{Cache, Key, Pool};
    set_error_handler(fn (int $level) => print($level === E_NOTICE ? "drift\n" : ''));
    $page = new Cache(new Pool('memory://end'), 'page:');
    foreach ([1, 2, 3] as $request) {
        $page->remember('k', 10, fn () => 1);
        Key::of('k', 1);
        Key::of('k', '1');
        Pool::endRequest();
    }
    $page->get('k');

    $pool = new Pool($argv[1], timeout: 10, retryAfter: 0);
    $pool->onError(fn () => print("told\n"));
    $cache = new Cache($pool, ttl: 60);
    $cache->set('k', 1);
    $cache->expire('k');
    $cache->get('k'); // elected
    exec("kill -9 $argv[2]");
    $pool->close();
    for ($tries = 0; $tries < 5000 && @stream_socket_client(str_replace('tcp://', '', $argv[1]), timeout: 1); $tries++) { usleep(1000); }
    Pool::endRequest();
    echo 'a failure: ', current($pool->lastErrors()) !== null ? 'yes' : 'no', "\n";
    $cache->get('k');
    PHP;
echo run_script($code, [$server->address, (string) $server->stats()['pid']], ['mcpatterns.trace_file' => "$folder/all", 'mcpatterns.report_key_drift' => '1']);
readfile("$folder/all");
?>
--EXPECT--
drift
drift
drift
a failure: yes
told
MLW
H
H
HWML
X
