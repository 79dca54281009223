--TEST--
A MemberSet equals its writers' journals after concurrent changes and compactions (M1, M2, M3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{MemberSet, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/never.inc';
require __DIR__ . '/../../_support/workers.inc';

[$writers, $changes, $own] = at_full_size() ? [8, 5000, 40] : [6, 400, 12];
$server = start_memcached();
$open = fn () => new MemberSet(new Pool($server->address, timeout: 10), 'ids');

// Which of a writer's members is out for good: it is noted when the last remove of it has returned.
$gone = $server->path('gone');
touch($gone);
$began = hrtime(true);
$writing = new Workers($writers, function (int $writer) use ($open, $changes, $own, $gone): array {
    $set = $open();
    $in = [];
    for ($i = 0; $i < $changes; $i++) {
        $member = "$writer:" . mt_rand(0, $own - 1);
        if ($i % 50 === 49) {
            $once = "$writer:once:$i";
            $set->add($once);
            $set->remove($once);
            file_put_contents($gone, "$once\n", FILE_APPEND | LOCK_EX);
        } elseif (isset($in[$member])) {
            $set->remove($member);
            unset($in[$member]);
        } else {
            $set->add($member);
            $in[$member] = true;
        }
    }
    return array_map('strval', array_keys($in));
}, 240);
$done = $server->path('done');
$reading = new Workers(2, function (int $reader) use ($open, $gone, $done): array {
    $set = $open();
    $wrong = $reads = 0;
    do {
        clearstatcache();
        $was_gone = array_flip(file($gone, FILE_IGNORE_NEW_LINES));
        $members = $set->members();
        $wrong += count(array_intersect_key($was_gone, array_flip($members))) + (count($members) !== count(array_unique($members)));
        $reads++;
    } while (!file_exists($done));
    return [$reads, $wrong];
}, 240);
$reading->release();
$writing->release();
$journals = $writing->results();
touch($done);
$seconds = (hrtime(true) - $began) / 1e9;
$wrong = array_sum(array_column($read = $reading->results(), 1));
$expected = array_merge(...$journals);
$found = $open()->members();
sort($expected);
sort($found);
$told = 'wrong reads: ' . $wrong . ', missing: ' . count(array_diff($expected, $found)) . ', too many: ' . count(array_diff($found, $expected));
$wrong > 0 || $expected !== $found ? never($told) : print("$told\n");
report_figures(sprintf('%d changes of %d processes in %.1f s, %d reads beside them', $writers * $changes, $writers, $seconds, array_sum(array_column($read, 0))));
?>
--EXPECT--
wrong reads: 0, missing: 0, too many: 0
