--TEST--
workers_with_permits.php runs up to 3 numbered workers, none without memcached
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Pool, Semaphore};

require __DIR__ . '/../_support/run_example.inc';

$server = start_memcached();
$folder = make_temporary_folder('exports');
$pool = new Pool($server->address);
$others = [new Semaphore($pool, 'exports', 3), new Semaphore($pool, 'exports', 3), new Semaphore($pool, 'exports', 3)];
$others[0]->acquire();
$others[1]->acquire();
$left = array_values(array_diff([0, 1, 2], [$others[0]->permit(), $others[1]->permit()]))[0];
echo run_example_script('workers_with_permits', $server, [$folder]) === "worker $left has written 2 parts\n" ? 'worked' : 'did not', "\n";
$others[2]->acquire();
echo run_example_script('workers_with_permits', $server, [$folder]);
$server->kill();
echo run_example_script('workers_with_permits', $server, [$folder]);
remove_folder($folder);
?>
--EXPECT--
worked
three are at work
not now
