--TEST--
Pool::endRequest() forgets tag reads and object caches, not Clock or statistics
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.shared_memory=0
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/script.inc';

$address = start_memcached()->address;
$pool = new Pool($address, timeout: 10);
$tagged = (new Cache($pool, 'tagged:', ttl: 100))->tagged('t');
$invalidate = '(new McPatterns\Cache(new McPatterns\Pool($argv[1], timeout: 10), "tagged:"))->invalidateTags("t");';
echo "a look that gave nothing: ";
foreach ([false, true] as $ends) {
    $tagged->delete('k');
    var_dump($tagged->get('k'));
    run_script($invalidate, [$address]); // by another process: an own one would move the look
    $ends && Pool::endRequest();
    $tagged->set('k', 'computed anew');
    echo $ends ? 'after the end: ' : 'in one request: ', $tagged->entry('k')->status->name, "\n";
}

echo "what is near: ";
$near = new Cache($pool, 'near:', ttl: 100, near: 50);
$view = (new Cache($pool, 'near:', ttl: 100, near: 50))->tagged('t');
$second = new Cache($pool, 'near:', ttl: 100, near: 50);
$answers = fn (): array => [$near->get('k'), $view->get('tagged'), $second->get('k')];
$other = 'use McPatterns\{Cache, Pool}; $cache = new Cache(new Pool($argv[1], timeout: 10), "near:", ttl: 100);
    $cache->set("k", $argv[2]); $cache->tagged("t")->set("tagged", $argv[2]);';
run_script($other, [$address, 'first']);
foreach ([false, true] as $ends) {
    echo implode(' ', $answers()), $ends ? "\n" : ', ';
    run_script($other, [$address, 'second']);
    $ends || print implode(' ', $answers()) . ', ';
    Pool::endRequest();
}
echo 'hits: ', $near->stats()['hits'], ', near: ', $near->stats()['near'], "\n";

echo "the clock: ";
Clock::freeze(1_700_000_000);
Pool::endRequest();
echo Clock::now(), "\n";
unset($near, $view, $second);
Pool::endRequest();
echo "objects that are gone are not looked for\n";
?>
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--EXPECT--
a look that gave nothing: NULL
in one request: Stale
NULL
after the end: Fresh
what is near: first first first, first first first, second second second
hits: 3, near: 1
the clock: 1700000000
objects that are gone are not looked for
