--TEST--
A claim is released however the callback ends, then 1 rebuild follows (C6)
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/script.inc';
require __DIR__ . '/../../../_support/workers.inc';

const SCRIPT = <<<'PHP'
[, $server, $end, $file] = $argv;
$cache = new McPatterns\Cache(new McPatterns\Pool($server, timeout: 10, compression: McPatterns\Compression::None), lease: 1000);
$ends = [
    'throws' => fn () => throw new DomainException('no database'),
    'exits' => fn () => exit(0),
    'calls what is not there' => fn () => not_there(),
    'triggers a user error' => fn () => trigger_error('user error', E_USER_ERROR),
    'compiles what cannot be' => fn () => eval('class Broken implements Countable {}'),
    // Under valgrind PHP's allocator is off, and its limit with it: another fatal error then.
    'hits the memory limit' => fn () => getenv('USE_ZEND_ALLOC') === '0' ? eval('class Broken implements Countable {}')
        : ini_set('memory_limit', '8M') && str_repeat('x', 100_000_000),
    'hits the time limit' => function () { set_time_limit(1); while (true) {} },
    'is in a Fiber that is dropped' => fn () => Fiber::suspend(),
    'returns what cannot be stored' => fn () => fn () => 1,
    'returns too much' => fn () => str_repeat('x', 2_000_000),
    'exits in a destructor' => function () { new class { public function __destruct() { exit; } }; },
];
ini_set('display_errors', '0');
$work = fn () => $cache->remember('k', 100, function () use ($ends, $end, $file) {
    file_put_contents($file, (string) hrtime(true));
    return $ends[$end]();
});
if (str_contains($end, 'Fiber')) {
    $fiber = new Fiber($work);
    $fiber->start();
    $fiber = null;
    usleep(100_000); // if it were given back only at the end of the process, it would be late
} else {
    $work();
}
PHP;

$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10, compression: McPatterns\Compression::None));
$folder = make_temporary_folder('failures');
register_shutdown_function('remove_folder', $folder);
$ends = ['throws', 'exits', 'calls what is not there', 'triggers a user error', 'compiles what cannot be', 'hits the memory limit',
    'hits the time limit', 'is in a Fiber that is dropped', 'returns what cannot be stored', 'returns too much', 'exits in a destructor'];
$slowest = 0;
foreach ($ends as $end) {
    foreach (['hot', 'cold'] as $kind) {
        $cache->delete('k');
        if ($kind === 'hot') {
            $cache->set('k', 'old');
            $cache->expire('k');
        }
        $process = start_script(SCRIPT, [$server->address, $end, "$folder/begun"], [], $log);
        do {
            usleep(500);
            $seen = hrtime(true);
            $envelope = get_envelope($server, 'k');
            $is_back = $envelope !== null && $envelope['newest'] === 1 && $envelope['claim'] === null;
        } while (!$is_back && proc_get_status($process)['running']);
        $delay = ($seen - (int) file_get_contents("$folder/begun")) / 1e6;
        proc_close($process);
        unlink($log);
        // Two seconds of CPU may last long on a busy machine, and say nothing about us.
        $slowest = str_contains($end, 'limit') ? $slowest : max($slowest, $delay);
        $envelope = get_envelope($server, 'k');
        $state = ($envelope['claim'] ? 'claimed' : 'free') . ($envelope['failure'] ? ', pause' : '') . ', ' . ($envelope['has_value'] ? $envelope['payload'] : 'no value');
        $computed = run_workers(6, function () use ($server, &$calls) {
            $calls = 0;
            $cache = new Cache(new Pool($server->address, timeout: 10, compression: McPatterns\Compression::None), wait: 20, stale: false);
            $value = $cache->remember('k', 100, function () use (&$calls) { $calls++; usleep(30_000); return 'new'; });
            return [$calls, $value];
        });
        echo "$end, $kind: $state; then computed ", array_sum(array_column($computed, 0)), ' times: ', implode(' ', array_unique(array_column($computed, 1))), "\n";
    }
}
report_figures(sprintf('a claim is back at most %.1f ms after its callback began', $slowest));
if (at_full_size() && $slowest >= 50) {
    echo "given back only after $slowest ms\n";
}
?>
--EXPECT--
throws, hot: free, pause, old; then computed 1 times: new
throws, cold: free, pause, no value; then computed 1 times: new
exits, hot: free, old; then computed 1 times: new
exits, cold: free, no value; then computed 1 times: new
calls what is not there, hot: free, pause, old; then computed 1 times: new
calls what is not there, cold: free, pause, no value; then computed 1 times: new
triggers a user error, hot: free, old; then computed 1 times: new
triggers a user error, cold: free, no value; then computed 1 times: new
compiles what cannot be, hot: free, old; then computed 1 times: new
compiles what cannot be, cold: free, no value; then computed 1 times: new
hits the memory limit, hot: free, old; then computed 1 times: new
hits the memory limit, cold: free, no value; then computed 1 times: new
hits the time limit, hot: free, old; then computed 1 times: new
hits the time limit, cold: free, no value; then computed 1 times: new
is in a Fiber that is dropped, hot: free, old; then computed 1 times: new
is in a Fiber that is dropped, cold: free, no value; then computed 1 times: new
returns what cannot be stored, hot: free, pause, old; then computed 1 times: new
returns what cannot be stored, cold: free, pause, no value; then computed 1 times: new
returns too much, hot: free, pause, old; then computed 1 times: new
returns too much, cold: free, pause, no value; then computed 1 times: new
exits in a destructor, hot: free, old; then computed 1 times: new
exits in a destructor, cold: free, no value; then computed 1 times: new
