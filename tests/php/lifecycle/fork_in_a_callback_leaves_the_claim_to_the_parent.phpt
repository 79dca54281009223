--TEST--
A forked child of a callback neither stores nor releases its claim
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool, ttl: 100, lease: 300);
$wait = function (int $pid) {
    pcntl_waitpid($pid, $status);
    return pcntl_wexitstatus($status);
};

foreach (['hot', 'cold'] as $key) {
    if ($key === 'hot') {
        $cache->set($key, 'old');
        $cache->expire($key);
    }
    $main = getmypid();
    $answer = $cache->remember($key, 100, function () use ($wait, $server, $key, $main) {
        $pid = pcntl_fork();
        if ($pid === 0) {
            return 'by the child';
        }
        $wait($pid);
        $envelope = get_envelope($server, $key);
        echo "$key: the claim is ", $envelope['claim'] ? 'still there' : 'gone', ', ', $envelope['payload'] === '' ? 'no value' : $envelope['payload'], "\n";
        return 'by the parent';
    });
    if (getmypid() !== $main) {
        exit($answer === 'by the child' ? 0 : 1);
    }
    echo "$answer, stored: ", $cache->get($key), "\n";
}

echo "a claim held by get()\n";
$cache->set('k', 'old');
$cache->expire('k');
$cache->get('k');
foreach ([
    'ends' => fn () => 0,
    'drops the object' => function () { global $cache; $cache = null; return 0; },
    'abandons' => fn () => (int) $cache->abandon('k'),
    'publishes' => fn () => (int) $cache->publish('k', 'by the child'),
] as $name => $act) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        exit($act());
    }
    echo "the child $name: ", $wait($pid), ', the claim is ', get_envelope($server, 'k')['claim'] ? 'still there' : 'gone', "\n";
}
var_dump($cache->publish('k', 'by the parent'), $cache->get('k'));

echo "the child may set, and be elected itself\n";
$cache->expire('k');
$pid = pcntl_fork();
if ($pid === 0) {
    $is_elected = $cache->lookup('k')->status->name === 'Elected';
    exit($is_elected && $cache->publish('k', 'by the child') ? 0 : 1);
}
echo $wait($pid), ' ', $cache->get('k'), "\n";
?>
--EXPECT--
hot: the claim is still there, old
by the parent, stored: by the parent
cold: the claim is still there, no value
by the parent, stored: by the parent
a claim held by get()
the child ends: 0, the claim is still there
the child drops the object: 0, the claim is still there
the child abandons: 0, the claim is still there
the child publishes: 0, the claim is still there
bool(true)
string(13) "by the parent"
the child may set, and be elected itself
0 by the child
