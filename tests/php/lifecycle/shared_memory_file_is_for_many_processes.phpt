--TEST--
Concurrent processes share the memory of one file
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

$folder = make_temporary_folder('shared');
register_shutdown_function('remove_folder', $folder);
$settings = ['mcpatterns.shared_memory_path' => "$folder/memory"];
$first = start_script('touch($argv[1]); sleep(30);', ["$folder/runs"], $settings, $log);
while (!file_exists("$folder/runs") && proc_get_status($first)['running']) {
    usleep(1000);
}
foreach (['second', 'third'] as $name) {
    echo $name, ': ', run_script('
        ob_start();
        phpinfo(INFO_MODULES);
        preg_match("/^shared memory => (.*)$/m", ob_get_clean(), $found);
        echo str_replace($argv[1], "FOLDER", $found[1]), "\n";', [$folder], $settings);
}
proc_terminate($first);
unlink($log);
?>
--EXPECT--
second: 16 MiB in FOLDER/memory
third: 16 MiB in FOLDER/memory
