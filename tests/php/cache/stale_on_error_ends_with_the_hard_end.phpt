--TEST--
staleOnError serves the stale value until its grace period ends (C6, C7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../_support/envelope.inc';

const NOW = 1_700_000_000;
$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$cache = new Cache($pool, ttl: 100, grace: 10, staleOnError: true);
$strict = new Cache($pool, ttl: 100, grace: 0, staleOnError: true);
$endless = new Cache($pool, ttl: 100, grace: INF, staleOnError: true);
/** A computation of so many seconds that fails. */
$fail = fn (float $seconds) => function () use ($seconds) {
    Clock::advance($seconds);
    throw new DomainException('no database');
};
$tell = function (callable $work) {
    try {
        return json_encode($work());
    } catch (DomainException $thrown) {
        return $thrown->getMessage();
    }
};
foreach (['grace of 10 s' => [$cache, [9.999, 10]], 'without end' => [$endless, [10, 1_000_000]]] as $name => [$by, $durations]) {
    foreach ($durations as $seconds) {
        Clock::freeze(NOW);
        $by->set('k', 'old');
        $by->set('l', 'old');
        Clock::advance(100);
        echo "$name, $seconds s: ", $tell(fn () => $by->remember('k', null, $fail($seconds))), ' ';
        Clock::freeze(NOW + 100);
        echo $tell(fn () => $by->rememberMany(['l'], null, $fail($seconds))), "\n";
    }
}

// Elected a second before the end of a value that took an hour: surely early.
foreach ([0.5, 1] as $seconds) {
    Clock::freeze(NOW);
    put_raw($server, 'e', make_envelope('e', 'old', ['soft' => (NOW + 1) * 1000, 'hard' => (NOW + 1) * 1000, 'compute' => 3_600_000]));
    echo "strict and early, $seconds s: ", $tell(fn () => $strict->remember('e', null, $fail($seconds), early: 1000.0)), "\n";
}
?>
--EXPECT--
grace of 10 s, 9.999 s: "old" {"l":"old"}
grace of 10 s, 10 s: no database no database
without end, 10 s: "old" {"l":"old"}
without end, 1000000 s: "old" {"l":"old"}
strict and early, 0.5 s: "old"
strict and early, 1 s: no database
