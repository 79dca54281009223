--TEST--
online_now.php counts each visitor once and hides the number without memcached
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
foreach (['anna', 'anna', 'bert', 'carla', 'bert'] as $visitor) {
    echo run_example_script('online_now', $server, ['article-42', $visitor]);
}
echo run_example_script('online_now', $server, ['article-43', 'anna']);
$server->kill();
echo json_encode(run_example_script('online_now', $server, ['article-42', 'anna'])), "\n";
?>
--EXPECT--
You are looking at this.
You are looking at this.
2 people are looking at this now.
3 people are looking at this now.
3 people are looking at this now.
You are looking at this.
"\n"
