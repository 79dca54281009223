--TEST--
Audit stores nothing, takes no claim, skips claimed keys, pauses after checks
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Audit, Cache, Clock, Entry, Pool};

require __DIR__ . '/../../_support/audit.inc';
require __DIR__ . '/../../_support/envelope.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$cache = new Cache($pool, ttl: 100_000);
$audit = new Audit($cache, rate: 1);
$work = fn () => null;
$read = function () use ($cache, &$work, $server) {
    return $cache->remember('k', 100_000, function (Entry $old) use (&$work) { $work($old); return 'computed'; });
};
$cache->set('k', 'set');
$before = get_envelope($server, 'k');
$seen = '';
$work = function (Entry $old) use ($server, &$seen) {
    $seen = $old->status->name . " $old->value, " . (get_envelope($server, 'k')['claim'] ? 'claimed' : 'no claim');
};
echo audited_by($cache, $read), "\nis told of what was served: $seen\n";
var_dump(get_envelope($server, 'k') === $before);
$stats = $cache->stats();
echo "$stats[hits] hit, $stats[stored] stored, $stats[elected] elected\n";

$work = fn () => null;
run_script('(new McPatterns\Cache(new McPatterns\Pool($argv[1], timeout: 10)))->remember("k", 100_000, fn () => shell_exec("kill -9 " . getmypid()), lease: 1000, force: true);', [$server->address]);
echo 'while another computes: ', audited_by($cache, function () use ($read) { echo 'served ', $read(), ', '; }), "\n";
$cache->set('k', 'set');
Clock::freeze();
$work = fn () => Clock::advance(1000);
echo 'a long one: ', audited_by($cache, $read), "\n";
$work = fn () => null;
echo 'at once: ', audited_by($cache, $read);
Clock::advance(8_000);
echo ', before nine times as long: ', audited_by($cache, $read);
Clock::advance(1_001);
echo ', after it: ', audited_by($cache, $read), "\n";
?>
--EXPECT--
checked 1, different 1, still_stored 1
is told of what was served: Fresh set, no claim
bool(true)
1 hit, 1 stored, 0 elected
while another computes: served set, inconclusive 1
a long one: checked 1, different 1, still_stored 1
at once: nothing, before nine times as long: nothing, after it: checked 1, different 1, still_stored 1
