--TEST--
A failing cold key is retried by 1 caller after growing pauses (C6)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$processes = 6;
$tries = run_workers($processes, function () use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 10), lease: 60);
    $tries = [];
    try {
        $cache->remember('k', 100, function () use (&$tries) {
            $begun = hrtime(true);
            usleep(20_000);
            $tries[] = [$begun, hrtime(true)];
            throw new DomainException('no database');
        }, wait: 60);
    } catch (DomainException) {
    }
    return $tries;
}, 60);
echo implode(' ', array_map('count', $tries)), " tries\n";
$tries = array_merge(...$tries);
sort($tries);
$pauses = [];
for ($i = 1; $i < count($tries); $i++) {
    $pauses[] = ($tries[$i][0] - $tries[$i - 1][1]) / 1e6;
}
// 100 ms doubling, spread by half; that a caller comes later than it might is no fault.
foreach ($pauses as $i => $pause) {
    echo $pause >= 49 * 2 ** $i ? 'held off' : "only $pause ms", "\n";
}
echo get_envelope($server, 'k')['failure'][0], " failures in a row, and ";
echo (new Cache(new Pool($server->address, timeout: 10)))->remember('k', 100, fn () => 'at last it works', wait: 60), ', ';
echo json_encode(get_envelope($server, 'k')['failure']), "\n";
?>
--EXPECT--
1 1 1 1 1 1 tries
held off
held off
held off
held off
held off
6 failures in a row, and at last it works, null
