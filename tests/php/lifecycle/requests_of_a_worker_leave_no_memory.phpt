--TEST--
A worker's memory does not grow from request to request
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
if (!file_exists(ini_get('extension_dir') . '/ffi.so') || PHP_OS_FAMILY !== 'Linux') {
    die('skip needs the ffi extension, which asks the C library');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/fpm.inc';

putenv('USE_ZEND_ALLOC=0'); // PHP's own allocator would forget with the request what nobody has freed
$fpm = start_fpm(['extension' => 'ffi', 'ffi.enable' => '1', 'mcpatterns.servers' => 'memory://m'], workers: 1);
$fpm->script('size', <<<'PHP'
$libc = FFI::cdef('typedef struct { size_t of[10]; } sizes; sizes mallinfo2(void);');
echo $libc->mallinfo2()->of[7]; // in use
PHP);
$scenes = [
    '' => '', // PHP itself fills its tables
    'the Pool of the settings' => 'Pool::default()->ping();',
    'the Cache of MC' => 'MC::get("k");',
    'claims' => '$cache->set("k", 1); $cache->expire("k"); $cache->get("k");',
    'looks' => '$cache->tagged("t")->getMultiple(["a", "b", "c"]);',
    'notes' => '(new Cache(Pool::default(), guarded: true))->getMultiple(["a", "b", "c"]);',
    'a part of the library' => 'Metrics::prometheus();',
    'keys that drift' => 'ini_set("mcpatterns.report_key_drift", "1"); Key::of("k", 1); @Key::of("k", "1");',
    'a rebuild that an exit keeps from running' => 'register_shutdown_function(fn () => exit());
        $cache->set("k", 1); $cache->expire("k"); $cache->remember("k", 100, fn () => 2, refresh: Refresh::AfterResponse);',
    'an audit that an exit keeps from running' => 'register_shutdown_function(fn () => exit());
        $audit = new Audit($cache, rate: 1); $cache->set("k", 1); $cache->remember("k", 100, fn () => 1);',
    'a claim that a session handler makes behind the end' => '$cache->set("k", 1); $cache->expire("k"); $write = fn () => $cache->get("k");',
    'looks that it makes' => '$write = fn () => $cache->tagged("t")->get("a");',
    'keys that drift in it' => 'ini_set("mcpatterns.report_key_drift", "1"); $write = fn () => Key::of("k", 1);',
    'a part of the library in it' => '$write = fn () => Metrics::prometheus();',
];
foreach ($scenes as $name => $code) {
    $fpm->script('request', "use McPatterns\\{Audit, Cache, Key, Lock, MC, Metrics, Pool, Refresh};\n" . <<<PHP
        \$cache = new Cache(Pool::default(), 'c:', ttl: 100);
        \$write = null;
        $code
        if (\$write !== null) {
            session_set_save_handler(new class(\$write) extends SessionHandler {
                public function __construct(private Closure \$write) {}
                public function write(string \$id, string \$data): bool { (\$this->write)(); return parent::write(\$id, \$data); }
            }, false); // false: behind all shutdown functions
            session_id('fixed');
            session_start(['use_cookies' => 0, 'cache_limiter' => '']);
            \$_SESSION['x'] = 1;
        }
        PHP);
    $grown = [];
    $left = INF;
    // The C library keeps some of what is freed, and less with time: a round is some 30 bytes of a request off, 6 of them few.
    for ($time = 0; $time < 60 && $left >= 40; $time++) {
        for ($i = 0; $i < 20; $i++) {
            $name === '' && $fpm->ask('size');
            $fpm->ask('request');
        }
        $size = (int) $fpm->ask('size');
        $grown[] = ($size - ($before ?? 0)) / 20;
        $before = $size;
        $left = $time < 5 ? INF : array_sum(array_slice($grown, -6)) / 6;
    }
    $name === '' || print("$name: " . ($left < 40 ? 'freed' : "$left bytes of each request are left") . "\n");
}
echo implode("\n", array_unique(explode("\n", $fpm->log())));
?>
--EXPECT--
the Pool of the settings: freed
the Cache of MC: freed
claims: freed
looks: freed
notes: freed
a part of the library: freed
keys that drift: freed
a rebuild that an exit keeps from running: freed
an audit that an exit keeps from running: freed
a claim that a session handler makes behind the end: freed
looks that it makes: freed
keys that drift in it: freed
a part of the library in it: freed
