--TEST--
Cache::stats() counts only the events of its own object
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://stats'), ttl: 10, lease: 5);
$other = new Cache(new Pool('memory://stats'), ttl: 10, lease: 5);
$before = $cache->stats();
echo json_encode($before), "\n";
$changes = function (callable $work) use ($cache, &$before) {
    $work();
    $after = $cache->stats();
    $changed = [];
    foreach ($after as $name => $count) {
        if ($count !== $before[$name]) {
            $changed[] = "$name +" . (is_float($count) ? 'some' : $count - $before[$name]);
        }
    }
    $before = $after;
    return implode(', ', $changed) . "\n";
};
echo 'get, absent: ', $changes(fn () => $cache->get('k'));
echo 'set: ', $changes(fn () => $cache->set('k', 'value'));
echo 'get: ', $changes(fn () => $cache->get('k'));
echo 'another object: ', $changes(fn () => $other->get('k'));
Clock::advance(10);
echo 'get, old: ', $changes(fn () => $cache->get('k'));
echo 'get, claimed: ', $changes(fn () => $cache->get('k'));
echo 'peek, claimed: ', $changes(fn () => $cache->peek('k'));
echo 'abandon: ', $changes(fn () => $cache->abandon('k'));
echo 'peek, old: ', $changes(fn () => $cache->peek('k'));
echo 'a slow computation: ', $changes(fn () => $cache->remember('slow', null, function () { usleep(200_000); return 1; }));
echo 'and what it saves: ', $changes(fn () => $cache->get('slow') . $cache->get('slow'));
echo 'twice what it took: ', json_encode(abs($cache->stats()['saved_seconds'] - 2 * $cache->stats()['compute_seconds']) < 0.002 && $cache->stats()['compute_seconds'] >= 0.2), "\n";
$other->set('d', 1);
Clock::advance(10);
$cache->get('d');
$before = $cache->stats();
$other->delete('d');
echo 'publish of what was deleted: ', $changes(fn () => $cache->publish('d', 1));
echo 'getMultiple: ', $changes(fn () => $cache->getMultiple(['slow', 'k', 'absent', 'nothing']));
?>
--EXPECT--
{"hits":0,"stale":0,"misses":0,"elected":0,"busy":0,"waited":0,"early":0,"after_response":0,"stored":0,"discarded":0,"changed":0,"unstorable":0,"unreadable":0,"forged":0,"errors":0,"gave_up":0,"compute_seconds":0,"saved_seconds":0,"near":0,"near_shared":0,"audit_checked":0,"audit_different":0,"audit_still_stored":0,"audit_inconclusive":0,"audit_failed":0,"audit_seconds":0,"audit_oldest_seconds":0}
get, absent: misses +1
set: stored +1
get: hits +1
another object: 
get, old: elected +1
get, claimed: stale +1, busy +1
peek, claimed: stale +1, busy +1
abandon: 
peek, old: stale +1
a slow computation: elected +1, stored +1, compute_seconds +some
and what it saves: hits +2, saved_seconds +some
twice what it took: true
publish of what was deleted: discarded +1, compute_seconds +some
getMultiple: misses +3, elected +1
