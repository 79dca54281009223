--TEST--
being_edited.php warns of an open article and reports a memcached failure
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
foreach (['open 42', 'open 17', 'open 42', 'list', 'close 42', 'list', 'open 42'] as $line) {
    echo run_example_script('being_edited', $server, explode(' ', $line));
}
$server->kill();
echo run_example_script('being_edited', $server, ['open', '42']);
?>
--EXPECT--
article 42 is yours
article 17 is yours
somebody is editing article 42
42, 17
17
article 42 is yours
nobody knows who is editing
