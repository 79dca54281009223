--TEST--
readers_of_an_article.php counts each reader once a day, nothing without memcached
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
foreach (['anna', 'bert', 'anna'] as $visitor) {
    run_example_script('readers_of_an_article', $server, ['article-43', $visitor]);
}
foreach (['anna', 'carla', 'anna'] as $visitor) {
    echo run_example_script('readers_of_an_article', $server, ['article-42', $visitor, 'article-43', 'article-44']);
}
$server->kill();
echo json_encode(run_example_script('readers_of_an_article', $server, ['article-42', 'anna'])), "\n";
?>
--EXPECT--
reading now: 1
in 24 hours: 1
the section: 2
reading now: 2
in 24 hours: 2
the section: 3
reading now: 2
in 24 hours: 2
the section: 3
"\n"
