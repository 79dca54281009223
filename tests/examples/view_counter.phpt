--TEST--
view_counter.php stores counts in SQLite and loses none if that fails
--EXTENSIONS--
pdo
pdo_sqlite
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/run_example.inc';

$server = start_memcached();
$folder = make_temporary_folder('views');
register_shutdown_function('remove_folder', $folder);
$run = fn (string ...$arguments) => print(run_example_script('view_counter', $server, $arguments, ['pdo', 'pdo_sqlite']));

$run('view', '42');
$run('view', '42');
$run('view', '43');
$run('show', "$folder/views.sqlite", '42');
$run('save', "$folder/views.sqlite", '42', '43', '44');
$run('view', '42');
$run('save', "$folder/views.sqlite", '42');
$run('show', "$folder/views.sqlite", '42');

// A database without a place for the number.
$run('view', '43');
$broken = new PDO("sqlite:$folder/broken.sqlite");
$broken->exec('CREATE TABLE views (other)');
$output = run_example_script('view_counter', $server, ['save', "$folder/broken.sqlite", '43'], ['pdo', 'pdo_sqlite']);
echo str_contains($output, 'PDOException') ? 'refused' : $output, "\n";
$run('save', "$folder/views.sqlite", '43');
$run('show', "$folder/views.sqlite", '43');

// Somebody else's transaction keeps it waiting, a writer's or a reader's, until it is ended by SIGTERM.
$run('view', '42');
foreach (['BEGIN IMMEDIATE', 'BEGIN; SELECT * FROM views'] as $transaction) {
    $other = new PDO("sqlite:$folder/views.sqlite");
    array_map(fn ($statement) => $other->query($statement)->fetchAll(), explode('; ', $transaction));
    $saving = start_process([PHP_BINARY, '-n', '-d', 'extension=pdo', '-d', 'extension=pdo_sqlite', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'),
        '-d', "mcpatterns.servers=$server->address", dirname(__DIR__, 2) . '/examples/view_counter.php', 'save', "$folder/views.sqlite", '42'], "$folder/log");
    $pid = proc_get_status($saving)['pid'];
    $opened = fn () => array_map(fn ($file) => @readlink($file), glob("/proc/$pid/fd/*"));
    for ($i = 0; $i < 5000 && !in_array("$folder/views.sqlite", $opened()); $i++) {
        usleep(1000);
    }
    usleep(300000);
    echo "$transaction: ", is_running($pid) ? 'waits' : file_get_contents("$folder/log"), "\n";
    proc_terminate($saving);
    proc_close($saving);
    unset($other);
    $run('show', "$folder/views.sqlite", '42');
    $run('view', '42');
}
$run('save', "$folder/views.sqlite", '42');
$run();
?>
--EXPECT--
since the last save: 1
since the last save: 2
since the last save: 1
42: 2 views
42: 2 new
43: 1 new
44: 0 new
since the last save: 1
42: 1 new
42: 3 views
since the last save: 1
refused
43: 1 new
43: 2 views
since the last save: 1
BEGIN IMMEDIATE: waits
42: 4 views
since the last save: 2
BEGIN; SELECT * FROM views: waits
42: 5 views
since the last save: 3
42: 3 new
view ARTICLE | save FILE ARTICLE... | show FILE ARTICLE
