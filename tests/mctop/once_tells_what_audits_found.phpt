--TEST--
mctop shows the consistency that Audits measured, or nothing without Audits
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/dashboard.inc';
require __DIR__ . '/../_support/mctop.inc';

$server = start_memcached();
$dashboard = start_dashboard();
$look = function () use ($dashboard): string {
    [$text] = run_mctop(['--once'], ['mcpatterns.shared_memory_path' => $dashboard->memory]);
    preg_match_all('/^(audits|trouble) .*/m', $text, $found);
    return implode("\n", $found[0]) . "\n";
};
$run = fn (string $code): string => $dashboard->run('
    use McPatterns\{Audit, Cache, Clock, Pool};
    Clock::freeze(1_700_000_000);
    $cache = new Cache(new Pool(' . var_export($server->address, true) . '), prefix: "p.");
    $other = new Cache(new Pool(' . var_export($server->address, true) . '), prefix: "q.");
    $audits = [new Audit($cache, rate: 1), new Audit($other, rate: 1)];
    $read = function (Cache $cache, string $value) { $cache->remember("k", 3600, fn () => $value); Pool::endRequest(); };' . $code);
echo $run('$read($cache, "first");'), $look();
echo $run('for ($i = 0; $i < 3; $i++) { $read($cache, "first"); }'), $look();
echo $run('$read($other, "first"); Clock::advance(12); $read($other, "second"); $read($cache, "first");'), $look();
?>
--EXPECT--
trouble  none
audits   consistency 100 % of 3 checked
trouble  none
audits   consistency 80.000 % of 5 checked, oldest difference 12.0 s, 1 not invalidated since
trouble  audit different 1
