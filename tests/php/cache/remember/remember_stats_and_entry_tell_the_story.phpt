--TEST--
Cache::stats() and entry() report each event, age and compute time
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

const NOW = 1_700_000_000_000;
$server = start_memcached();
$pool = new Pool($server->address);
$other = new Cache($pool, ttl: 100, lease: 1000);
$last = $other->stats();

/** What one step changes in the statistics of $cache. */
function step(string $name, Cache $cache, callable $act): void
{
    $before = $cache->stats();
    try {
        $act($cache);
    } catch (DomainException) {
    }
    $changed = [];
    foreach ($cache->stats() as $counter => $count) {
        $by = $count - $before[$counter];
        if ($counter === 'waited' && $by > 0) {
            $by = 'some';
        }
        if ($counter === 'compute_seconds' && $by > 0) {
            $by = $by >= 0.03 && $by < 5 ? 'measured' : $by;
        }
        $by === 0 || $by === 0.0 || $changed[] = "$counter +" . (is_float($by) ? round($by, 3) : $by);
    }
    echo $name, ': ', implode(', ', $changed) ?: 'nothing', "\n";
}
$fresh = function (Cache $cache) {
    put_raw($GLOBALS['server'], 'k', make_envelope('k', 'v', ['created' => NOW - 30_000, 'soft' => NOW + 60_000, 'hard' => NOW + 90_000, 'compute' => 2500]));
};
$old = function (array $more = []) {
    put_raw($GLOBALS['server'], 'k', make_envelope('k', 'v', $more + ['created' => NOW - 30_000, 'soft' => NOW - 1000, 'hard' => NOW + 90_000, 'compute' => 2500]));
};
$busy = fn () => $old(['newest' => 1, 'claim' => [1, NOW + 1_000_000, 1_000_000]]);
$compute = function () { usleep(30_000); return 'new'; };
$remember = fn (...$options) => fn (Cache $cache) => $cache->remember('k', 100, $compute, ...$options);
$fail = fn (Cache $cache) => $cache->remember('k', 100, fn () => throw new DomainException, wait: 0);

$cache = new Cache($pool, ttl: 100, lease: 1000, wait: 0.5);
Clock::freeze(NOW / 1000);
echo 'all of them: ', implode(' ', array_keys($cache->stats())), "\n";
echo 'at first: ', array_sum($cache->stats()), "\n";
step('get, absent', $cache, fn ($cache) => $cache->get('absent'));
step('remember, absent', $cache, $remember());
step('set', $cache, fn ($cache) => $cache->set('k', 1));
$fresh($cache);
step('get, fresh', $cache, fn ($cache) => $cache->get('k'));
step('remember, fresh', $cache, $remember());
step('getMultiple, fresh and absent', $cache, fn ($cache) => $cache->getMultiple(['k', 'absent']));
step('rememberMany, fresh and absent', $cache, fn ($cache) => $cache->rememberMany(['k', 'new'], 100, fn () => ['new' => $compute()]));
$old();
step('peek, old', $cache, fn ($cache) => $cache->peek('k'));
step('get, old', $cache, fn ($cache) => $cache->get('k'));
step('abandon', $cache, fn ($cache) => $cache->abandon('k'));
step('remember, old', $cache, $remember());
$busy();
step('get, busy', $cache, fn ($cache) => $cache->get('k'));
step('remember, busy', $cache, $remember());
step('remember, busy, stale: false', $cache, $remember(stale: false));
put_raw($server, 'k', make_envelope('k', '', ['has_value' => false, 'newest' => 1, 'soft' => NOW + 1e6, 'hard' => NOW + 2e6, 'claim' => [1, NOW + 1_000_000, 1_000_000]]));
step('remember, cold and claimed by another', $cache, $remember());
Clock::freeze(NOW / 1000);
$old();
step('remember, deleted meanwhile', $cache, fn ($cache) => $cache->remember('k', 100, fn () => $other->delete('k') . $compute()));
$old();
step('remember, set meanwhile', $cache, fn ($cache) => $cache->remember('k', 100, fn () => $other->set('k', 1) . $compute()));
$old();
step('publish, expired meanwhile', $cache, function ($cache) use ($other) { $cache->get('k'); $other->expire('k'); usleep(30_000); $cache->publish('k', 1); });
$old();
step('remember, too large', $cache, fn ($cache) => $cache->remember('k', 100, fn () => $compute() . random_bytes(2_000_000)));
$old();
step('remember, fails', $cache, $fail);
step('remember, pause after a failure', $cache, $fail);
Clock::freeze(NOW / 1000);
put_raw($server, 'k', make_envelope('k', 'v', ['soft' => NOW + 1, 'hard' => NOW + 90_000, 'compute' => 4_000_000_000]));
step('remember, early', $cache, $remember(early: 1000.0));
$old();
step('remember, TTL null', $cache, fn ($cache) => $cache->remember('k', fn () => null, $compute));
put_raw($server, 'k', 'not an envelope');
step('get, foreign', $cache, fn ($cache) => $cache->get('k'));
step('remember, foreign', $cache, $remember());
put_raw($server, 'k', make_envelope('k', 'not serialized', ['compute' => 2500]), ENVELOPE_FLAG | 4);
step('get, not to be unserialized', $cache, fn ($cache) => $cache->get('k'));
step('remember, not to be unserialized', $cache, $remember());
step('increment, delete, has nothing', $cache, fn ($cache) => $cache->increment('absent') || $cache->delete('absent'));
echo 'the other object saw only its own: ', $other->stats()['hits'], ' hits, ', $other->stats()['stored'], " stored\n";

echo "entry()\n";
$tell = fn ($entry) => sprintf("%s %s, age %s, expires in %s, computed in %s\n", $entry->status->name, json_encode($entry->value), json_encode($entry->age), json_encode($entry->expiresIn), json_encode($entry->computeTime));
Clock::freeze(NOW / 1000);
$fresh($cache);
echo $tell($cache->entry('k'));
$old();
echo $tell($cache->entry('k'));
echo $tell($cache->lookup('k'));
echo $tell($other->entry('k'));
put_raw($server, 'k', make_envelope('k', 'v', ['created' => NOW - 1500, 'soft' => ENVELOPE_NEVER, 'hard' => ENVELOPE_NEVER]));
echo $tell($cache->entry('k'));
echo $tell($cache->entry('absent'));
put_raw($server, 'k', 'not an envelope');
echo $tell($cache->entry('k'));

echo "a server that does not answer\n";
$server->freeze();
$patient = new Cache(new Pool($server->address, timeout: 0.1));
step('get', $patient, fn ($cache) => $cache->get('k'));
step('remember', $patient, $remember());
step('set', $patient, fn ($cache) => $cache->set('k', 1));
$server->thaw();
?>
--EXPECT--
all of them: hits stale misses elected busy waited early after_response stored discarded changed unstorable unreadable forged errors gave_up compute_seconds saved_seconds near near_shared audit_checked audit_different audit_still_stored audit_inconclusive audit_failed audit_seconds audit_oldest_seconds
at first: 0
get, absent: misses +1
remember, absent: elected +1, stored +1, compute_seconds +measured
set: stored +1
get, fresh: hits +1, saved_seconds +2.5
remember, fresh: hits +1, saved_seconds +2.5
getMultiple, fresh and absent: hits +1, misses +1, saved_seconds +2.5
rememberMany, fresh and absent: hits +1, elected +1, stored +1, compute_seconds +measured, saved_seconds +2.5
peek, old: stale +1, saved_seconds +2.5
get, old: elected +1
abandon: nothing
remember, old: elected +1, stored +1, compute_seconds +measured
get, busy: stale +1, busy +1, saved_seconds +2.5
remember, busy: stale +1, busy +1, saved_seconds +2.5
remember, busy, stale: false: stale +1, busy +1, waited +some, saved_seconds +2.5
remember, cold and claimed by another: elected +1, waited +some, stored +1, compute_seconds +measured
remember, deleted meanwhile: elected +1, discarded +1, compute_seconds +measured
remember, set meanwhile: elected +1, discarded +1, compute_seconds +measured
publish, expired meanwhile: elected +1, discarded +1, compute_seconds +measured
remember, too large: elected +1, unstorable +1, compute_seconds +measured
remember, fails: elected +1
remember, pause after a failure: stale +1, saved_seconds +2.5
remember, early: elected +1, early +1, stored +1, compute_seconds +measured
remember, TTL null: elected +1
get, foreign: misses +1, unreadable +1
remember, foreign: elected +1, stored +1, unreadable +1, compute_seconds +measured
get, not to be unserialized: misses +1, unreadable +1
remember, not to be unserialized: elected +1, stored +1, unreadable +1, compute_seconds +measured
increment, delete, has nothing: nothing
the other object saw only its own: 0 hits, 1 stored
entry()
Fresh "v", age 30, expires in 60, computed in 2.5
Stale "v", age 30, expires in -1, computed in 2.5
Elected "v", age 30, expires in -1, computed in 2.5
Busy "v", age 30, expires in -1, computed in 2.5
Fresh "v", age 1.5, expires in null, computed in null
Miss null, age null, expires in null, computed in null
Miss null, age null, expires in null, computed in null
a server that does not answer
get: misses +1, errors +1
remember: misses +1, errors +1
set: errors +1
