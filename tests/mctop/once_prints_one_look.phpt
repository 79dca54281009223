--TEST--
mctop --once prints the same escaped counts from memory and URL
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_extensions('session');
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/dashboard.inc';
require __DIR__ . '/../_support/mctop.inc';

$dashboard = start_dashboard();
$dashboard->run('
    $pool = new McPatterns\Pool("memory://x");
    $cache = new McPatterns\Cache($pool, prefix: "page.");
    for ($i = 0; $i < 20; $i++) {
        $cache->remember("front", 60, function () { usleep(20000); return 1; });
    }
    (new McPatterns\Cache($pool, prefix: "\e[31mred\e]0;x\x07"))->get("a");
    (new McPatterns\Lock($pool, "import"))->acquire();
    $sessions = new McPatterns\Pool("memory://y", prefix: "shop.");
    [$one, $two] = [new McPatterns\SessionHandler($sessions, McPatterns\Locking::Merge, format: "php"), new McPatterns\SessionHandler($sessions, McPatterns\Locking::Merge, format: "php")];
    $one->read("x") . $two->read("x");
    $one->write("x", "a|i:1;");
    $two->write("x", "a|i:2;");
');
/** What does not depend on how fast this machine is. */
function steady(string $text): string
{
    preg_match('/^mctop  \S+, \d+ processes, counting for /', $text) || print("no head: $text");
    preg_match_all('/^(reads|at once|trouble) .*?(?= at once|$)|^[MLWH]+$|^(page\.|front|import|shop\.|\\\\).*/m', $text, $found);
    return preg_replace(['/^shop\. +[\d.]+/m', '/[\d.,]+ (ms|µs|s)\b/', '/(?<=^reads    )\S+ per second/m', '/^(.*?) +[\d.]+((?: +\d+\.\d %){2}) +[\d.]+/m', '/  +/'], ['shop. #', '# s', '# per second', '$1 #$2 #', ' '], implode("\n", $found[0])) . "\n";
}

[$here, $status] = run_mctop(['--once'], ['mcpatterns.shared_memory_path' => $dashboard->memory]);
echo steady($here), "status $status\n";
[$there] = run_mctop(['--once', $dashboard->url]);
echo "by URL\n", steady($there);
var_dump(preg_match('/[\x00-\x09\x0b-\x1f\x7f]/', $here . $there));
[$alone] = run_mctop(['--once'], ['mcpatterns.shared_memory_path' => "$dashboard->memory.alone"]);
unlink("$dashboard->memory.alone");
echo preg_replace('/^mctop  \S+, /', '', strtok($alone, ':')), "\n";
?>
--EXPECT--
reads # per second on average: 90.4 %
at once 90.4 % fresh, 0.0 % near, 0.0 % stale
trouble sessions: conflicts 1
MLWHHHHHHHHHHHHHHHHHHHM
page. # 95.0 % 0.0 % # # s # s # s
\x1b[31mred\x1b]0;x\x07 # 0.0 % 0.0 % # # s # s # s
front 1 # s # s
import 1 0 0
shop. # 0 # s 0 1 0
status 0
by URL
reads # per second on average: 90.4 %
at once 90.4 % fresh, 0.0 % near, 0.0 % stale
trouble sessions: conflicts 1
MLWHHHHHHHHHHHHHHHHHHHM
page. # 95.0 % 0.0 % # # s # s # s
\u001b[31mred\u001b]0;x\u0007 # 0.0 % 0.0 % # # s # s # s
front 1 # s # s
import 1 0 0
shop. # 0 # s 0 1 0
int(0)
NO OTHER PROCESS SHARES THIS MEMORY
