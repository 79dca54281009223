--TEST--
The parts written in PHP give the same result under opcache with JIT, in and after preloading, and with every function disabled
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
if (!file_exists(ini_get('extension_dir') . '/opcache.so') && !extension_loaded('Zend OPcache')) {
    die('skip needs opcache');
}
if (PHP_OS_FAMILY === 'Windows') {
    die('skip needs preloading');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

// Without a function: none is there in one of the scripts.
const CODE = <<<'PHP'
    (new McPatterns\Cache(new McPatterns\Pool('memory://m'), 'c:'))->get('k');
    echo McPatterns\Metrics::prometheus();
    foreach (McPatterns\Pool::diagnose(new McPatterns\Pool('memory://m', timeout: 20))['findings'] as $finding) {
        echo $finding['code'] === 'no_opcache' ? '' : "$finding[code] $finding[finding]\n";
    }
    PHP;
$folder = make_temporary_folder('library');
register_shutdown_function(fn () => remove_folder($folder));
file_put_contents("$folder/script.php", '<?php ' . CODE);
file_put_contents("$folder/preload.php", '<?php ob_start(); ' . CODE . " file_put_contents('$folder/preloaded', ob_get_clean());");
$opcache = ['opcache.enable_cli' => '1'] + (PHP_VERSION_ID < 80500 ? ['zend_extension' => 'opcache'] : []);
$settings = [
    'nothing' => [],
    'opcache' => $opcache,
    'JIT of functions' => $opcache + ['opcache.jit_buffer_size' => '16M', 'opcache.jit' => '1205'],
    'JIT of traces' => $opcache + ['opcache.jit_buffer_size' => '16M', 'opcache.jit' => '1254'],
    'preloading' => $opcache + ['opcache.preload' => "$folder/preload.php", 'opcache.preload_user' => (string) getenv('USER') ?: 'root'],
    // What is part of the language cannot be disabled.
    'no functions' => ['disable_functions' => run_script(
        'echo implode(",", array_diff(get_defined_functions()["internal"], ["clone", "die", "exit"]));',
    )],
];
$shape = fn (string $text): string => preg_replace('/ [\d.]+$/m', '', $text);
$expected = null;
foreach ($settings as $name => $given) {
    $told = $shape(run_script("require '$folder/script.php';", [], $given));
    $expected ??= $told;
    echo "$name: ", $told === $expected ? 'the same' : $told, "\n";
}
echo 'in the preloaded script: ', $shape((string) file_get_contents("$folder/preloaded")) === $expected ? 'the same' : 'different', "\n";
var_dump(str_contains($expected, "\nlong_timeout set to 20 seconds\n"), str_contains($expected, "\nmcpatterns_cache_misses_total{group=\"c:\"}\n"));
?>
--EXPECT--
nothing: the same
opcache: the same
JIT of functions: the same
JIT of traces: the same
preloading: the same
no functions: the same
in the preloaded script: the same
bool(true)
bool(true)
