--TEST--
examples/cron_job_once.php does its work on one host, and none where another is at it
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../_support/run_example.inc';

$server = start_memcached();
echo run_example_script('cron_job_once', $server);
$lock = new Lock(new Pool($server->address), 'report:' . gmdate('Y-m-d'), ttl: 60);
$lock->acquire();
echo run_example_script('cron_job_once', $server);
?>
--EXPECT--
collect
compute
send
done: 3 parts
another host is at it
