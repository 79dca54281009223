--TEST--
Each call of remember() can override each default of its Cache
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

const NOW = 1_700_000_000_000;
$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$other = new Cache($pool);
$plain = new Cache($pool);
$tuned = new Cache($pool, ttl: 50, grace: 7, lease: 3, wait: 1, stale: false, staleOnError: true, early: 1000.0, jitter: 1.0);

/** What is stored after remember(): [ttl, grace] in seconds. */
function lifetime(Cache $cache, int|null $ttl, array $options): string
{
    global $server;
    Clock::freeze(NOW / 1000);
    $cache->delete('k');
    $cache->remember('k', $ttl, fn () => 'v', ...$options);
    $envelope = get_envelope($server, 'k');
    return json_encode([($envelope['soft'] - NOW) / 1000, ($envelope['hard'] - $envelope['soft']) / 1000]);
}
echo 'ttl, grace: ', lifetime($plain, null, []), ' ', lifetime($plain, 20, []), ' ', lifetime($plain, 20, ['grace' => 0]), ' ', lifetime($plain, 20, ['grace' => 5.5]), "\n";
echo 'tuned: ', lifetime($tuned, null, ['jitter' => 0.0]), ' ', lifetime($tuned, 20, ['jitter' => 0.0]), ' ', lifetime($tuned, 20, ['jitter' => 0.0, 'grace' => 0.25]), "\n";
Clock::freeze(NOW / 1000);
$plain->remember('forever', 0, fn () => 'v');
$plain->remember('graceful', 5, fn () => 'v', grace: INF);
echo 'for ever: ', get_envelope($server, 'forever')['soft'] === ENVELOPE_NEVER ? 'never ends, ' : 'ends, ', get_envelope($server, 'graceful')['hard'] === ENVELOPE_NEVER ? 'never ends' : 'ends', "\n";

/** The lease of the claim that its callback runs under, in ms. */
function lease(Cache $cache, array $options): int
{
    global $server;
    $cache->delete('k');
    return $cache->remember('k', 10, fn () => get_envelope($server, 'k')['claim'][2], ...$options);
}
echo 'lease: ', lease($plain, []), ' ', lease($plain, ['lease' => 0.5]), ' ', lease($tuned, []), ' ', lease($tuned, ['lease' => 77]), "\n";

/**
 * What it answers, and whether that took so many seconds. A wait moves the frozen clock on, and what passes meanwhile counts: the
 * clock may show less than the wait, where this process is slow, but never more, and with the real time never less.
 */
function measure(float $expected, callable $work): array
{
    $watch = new Cache(new Pool('memory://watch'));
    $watch->set('start', 1);
    $real = hrtime(true);
    $answer = $work();
    $least = $watch->entry('start')->age;
    $most = $least + (hrtime(true) - $real) / 1e9;
    return [$answer, $least <= $expected + 0.001 && $expected <= $most + 0.001 ? $expected : "$least to $most"];
}

/** Waits for somebody else's cold key. */
function waited(float $expected, Cache $cache, array $options): string
{
    global $server;
    put_raw($server, 'k', make_envelope('k', '', ['has_value' => false, 'newest' => 1, 'soft' => NOW + 1e6, 'hard' => NOW + 2e6, 'claim' => [1, NOW + 1e6, 1_000_000]]));
    Clock::freeze(NOW / 1000);
    return measure($expected, fn () => $cache->remember('k', 10, fn () => 'v', ...$options))[1];
}
echo 'wait: ', waited(2.5, $plain, []), ' ', waited(0.5, $plain, ['wait' => 0.5]), ' ', waited(0, $plain, ['wait' => 0]), ' ', waited(1, $tuned, []), ' ', waited(4, $tuned, ['wait' => 4]), "\n";

/** Waits before it takes the old value that somebody else is rebuilding. */
function patience(float $expected, Cache $cache, array $options): string
{
    global $pool;
    $other = new Cache($pool);
    $other->delete('k'); // the claim of the time before: set() would take its age for a compute time
    $other->set('k', 'old', 10);
    Clock::advance(10);
    $other->lookup('k');
    return implode(' after ', measure($expected, fn () => $cache->remember('k', 10, fn () => 'v', ...$options)));
}
echo 'stale: ', patience(0, $plain, []), ', ', patience(2.5, $plain, ['stale' => false]), ', ', patience(1, $tuned, []), ', ', patience(0, $tuned, ['stale' => true]), "\n";

function answer_to_error(Cache $cache, array $options): string
{
    global $other;
    $other->set('k', 'old', 10);
    Clock::advance(10);
    try {
        return $cache->remember('k', 10, fn () => throw new DomainException('error'), ...$options);
    } catch (DomainException $exception) {
        return $exception->getMessage();
    }
}
echo 'staleOnError: ', answer_to_error($plain, []), ' ', answer_to_error($plain, ['staleOnError' => true]), ' ', answer_to_error($tuned, []), ' ', answer_to_error($tuned, ['staleOnError' => false]), "\n";

/** Of 50 fresh values with a second to live whose computation took a minute, how many were refreshed. */
function early(Cache $cache, array $options): string
{
    global $server;
    $refreshed = 0;
    for ($i = 0; $i < 50; $i++) {
        Clock::freeze(NOW / 1000);
        put_raw($server, 'k', make_envelope('k', 'old', ['soft' => NOW + 1000, 'hard' => NOW + 10_000, 'compute' => 60_000]));
        $refreshed += $cache->remember('k', 10, fn () => 'new', ...$options) === 'new';
    }
    return $refreshed === 0 ? 'none' : ($refreshed > 30 ? 'most' : $refreshed);
}
echo 'early: ', early($plain, []), ' ', early($plain, ['early' => 1000.0]), ' ', early($tuned, []), ' ', early($tuned, ['early' => 0.0]), "\n";

/** How many different TTLs 20 values got. */
function jitter(Cache $cache, array $options): string
{
    for ($i = 0; $i < 20; $i++) {
        $lifetimes[] = lifetime($cache, 100, $options);
    }
    return count(array_unique($lifetimes)) > 10 ? 'spread' : 'same';
}
echo 'jitter: ', jitter($plain, []), ' ', jitter($plain, ['jitter' => 0.5]), ' ', jitter($tuned, []), ' ', jitter($tuned, ['jitter' => 0.0]), "\n";
?>
--EXPECT--
ttl, grace: [3600,3600] [20,20] [20,0] [20,5.5]
tuned: [50,7] [20,7] [20,0.25]
for ever: never ends, never ends
lease: 10000 500 3000 77000
wait: 2.5 0.5 0 1 4
stale: old after 0, old after 2.5, old after 1, old after 0
staleOnError: error old old error
early: none most most none
jitter: same spread spread same
