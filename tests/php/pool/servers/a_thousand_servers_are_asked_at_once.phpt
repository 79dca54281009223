--TEST--
A Pool of 1,000 servers keeps 1,000 connections, and fails beyond limits
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
if (PHP_OS_FAMILY !== 'Linux') {
    die('skip needs all of 127.0.0.0/8');
}
if ((int) shell_exec('ulimit -Hn') < 4096 && trim((string) shell_exec('ulimit -Hn')) !== 'unlimited') {
    die('skip needs 4,096 descriptors');
}
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/script.inc';

// One memcached that listens at a thousand addresses.
$hosts = [];
for ($i = 0; $i < 1000; $i++) {
    $hosts[] = '127.' . (getmypid() % 200 + 20) . '.' . intdiv($i, 250) . '.' . ($i % 250 + 1);
}
$server = start_memcached(['tcp' => true, 'arguments' => ['-l', implode(',', $hosts), '-c', '8192']]);
$servers = implode(',', array_map(fn ($host) => "$host:$server->port", $hosts));

function run_with_descriptors(int $limit, string $code, string ...$arguments): string
{
    $command = [PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-r', $code, '--', ...$arguments];
    $log = tempnam(sys_get_temp_dir(), 'script');
    $process = start_process(['sh', '-c', "ulimit -n $limit && exec \"$@\"", 'sh', ...$command], $log);
    while (proc_get_status($process)['running']) {
        usleep(1000);
    }
    proc_close($process);
    $output = file_get_contents($log);
    unlink($log);
    return $output;
}

$begin = <<<'PHP'
    use McPatterns\{Cache, Pool, Transport};
    $transport = constant("McPatterns\\Transport::$argv[2]");
    $pool = new Pool(explode(',', $argv[1]), connectTimeout: 10, timeout: 20, transport: $transport);
    $cache = new Cache($pool, 'thousand:');
    $values = [];
    for ($i = 0; $i < 3000; $i++) {
        $values["key$i"] = "value $i of $argv[2]";
    }
    PHP;

$all = <<<'PHP'
    $files = array_map(fn () => fopen('/dev/null', 'r'), range(1, 200));
    var_dump($cache->setMultiple($values));
    var_dump($cache->getMultiple(array_keys($values)) === $values);
    var_dump(count(array_unique(array_map(fn ($key) => $pool->serverFor("thousand:$key"), array_keys($values)))) > 900);
    var_dump(count(array_filter($pool->lastErrors())));
    echo max(array_map(intval(...), scandir('/proc/self/fd'))) > 1024 ? "descriptors above 1,024\n" : "few descriptors\n";
    var_dump($cache->deleteMultiple(array_slice(array_keys($values), 0, 1000)));
    var_dump(count(array_filter($cache->getMultiple(array_keys($values)))));
    $cache->setMultiple($values);
    PHP;

$few = <<<'PHP'
    $found = $cache->getMultiple(array_keys($values));
    $errors = $pool->lastErrors();
    $right = $missing = $told = 0;
    foreach ($found as $key => $value) {
        $error = $errors[$pool->serverFor("thousand:$key")];
        $right += $value === $values[$key] && $error === null;
        $missing += $value === null;
        $told += $value === null && str_contains(strtolower($error['message'] ?? ''), 'too many open files');
    }
    echo $right > 100 && $missing > 100 && $right + $missing === 3000 ? "some are served\n" : "$right, $missing\n";
    echo $told === $missing ? "the others say why\n" : "$told of $missing say why: " . json_encode(array_filter($errors)) . "\n";
    PHP;

foreach (['Direct', 'Libmemcached'] as $transport) {
    echo "$transport\n";
    echo run_with_descriptors(4096, $begin . $all, $servers, $transport);
    if ($transport === 'Direct') {
        echo run_with_descriptors(300, $begin . $few, $servers, $transport);
    }
}
?>
--EXPECT--
Direct
bool(true)
bool(true)
bool(true)
int(0)
descriptors above 1,024
bool(true)
int(2000)
some are served
the others say why
Libmemcached
bool(true)
bool(true)
bool(true)
int(0)
descriptors above 1,024
bool(true)
int(2000)
