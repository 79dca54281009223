--TEST--
running_jobs.php shows the progress of running jobs only
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
foreach (['list', 'begin export', 'run import-17 2', 'list'] as $line) {
    echo "-- $line\n", run_example_script('running_jobs', $server, explode(' ', $line));
}
?>
--EXPECT--
-- list
-- begin export
-- run import-17 2
export: 0 % done
import-17: 0 % done
export: 0 % done
import-17: 50 % done
-- list
export: 0 % done
