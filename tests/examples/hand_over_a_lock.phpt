--TEST--
hand_over_a_lock.php hands a lock from request to worker, then frees it
--EXTENSIONS--
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
$request = fn () => rtrim(run_example_script('hand_over_a_lock', $server, ['request', 'export-17']));
$worker = fn (string $owner) => run_example_script('hand_over_a_lock', $server, ['worker', 'export-17', $owner]);
$owner = $request();
echo strlen($owner), ' ', $request(), "\n", $worker('somebody'), $worker($owner), $worker($owner);
echo strlen($request()), "\n";
?>
--EXPECT--
32 is being done already
came too late
writing the export
done
came too late
32
