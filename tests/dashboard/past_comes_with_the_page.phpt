--TEST--
The dashboard's page contains one hour of history, its JSON on request
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

$dashboard = start_dashboard();
$dashboard->run('
    McPatterns\Clock::freeze(floor(time() / 60) * 60 - 600);
    McPatterns\Metrics::reset();
    $cache = new McPatterns\Cache(new McPatterns\Pool("memory://x"), prefix: "page.");
    for ($minute = 0; $minute < 5; $minute++) {
        McPatterns\Metrics::history();
        $cache->get("k");
        $cache->get("k");
        McPatterns\Clock::advance(60);
    }
');
$misses = fn (string $json): string => implode(' ', array_column(array_slice(json_decode($json, true, flags: JSON_THROW_ON_ERROR)['history'] ?? [], 0, 6), 'misses'));
preg_match('~id="look" nonce="[^"]+">(.*)</script>~', $dashboard->ask()['body'], $found);
echo 'the page: ', $misses($found[1]), "\n";
foreach (['?format=json', '?format=json&history=1', '?format=json&history=0', '?format=json&history[]=1'] as $query) {
    echo "$query: ", $misses($dashboard->ask($query)['body']), "\n";
}
?>
--EXPECT--
the page: 0 2 4 6 8 10
?format=json: 
?format=json&history=1: 0 2 4 6 8 10
?format=json&history=0: 
?format=json&history[]=1: 
