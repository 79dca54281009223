--TEST--
Requests share connections and memory servers, but not clock or settings
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!getenv('TEST_PHP_EXTENSION')) {
    die('skip needs TEST_PHP_EXTENSION, the path of the extension under test');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';

$memcached = start_memcached();
$folder = make_temporary_folder('requests');
register_shutdown_function('remove_folder', $folder);
file_put_contents("$folder/index.php", <<<'PHP'
<?php
use McPatterns\{Clock, Pool};

$connected = $_GET['server'];
$before = Pool::default()->servers()[0]['host'];
ini_set('mcpatterns.servers', "memory://m,$connected");
$pool = Pool::default();
$memory = new Pool('memory://m');
$flushed = $memory->stats()['memory://m']['cmd_flush'];
$is_frozen = abs(time() - $memory->stats()['memory://m']['time']) > 1000;
$pool->flush();
Clock::freeze(2000000000);
Clock::advance(5);
echo json_encode([$before, $flushed, $is_frozen]);
PHP);

$port = find_free_port();
$server = start_process([
    PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-S', "127.0.0.1:$port", '-t', $folder,
], "$folder/log");
for ($try = 0; $try < 500 && !($socket = @fsockopen('127.0.0.1', $port)); $try++) {
    usleep(10000);
}
fclose($socket);
for ($request = 0; $request < 3; $request++) {
    $answer = json_decode(file_get_contents("http://127.0.0.1:$port/?server=" . urlencode($memcached->address)));
    $answers[] = [...$answer, $memcached->stats()['total_connections']]; // each look is one more
}
proc_terminate($server, SIGNAL_KILL);
proc_close($server);

foreach ($answers as $index => [$before, $flushed, $is_frozen, $connections]) {
    echo "$before, flushed $flushed times, ", $is_frozen ? 'frozen' : 'running', ', ',
        $connections - $answers[0][3] - $index, " more connections\n";
}
?>
--EXPECT--
127.0.0.1, flushed 0 times, running, 0 more connections
127.0.0.1, flushed 1 times, running, 0 more connections
127.0.0.1, flushed 2 times, running, 0 more connections
