--TEST--
mctop shows near hits separately, and only relevant event codes and errors
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
echo $dashboard->run('
    $pool = new McPatterns\Pool(' . var_export($server->address, true) . ');
    (new McPatterns\Cache($pool, prefix: "near.", near: 60))->set("a", 1, 3600);
    // Each has a memo of its own: the first read is from memcached, the others are from what the host shares.
    for ($i = 0; $i < 4; $i++) {
        (new McPatterns\Cache($pool, prefix: "near.", near: 60))->get("a");
    }
    (new McPatterns\Cache(new McPatterns\Pool("unix:///nowhere"), prefix: "down."))->get("a");
');
[$text] = run_mctop(['--once'], ['mcpatterns.shared_memory_path' => $dashboard->memory]);
preg_match_all('/^(at once|trouble) .*|^W.*\n.*|^(near|down)\. .*/m', $text, $found);
echo preg_replace(['/(?<=\. ) +[\d.]+ /', '/ +[\d.]+ +0 s.*/'], [' # ', ''], implode("\n", $found[0])), "\n";
echo 'at most ', max(array_map(fn (string $line): int => preg_match_all('/./su', $line), explode("
", $text))) <= 110 ? '110' : 'more', " columns
";
?>
--EXPECT--
at once  20.0 % fresh, 60.0 % near, 0.0 % stale
trouble  errors 1
WHhhhX
H fresh  h near  W written  X server failed
near.  #  100.0 %  75.0 %
down.  #    0.0 %   0.0 %
at most 110 columns
