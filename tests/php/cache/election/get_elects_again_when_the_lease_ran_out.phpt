--TEST--
A claim expires with its lease, and each takeover doubles the next (C2)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

Clock::freeze(1_700_000_000);
$new_host = fn () => new Cache(new Pool('memory://lease'), ttl: 100, grace: INF, lease: 60);

/** Milliseconds until somebody else is elected. */
function claim_lives($host, string $key): int
{
    for ($ms = 0; $host->lookup($key)->status !== Status::Elected; $ms += 10) {
        Clock::advance(0.01);
    }
    return $ms;
}

// Nobody knows how long it takes: the whole lease.
$hosts = [$new_host()];
$hosts[0]->set('k', 'old');
Clock::advance(100);
var_dump($hosts[0]->get('k'));
$hosts[] = $new_host();
echo claim_lives($hosts[1], 'k'), "\n";

// Measured at about 1.5 s: three times that, then twice as long after each takeover.
$hosts[] = $new_host();
$hosts[2]->remember('slow', 100, function () { usleep(1_500_000); return 'old'; });
$compute_time = $hosts[2]->entry('slow')->computeTime;
Clock::advance(100);
var_dump($hosts[0]->get('slow'));
$lived = [];
for ($i = 0; $i < 6; $i++) {
    $hosts[] = $host = $new_host();
    $expected = min(60, 3 * $compute_time * 2 ** $i);
    $seconds = claim_lives($host, 'slow') / 1000;
    $lived[] = abs($seconds - $expected) < 0.05 ? 'right' : "$seconds, expected $expected";
}
echo implode(', ', $lived), "\n";
?>
--EXPECT--
NULL
60000
NULL
right, right, right, right, right, right
