--TEST--
A callback's forked child neither stores its result nor releases the claim (C6)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$owner = getmypid();
$claim = fn () => get_envelope($server, 'k')['claim'][0] ?? null;
// Each kind: how the child leaves after it came back from the callback.
$leave = [
    'returns and goes on' => fn () => 'child value',
    'throws' => fn () => throw new DomainException('in the child'),
    'exits' => fn () => exit(0),
];
foreach (['hot', 'cold'] as $kind) {
    foreach ($leave as $name => $ending) {
        $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 1000);
        $cache->delete('k');
        if ($kind === 'hot') {
            $cache->set('k', 'old');
            $cache->expire('k');
        }
        try {
            $answer = $cache->remember('k', 100, function () use ($ending, $claim, $kind, $name) {
                $before = $claim();
                $pid = pcntl_fork();
                if ($pid === 0) {
                    return $ending();
                }
                pcntl_waitpid($pid, $status);
                echo "$kind, child $name: claim ", $before !== null && $claim() === $before ? 'untouched' : 'changed', ', ';
                return 'parent value';
            });
        } catch (DomainException) {
        }
        if (getmypid() !== $owner) {
            $cache->abandon('k');
            $cache = null; // the object that holds the claim dies in the child
            leave_without_shutdown();
        }
        echo $answer, ', ', (new Cache(new Pool($server->address, timeout: 10)))->peek('k'), ', ', $claim() === null ? 'no claim left' : 'claim left', "\n";
    }
}

echo "the same with many keys\n";
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 1000);
$cache->deleteMultiple(['k', 'k2']);
$answer = $cache->rememberMany(['k', 'k2'], 100, function ($keys) use ($claim) {
    $before = $claim();
    $pid = pcntl_fork();
    if ($pid > 0) {
        pcntl_waitpid($pid, $status);
        var_dump($before !== null && $claim() === $before);
    }
    return array_fill_keys($keys, $pid > 0 ? 'parent' : 'child');
});
if (getmypid() !== $owner) {
    $cache = null;
    leave_without_shutdown();
}
echo json_encode([$answer, $cache->getMultiple(['k', 'k2'])]), "\n";
?>
--EXPECT--
hot, child returns and goes on: claim untouched, parent value, parent value, no claim left
hot, child throws: claim untouched, parent value, parent value, no claim left
hot, child exits: claim untouched, parent value, parent value, no claim left
cold, child returns and goes on: claim untouched, parent value, parent value, no claim left
cold, child throws: claim untouched, parent value, parent value, no claim left
cold, child exits: claim untouched, parent value, parent value, no claim left
the same with many keys
bool(true)
[{"k":"parent","k2":"parent"},{"k":"parent","k2":"parent"}]
