--TEST--
An exception in remember() releases its claim and pauses the next election (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://throws');
$cache = new Cache($pool, ttl: 10, grace: INF, lease: 4);
$other = new Cache($pool, ttl: 10, grace: INF, lease: 4);
$fail = function (string $key, ...$options) use ($cache) {
    try {
        return var_export($cache->remember($key, null, fn () => throw new DomainException('no database'), ...$options), true);
    } catch (DomainException $exception) {
        return $exception->getMessage();
    }
};
/** Seconds until somebody else is elected. */
$pause = function () use ($other) {
    for ($ms = 0; $other->lookup('k')->status->name !== 'Elected'; $ms += 10) {
        Clock::advance(0.01);
    }
    $other->abandon('k');
    return $ms / 1000;
};

$other->set('k', 'old');
Clock::advance(10);
echo $fail('k'), ', others: ', $other->get('k'), ' ', $other->entry('k')->status->name, "\n";
$pauses = [$pause()];
for ($i = 0; $i < 8; $i++) {
    assert($fail('k') === 'no database');
    $pauses[] = $pause();
}
// 100 ms doubling, spread by half, capped by the lease.
foreach ($pauses as $i => $seconds) {
    $full = min(0.1 * 2 ** $i, 4);
    if ($seconds < $full / 2 - 0.01 || $seconds > $full * 1.5 + 0.01 || $seconds > 4.01) {
        echo "pause $i: $seconds\n";
    }
}

echo "a success ends the row of failures\n";
$cache->remember('k', null, fn () => 'new');
Clock::advance(10);
$fail('k');
echo $pause() <= 0.16 ? "short again\n" : "still long\n";

echo "staleOnError: ", $fail('k', staleOnError: true), "\n";
Clock::advance(5);
$lenient = new Cache($pool, ttl: 10, grace: INF, staleOnError: true);
echo "by the object's default: ", $lenient->remember('k', null, fn () => throw new Error('x')), "\n";
echo "without an old value: ", $fail('absent', staleOnError: true), "\n";
?>
--EXPECT--
no database, others: old Stale
a success ends the row of failures
short again
staleOnError: 'new'
by the object's default: new
without an old value: no database
