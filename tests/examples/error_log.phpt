--TEST--
error_log.php shows all processes' errors, and uses PHP's log without memcached
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
$run = fn (string ...$arguments) => str_replace(gethostname(), 'host', preg_replace('/\d\d:\d\d:\d\d|:\d+\)/', '…', run_example_script('error_log', $server, $arguments)));
echo $run('last');
echo $run('fail', 'disk full'), $run('fail', 'no answer from db');
echo $run('last');
echo "follow\n", $run('follow', '1');
$server->kill();
echo preg_replace('/ in .*/', '', trim($run('fail', 'disk full'))), "\n";
?>
--EXPECT--
… host: no answer from db (error_log.php…
… host: disk full (error_log.php…
follow
… host: disk full (error_log.php…
… host: no answer from db (error_log.php…
Warning: disk full
