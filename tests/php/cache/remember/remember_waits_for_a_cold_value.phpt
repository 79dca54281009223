--TEST--
remember() waits at most $wait for a cold key, then computes (C4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address), ttl: 100, lease: 10, wait: 2.5);
Clock::freeze(1_700_000_000);
const NOW = 1_700_000_000_000;
$put_placeholder = function (int $claim_end_ms, array $more = []) use ($server) {
    put_raw($server, 'k', make_envelope('k', '', $more + ['has_value' => false, 'newest' => 1, 'soft' => NOW + 100_000, 'hard' => NOW + 200_000,
        'claim' => [999, NOW + $claim_end_ms, 10_000]]));
};
/** What it answers, and how long it took by the Clock, which sleeping moves on; work itself takes time too. */
$ask = function (float $expected, array $options = []) use ($cache) {
    Clock::freeze(1_700_000_000);
    $calls = 0;
    $probe = new Cache(new Pool('memory://stopwatch'));
    $probe->set('start', 1);
    $answer = $cache->remember('k', 50, function () use (&$calls) { $calls++; return 'mine'; }, ...$options);
    $age = $probe->entry('start')->age;
    return sprintf("%s after %s s, %d calls\n", $answer, $age > $expected - 0.4 && $age < $expected + 0.15 ? $expected : $age, $calls);
};

echo 'a claim that outlives the wait: ';
$put_placeholder(9_000);
echo $ask(2.5);
echo 'and it ended the wait for everybody: ', $cache->peek('k'), "\n";
$envelope = get_envelope($server, 'k');
echo "the claim that it waited for was {$envelope['newest']}, the value came from {$envelope['from']}\n";

echo 'its own wait: ';
$put_placeholder(9_000);
echo $ask(0.7, ['wait' => 0.7]);
echo 'no wait: ';
$put_placeholder(9_000);
echo $ask(0, ['wait' => 0]);

echo 'a claim that ends first: ';
$put_placeholder(1_000);
echo $ask(1);
echo 'now the value is from election ', get_envelope($server, 'k')['from'], "\n";

echo 'waited: ', $cache->stats()['waited'] > 20 ? 'often' : 'seldom', "\n";
?>
--EXPECT--
a claim that outlives the wait: mine after 2.5 s, 1 calls
and it ended the wait for everybody: mine
the claim that it waited for was 1, the value came from 1
its own wait: mine after 0.7 s, 1 calls
no wait: mine after 0 s, 1 calls
a claim that ends first: mine after 1 s, 1 calls
now the value is from election 2
waited: often
