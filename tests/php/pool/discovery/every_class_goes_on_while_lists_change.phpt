--TEST--
Each class works while discovered lists change and servers die
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/changing_lists.inc';

[$seed, $steps] = at_full_size() ? [1, 20_000] : [1, 400];
$world = new ChangingLists((int) (getenv('MCPATTERNS_SEED') ?: $seed));
$world->play($steps);
report_figures("changing lists: $world->changes lists, $world->calls calls, $world->failed of them failed, $world->suspended Fibers stood still, $world->forked forks");
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
