--TEST--
mctop omits servers that were not used for 5 minutes
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

foreach ([240, 310] as $ago) {
    $dashboard = start_dashboard();
    // By mistake, once; and what was used since is there. Looking at the figures sees what is in use.
    $dashboard->run("
        \$get = fn (string \$address) => (new McPatterns\\Cache(new McPatterns\\Pool(\$address, retryAfter: 1)))->get('k');
        McPatterns\\Clock::freeze(time() - $ago);
        \$get('unix:///mistaken');
        \$get('unix:///used');
        McPatterns\\Clock::advance(2);
        McPatterns\\Metrics::read();
        McPatterns\\Clock::advance(100);
        \$get('unix:///used');
        McPatterns\\Metrics::read();
    ");
    foreach (['here' => run_mctop(['--once'], ['mcpatterns.shared_memory_path' => $dashboard->memory]), 'there' => run_mctop(['--once', $dashboard->url])] as $where => [$text]) {
        preg_match_all('/^\S*(used|mistaken) /m', $text, $found);
        sort($found[1]);
        echo "$ago s ago, $where: ", implode(' ', $found[1]), "\n";
    }
}
?>
--EXPECT--
240 s ago, here: mistaken used
240 s ago, there: mistaken used
310 s ago, here: used
310 s ago, there: used
