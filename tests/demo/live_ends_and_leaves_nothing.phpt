--TEST--
The live demo leaves no process running, however it ends
--EXTENSIONS--
mcpatterns
pcntl
posix
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/memcached.inc';

/** @return list{resource, string} the process and its log */
function start_demo(int $seconds): array
{
    $server = $GLOBALS['servers'][] = start_memcached();
    putenv('MCPATTERNS_LIVE_EXTENSION=' . getenv('TEST_PHP_EXTENSION'));
    $command = [PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION')];
    foreach (['pcntl', 'posix'] as $extension) {
        if (is_file(ini_get('extension_dir') . "/$extension.so")) {
            array_push($command, '-d', "extension=$extension");
        }
    }
    $log = dirname($server->host) . '/demo.log';
    $process = start_process([...$command, __DIR__ . '/../../bench/live/run.php', '--socket', $server->host, '--seconds', (string) $seconds, '--workers', '2', '--ttl',
        '2', '--rebuild', '100'], $log, 'TERM');
    return [$process, $log];
}

function await(callable $condition, float $seconds = 20): bool
{
    $deadline = microtime(true) + $seconds;
    while (!$condition()) {
        if (microtime(true) > $deadline) {
            return false;
        }
        usleep(10000);
    }
    return true;
}

/** The processes that have this demo's folder in their environment. */
function left(string $log): array
{
    $folder = 'MCPATTERNS_LIVE_FOLDER=' . dirname($log) . '/live';
    return array_filter(glob('/proc/[0-9]*'), fn (string $process): bool => in_array($folder, explode("\0", (string) @file_get_contents("$process/environ")), true));
}

function addresses(string $log): array
{
    await(function () use ($log, &$found) {
        return preg_match_all('/http:\S+/', (string) file_get_contents($log), $found) === 2;
    });
    return $found[0];
}

function ending($process, string $log): string
{
    await(function () use ($process, &$status) {
        return !($status = proc_get_status($process))['running'];
    });
    return ($status['signaled'] ? "killed by $status[termsig]" : "status $status[exitcode]") . ', '
        . (await(fn () => left($log) === [], 5) ? 'nothing left' : 'processes left: ' . implode(' ', left($log)));
}

[$process, $log] = start_demo(600);
[$page, $dashboard] = addresses($log);
echo await(fn () => count(left($log)) > 9) ? "runs\n" : "does not run\n";
await(function () use ($page, &$state) {
    $state = json_decode((string) @file_get_contents("{$page}state"), true);
    return ($state['sides']['ours']['pages'] ?? 0) > 20 && $state['sides']['naive']['pages'] > 20;
});
foreach ($state['sides'] as $side => $told) {
    echo $side, ': ', $told['failures'], ' failed, ', $told['queries'] > 0 ? 'queries' : 'none', "\n";
}
echo str_contains((string) file_get_contents($page), '<title>A stampede, live</title>') ? "page\n" : "no page\n";
$groups = array_column(json_decode((string) file_get_contents("$dashboard?format=json"), true)['metrics']['groups'], 'group');
sort($groups);
echo implode(' ', $groups), "\n";
foreach (['SIGINT' => SIGINT, 'SIGTERM' => SIGTERM, 'SIGKILL' => SIGKILL] as $name => $signal) {
    send_signal(proc_get_status($process)['pid'], $signal);
    echo "$name: ", ending($process, $log), "\n";
    [$process, $log] = start_demo($name === 'SIGKILL' ? 2 : 600);
    addresses($log);
}
echo 'after its time: ', ending($process, $log), "\n";
?>
--EXPECT--
runs
naive: 0 failed, queries
ours: 0 failed, queries
page
menu. page. profile.
SIGINT: status 0, nothing left
SIGTERM: status 0, nothing left
SIGKILL: killed by 9, nothing left
after its time: status 0, nothing left
