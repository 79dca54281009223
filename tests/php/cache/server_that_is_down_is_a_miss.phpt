--TEST--
Reads miss, writes return false and remember() computes without a server (C13)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, ServerException};

require __DIR__ . '/../../_support/memcached.inc';

$ways = [
    'get' => fn ($cache) => $cache->get('k', 'default'),
    'peek' => fn ($cache) => $cache->peek('k', 'default'),
    'has' => fn ($cache) => $cache->has('k'),
    'entry' => fn ($cache) => $cache->entry('k')->status->name,
    'lookup' => fn ($cache) => $cache->lookup('k')->status->name,
    'getMultiple' => fn ($cache) => $cache->getMultiple(['k', 'l'], 'default'),
    'set' => fn ($cache) => $cache->set('k', 1),
    'add' => fn ($cache) => $cache->add('k', 1),
    'replace' => fn ($cache) => $cache->replace('k', 1),
    'setMultiple' => fn ($cache) => $cache->setMultiple(['k' => 1, 'l' => 2]),
    'delete' => fn ($cache) => $cache->delete('k'),
    'deleteMultiple' => fn ($cache) => $cache->deleteMultiple(['k', 'l']),
    'expire' => fn ($cache) => $cache->expire('k'),
    'touch' => fn ($cache) => $cache->touch('k'),
    'pull' => fn ($cache) => $cache->pull('k', 'default'),
    'increment' => fn ($cache) => $cache->increment('k'),
    'publish' => fn ($cache) => $cache->publish('k', 1),
    'remember' => fn ($cache) => $cache->remember('k', 60, fn () => 'computed'),
    'update' => function ($cache) {
        try {
            return $cache->update('k', fn ($old) => 1);
        } catch (ServerException $exception) {
            return 'ServerException';
        }
    },
];
$expected = [
    'default', 'default', false, 'Miss', 'Miss', ['k' => 'default', 'l' => 'default'], false, false, false, false, false, false, false, false,
    'default', false, false, 'computed', 'ServerException',
];
$check = function (string $state, string $address, bool $is_answered_at_once) use ($ways, $expected) {
    $wrong = 0;
    $errors = 0;
    foreach (array_keys($ways) as $i => $name) {
        // The first call pays the timeout, the others nothing, until retryAfter is over.
        $cache = new Cache(new Pool($address, timeout: 0.2, connectTimeout: 0.2, retryAfter: 60));
        $is_answered_at_once || $cache->get('before');
        $before = $cache->stats()['errors'];
        $start = hrtime(true);
        $answer = $ways[$name]($cache);
        $took = (hrtime(true) - $start) / 1e6;
        $errors += $cache->stats()['errors'] > $before;
        if ($answer !== $expected[$i] || $took > 190) {
            $wrong++;
            echo "$state $name: ", json_encode($answer), " after $took ms\n";
        }
    }
    // publish without a claim asks nobody.
    echo "$state: $wrong wrong, errors counted by ", $errors, " of ", count($ways), "\n";
};

$check('nobody there', 'unix:///nowhere/at/all', true);
$server = start_memcached();
(new Cache(new Pool($server->address)))->set('k', 'value');
$server->kill();
$check('killed', $server->address, false);
$server = start_memcached();
(new Cache(new Pool($server->address)))->set('k', 'value');
$server->freeze();
$check('frozen', $server->address, false);

echo "a frozen server that holds an old value: bounded, then at once, then back\n";
$server = start_memcached();
$pool = new Pool($server->address, timeout: 0.3, connectTimeout: 0.3, retryAfter: 0.5);
$cache = new Cache($pool);
$cache->set('k', 'value');
$server->freeze();
$time = function () use ($cache) {
    $start = hrtime(true);
    $answer = $cache->get('k', 'miss');
    return [$answer, (hrtime(true) - $start) / 1e9];
};
[$answer, $first] = $time();
echo $answer, $first >= 0.29 && $first < 3 ? ' within the timeout' : " after $first s", "\n";
[$answer, $second] = $time();
echo $answer, $second < $first / 2 ? ' at once' : " after $second s", "\n";
$server->thaw();
$deadline = microtime(true) + 5;
while (($answer = $cache->get('k', 'miss')) === 'miss' && microtime(true) < $deadline) {
    usleep(10_000);
}
echo $answer, "\n";
?>
--EXPECT--
nobody there: 0 wrong, errors counted by 18 of 19
killed: 0 wrong, errors counted by 18 of 19
frozen: 0 wrong, errors counted by 18 of 19
a frozen server that holds an old value: bounded, then at once, then back
miss within the timeout
miss at once
value
