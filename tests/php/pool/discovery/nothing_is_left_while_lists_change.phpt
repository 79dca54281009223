--TEST--
No class leaks while discovered lists change and servers die
--EXTENSIONS--
mcpatterns
--INI--
report_memleaks=1
zend.enable_gc=1
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
// A PHP for debugging tells of each block that is left. Listeners are calm here, as what the others make the engine leave would be told, too.
require __DIR__ . '/../../../_support/changing_lists.inc';

$steps = at_full_size() ? 10_000 : 400;
$world = new ChangingLists((int) (getenv('MCPATTERNS_SEED') ?: 2), has_calm_listeners: true);
$world->play($steps);
echo 'lists: ', $world->changes > $steps / 4 ? 'many' : $world->changes, ', calls: ', $world->calls > $steps / 2 ? 'many' : $world->calls, "\n";
echo 'failed: ', $world->failed > 0 && $world->failed < $world->calls / 2 ? 'some' : "$world->failed of $world->calls", "\n";
echo 'Fibers: ', $world->suspended > 0 ? 'some' : 'none', ', forks: ', $world->forked > 0 ? 'some' : 'none', "\n";
echo 'wrong: ', implode(', ', array_unique($world->wrong)) ?: 'nothing', "\n";
echo 'in the end: ', implode(', ', $world->look_at_the_end()) ?: 'all is well', "\n";
?>
--EXPECT--
lists: many, calls: many
failed: some
Fibers: some, forks: some
wrong: nothing
in the end: all is well
