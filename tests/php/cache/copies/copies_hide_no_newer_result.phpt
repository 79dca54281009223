--TEST--
A rebuild with 2 copies and newer values never hide each other (D2, D5, D7)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

const KEYS = 24;

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), timeout: 0.3, retryAfter: 10);
$pool = $make();
/** So many keys whose copy 0 is on the server that is frozen. */
$keys_of = function (string $name) use ($pool, $servers): array {
    $keys = array_map(fn (int $i) => "$name $i", range(1, 8 * KEYS));
    return array_slice(array_values(array_filter($keys, fn ($key) => $pool->serverFor($key) === $servers[0]->name)), 0, KEYS);
};

/* One of several processes, each with a clock of its own. */
$process = function (string $do, array $keys = [], ?string $value = null) use ($make) {
    static $cache;
    $cache ??= new Cache($make(), ttl: 10, grace: 1000, copies: 2);
    return match ($do) {
        'later' => Clock::advance(11),
        'stats' => array_intersect_key($cache->stats(), ['stored' => 0, 'discarded' => 0]),
        'set' => array_map(fn ($key) => $cache->set($key, $value), $keys),
        'get' => array_map(fn ($key) => $cache->peek($key), $keys),
        'many' => array_values($cache->getMultiple($keys)),
        'remember' => array_map(fn ($key) => $cache->remember($key, null, fn () => $value), $keys),
        'force' => array_map(fn ($key) => $cache->remember($key, null, fn () => $value, force: true), $keys),
    };
};

/* How many keys anybody reads otherwise than they should be: with both copies, and without copy 0. */
$wrong = function (array $keys, array $expected, Actor ...$readers) use ($servers): int {
    $wrong = [];
    foreach (['both', 'without copy 0'] as $state) {
        foreach ($readers as $reader) {
            $wrong += array_diff_assoc($reader->ask('get', $keys), $expected);
        }
        array_map(fn ($key) => $servers[0]->raw("delete $key"), $keys);
    }
    return count($wrong);
};

/* `$away`: what one process does while the server is frozen. `$back`: what another one does that noticed nothing. */
$scene = function (string $name, array $away, string $back) use ($process, $servers, $keys_of, $wrong) {
    [$one, $other] = [new Actor($process), new Actor($process)];
    $keys = $keys_of($name);
    $one->ask('set', $keys, 'old');
    $other->ask('get', $keys);
    $servers[0]->freeze();
    foreach ($away as $i => $do) {
        $one->ask('later');
        $one->ask($do, $keys, "$do $i");
        $other->ask('later');
    }
    $servers[0]->thaw();
    $answers = $other->ask($back, $keys, 'rebuilt');
    $one->ask('later'); // so that it asks the server again
    echo "$name: answered ", json_encode(array_count_values($answers)), ', ', json_encode($other->ask('stats')), ', wrong: ',
        $wrong($keys, $answers, $one, $other), ' of ', count($keys), "\n";
};
$scene('remember alone', ['remember', 'remember'], 'remember');
$scene('a set that answered false', ['set'], 'remember');
$scene('force', ['remember', 'remember'], 'force');

// Elected before the server freezes, and done when it is back: what it computed is discarded.
$one = new Actor($process);
$keys = $keys_of('elected before');
$cache = new Cache($make(), ttl: 10, grace: 1000, copies: 2);
$cache->setMultiple(array_fill_keys($keys, 'old'));
$one->ask('get', $keys);
Clock::advance(11);
$answers = $cache->rememberMany($keys, null, function (array $keys) use ($one, $servers) {
    $servers[0]->freeze();
    foreach (['first', 'second'] as $value) {
        $one->ask('later');
        $one->ask('remember', $keys, $value);
    }
    $servers[0]->thaw();
    return array_fill_keys($keys, 'too late');
});
$one->ask('later');
echo 'elected before: answered ', json_encode(array_count_values($answers)), ', discarded: ', $cache->stats()['discarded'], ', wrong: ',
    $wrong($keys, array_fill(0, KEYS, 'second'), $one, new Actor($process)), ' of ', KEYS, "\n";
?>
--EXPECT--
remember alone: answered {"remember 1":24}, {"stored":0,"discarded":0}, wrong: 0 of 24
a set that answered false: answered {"set 0":24}, {"stored":0,"discarded":0}, wrong: 0 of 24
force: answered {"rebuilt":24}, {"stored":24,"discarded":0}, wrong: 0 of 24
elected before: answered {"too late":24}, discarded: 24, wrong: 0 of 24
