--TEST--
16 concurrent requests lose no session change by lock or merge (E11, E12)
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/fpm.inc';
require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$fpm = start_fpm(['session.save_handler' => 'mcpatterns', 'session.save_path' => $server->address, 'session.gc_probability' => '0',
    'mcpatterns.transport' => 'direct', 'mcpatterns.timeout' => '10'], 8);
$fpm->script('change', <<<'PHP'
    ini_set('mcpatterns.session_locking', $_GET['locking']);
    session_start();
    $begun = hrtime(true);
    $_SESSION[$_GET['locking'] . $_GET['n']] = 1;
    $_GET['locking'] === 'lock' && $_SESSION['count'] = ($_SESSION['count'] ?? 0) + 1;
    usleep(1000);
    $ended = hrtime(true);
    echo json_encode([session_write_close(), $begun, $ended]);
    PHP);
$fpm->script('show', 'session_start(); echo json_encode($_SESSION);');

foreach (['lock', 'merge', 'none'] as $locking) {
    $cookie = "PHPSESSID=of-$locking";
    $requests = array_map(fn (int $n) => $fpm->send('change', "locking=$locking&n=$n", $cookie), range(1, 16));
    $answers = array_map(fn (FpmRequest $request) => json_decode($request->body(), true), $requests);
    $found = json_decode($fpm->ask('show', '', $cookie), true);
    $names = array_filter(array_keys($found), fn (string $name) => $name !== 'count');
    usort($answers, fn (array $a, array $b) => $a[1] <=> $b[1]);
    $overlaps = 0;
    for ($i = 1; $i < 16; $i++) {
        $overlaps += $answers[$i][1] < $answers[$i - 1][2];
    }
    echo "$locking: stored ", count(array_filter(array_column($answers, 0))), match ($locking) {
        'lock' => ', names ' . count($names) . ", count $found[count], overlaps $overlaps",
        'merge' => ', names ' . count($names),
        'none' => ', names ' . (count($names) >= 1 ? 'of those that were last' : 'none'),
    }, "\n";
}
echo $fpm->log();
?>
--EXPECT--
lock: stored 16, names 16, count 16, overlaps 0
merge: stored 16, names 16
none: stored 16, names of those that were last
