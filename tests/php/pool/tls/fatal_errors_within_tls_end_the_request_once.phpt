--TEST--
A fatal error within TLS ends the request once and releases claims
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
require __DIR__ . '/../../../_support/fatal_tls.inc';
skip_without_scripts();
skip_without_fatal_tls();
?>
--FILE--
<?php
use McPatterns\{Cache, Lock, Pool, Transport};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/script.inc';
require __DIR__ . '/../../../_support/fatal_tls.inc';

$head = 'require ' . var_export(__DIR__ . '/../../../_support/fatal_tls.inc', true) . ';' . <<<'PHP'
use McPatterns\{Cache, Counter, Lock, Pool, SessionHandler, Transport};
[, $address, $options, $step] = $argv;
$pool = new Pool($address, connectTimeout: 20, timeout: 20, transport: Transport::Direct, tls: json_decode($options, true));
$cache = new Cache($pool, lease: 1000);
$arm = function () use ($pool, $step) {
    $pool->close();
    FatalTls::at($step);
};
$throw = function () use ($arm) {
    $arm();
    throw new Exception('the callback has thrown');
};
final class Told extends Exception
{
    public function __toString(): string
    {
        echo "__toString() ran within TLS\n";
        return '';
    }
}
register_shutdown_function(fn () => print("the shutdown function ran\n"));
PHP;
$situations = [
    'get' => '$arm(); $cache->get("key");',
    'get in array_map()' => '$arm(); array_map($cache->get(...), ["key", "other"]);',
    'get in a destructor' => '$object = new class($cache) { public function __construct(private Cache $cache) {} public function __destruct() { $this->cache->get("key"); echo "went on\n"; } }; $arm(); $object = null;',
    'get in a Fiber' => '$fiber = new Fiber(function () use ($cache, $arm) { $arm(); $cache->get("key"); echo "went on\n"; }); $fiber->start();',
    'what throws' => 'try { $arm(); (new Counter($pool, "counter"))->increment(); } catch (Throwable $thrown) { echo get_class($thrown), " was thrown\n"; }',
    'what needs no server' => '$arm(); (new Counter($pool, "counter", whenDown: 3))->increment();',
    'remember' => '$cache->remember("key", 100, function () use ($arm) { $arm(); return "value"; });',
    'remember, and the callback throws' => 'try { $cache->remember("key", 100, $throw); } finally { echo "finally ran\n"; }',
    'remember, and the callback throws what tells of itself' => '$cache->remember("key", 100, function () use ($arm) { $arm(); throw new Told(); });',
    'remember, and the old value stands in' => '$cache->set("key", "old"); $cache->expire("key"); $cache->remember("key", 100, $throw, staleOnError: true);',
    'remember, and the callback exits' => '$cache->remember("key", 100, function () use ($arm) { $arm(); exit; });',
    'remember in a Fiber that is dropped' => '$fiber = new Fiber(fn () => $cache->remember("key", 100, fn () => Fiber::suspend())); $fiber->start(); $arm(); $fiber = null;',
    'rememberMany' => '$cache->rememberMany(["key", "other"], 100, function () use ($arm) { $arm(); return ["key" => 1, "other" => 2]; });',
    'rememberMany, and the callback throws' => 'try { $cache->rememberMany(["key", "other"], 100, $throw); } catch (Exception) { echo "caught\n"; }',
    'a value that needs the server\'s settings' => '$value = str_repeat("v", 12_000_000); $arm(); $cache->set("key", $value);',
    'Lock::run, and the callback throws' => 'try { (new Lock($pool, "lock"))->run($throw); } catch (Exception) { echo "caught\n"; }',
    'a lock that is freed' => '$lock = new Lock($pool, "lock"); $lock->acquire(); $arm(); $lock = null;',
    'a lock that is freed while an exception passes' => 'try { (function () use ($pool, $throw) { $lock = new Lock($pool, "lock"); $lock->acquire(); $throw(); })(); } catch (Exception) { echo "caught\n"; }',
    'a session that is written' => 'session_set_save_handler(new SessionHandler($pool)); session_start(); $_SESSION["a"] = 1; $arm(); session_write_close();',
    'a session of the settings that is written' => 'ini_set("session.save_handler", "mcpatterns"); ini_set("session.save_path", "$address"); session_start(); $_SESSION["a"] = 1; ini_set("mcpatterns.servers", $address); Pool::default()->close(); $arm(); session_write_close();',
];
$certificates = new TestCertificates();
$server = start_memcached(['tls' => $certificates]);
$pool = new Pool($server->address, connectTimeout: 20, timeout: 20, transport: Transport::Direct, tls: $certificates->client_options());
$settings = FATAL_TLS_SETTINGS + [
    'mcpatterns.transport' => 'direct', 'mcpatterns.tls_cafile' => $certificates->authority, 'mcpatterns.connect_timeout' => 20, 'mcpatterns.timeout' => 20,
    'session.use_cookies' => 0, 'session.cache_limiter' => '', 'mcpatterns.session_locking' => 'lock',
];
$expected = "Fatal error: the limit was hit within TLS\nthe shutdown function ran";
$wrong = 0;
foreach ($situations as $name => $code) {
    foreach (['open', 'handshake', 'send', 'receive'] as $step) {
        $server->raw('flush_all');
        $output = run_script("$head $code; echo \"went on\\n\";", [$server->address, json_encode($certificates->client_options()), $step], $settings);
        // PHP's own session module warns at the end of a request that a fatal error has ended in a handler of user code.
        $output = preg_replace('/^Warning: session_write_close\(\): .* in Unknown on line 0$/m', '', $output);
        $shown = trim(preg_replace('/ in \S+ on line \d+/', '', $output));
        $is_free = (get_envelope($server, 'key')['claim'] ?? null) === null && (new Lock($pool, 'lock'))->acquire();
        if ($shown !== $expected || !$is_free) {
            $wrong++;
            echo "$name, at $step: ", $is_free ? '' : 'not given back, ', "$shown\n";
        }
    }
}
echo "wrong: $wrong\n";
?>
--EXPECT--
wrong: 0
