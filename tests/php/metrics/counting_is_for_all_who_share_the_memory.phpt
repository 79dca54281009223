--TEST--
Processes that share memory count together, others separately
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
if (PHP_OS_FAMILY !== 'Linux' || !extension_loaded('pcntl')) {
    die('skip needs shared memory and pcntl');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

$folder = make_temporary_folder('metrics');
register_shutdown_function('remove_folder', $folder);
$code = <<<'PHP'
    use McPatterns\{Cache, Metrics, Pool};
    $cache = new Cache(new Pool('memory://one'), 'page:');
    $cache->get('k');
    $pid = function_exists('pcntl_fork') ? pcntl_fork() : exit('no pcntl');
    if ($pid === 0) {
        $cache->get('k');
        (new Cache(new Pool('memory://one'), 'new in the child:'))->get('k');
        $own = array_column(Metrics::trace('new in the child:'), 'pid');
        exit($own === [] || end($own) === getmypid() ? 0 : 1);
    }
    pcntl_waitpid($pid, $status);
    $read = Metrics::read();
    $misses = array_column($read['groups'], 'misses', 'group');
    ksort($misses);
    echo json_encode([$read['enabled'], $read['shared'], $misses, $read['processes'], strlen(implode(array_column(Metrics::trace(), 'letter'))), pcntl_wexitstatus($status)]), "\n";
    PHP;
$run = fn (array $settings) => print run_script($code, ['pcntl'], $settings);
echo "without a file\n";
$run([]);
$run([]);
echo "in a file\n";
$run(['mcpatterns.shared_memory_path' => "$folder/memory"]);
$run(['mcpatterns.shared_memory_path' => "$folder/memory"]);
echo "too small, and none\n";
$run(['mcpatterns.shared_memory' => '512K']);
$run(['mcpatterns.shared_memory' => '0']);
echo "off\n";
$run(['mcpatterns.metrics' => '0']);
echo "reset, for all\n";
echo run_script('McPatterns\Metrics::reset(); $read = McPatterns\Metrics::read(); echo json_encode([$read["groups"], McPatterns\Metrics::trace(), $read["now"] - $read["since"] < 60]), "\n";', [], ['mcpatterns.shared_memory_path' => "$folder/memory"]);
$run(['mcpatterns.shared_memory_path' => "$folder/memory"]);
?>
--EXPECT--
without a file
[true,true,{"new in the child:":1,"page:":2},1,3,0]
[true,true,{"new in the child:":1,"page:":2},1,3,0]
in a file
[true,true,{"new in the child:":1,"page:":2},1,3,0]
[true,true,{"new in the child:":2,"page:":4},1,6,0]
too small, and none
[true,false,{"page:":1},1,1,0]
[true,false,{"page:":1},1,1,0]
off
[false,false,[],0,0,0]
reset, for all
[[],[],true]
[true,true,{"new in the child:":1,"page:":2},1,3,0]
