--TEST--
A guarded Cache keeps no row from before a delete despite failures (V1, V2)
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\Transport;

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/guarded_rows.inc';

$seconds = (float) (getenv('GUARDED_SECONDS') ?: (at_full_size() ? 60 : 0.8));
foreach (['libmemcached' => Transport::Libmemcached, 'direct' => Transport::Direct] as $name => $transport) {
    // As often as it takes a busy machine to have stored and judged some.
    for ($sums = ['old' => 0, 'looked' => 0, 'stored' => 0], $try = 0; $try < 20 && ($sums['looked'] === 0 || $sums['stored'] <= 10); $try++) {
        $told = play_guarded_rows('guarded', $transport, $seconds, at_full_size() ? 2 : 0.3);
        report_figures("guarded, $name: " . json_encode($told));
        foreach ($sums as $what => $sum) {
            $sums[$what] = $sum + $told[$what];
        }
    }
    echo "$name: $sums[old] old ones", $sums['looked'] > 0 ? '' : ', none judged', $sums['stored'] > 10 ? '' : ', none stored', "\n";
}
// One such scene may do no harm; some of many do.
for ($old = 0, $try = 0; $old === 0 && $try < 20; $try++) {
    foreach (extension_loaded('memcached') ? ['unguarded', 'php-memcached'] : ['unguarded'] as $kind) {
        $told = play_guarded_rows($kind, Transport::Libmemcached, $seconds, at_full_size() ? 2 : 0.3);
        report_figures("$kind: " . json_encode($told));
        $old += $told['old'];
    }
}
echo 'without the guard: ', $old > 0 ? 'some' : 'none', "\n";
?>
--EXPECT--
libmemcached: 0 old ones
direct: 0 old ones
without the guard: some
