--TEST--
prometheus.php requires its token, and dashboards and alerts use existing metrics
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

$examples = __DIR__ . '/../../examples';
$page = start_dashboard(['DASHBOARD' => "$examples/prometheus.php", 'MCPATTERNS_PROMETHEUS_TOKEN' => 'open sesame']);
$page->run('
    $pool = new McPatterns\Pool("memory://x");
    (new McPatterns\Cache($pool, prefix: "page."))->remember("a", 60, fn () => 1);
    (new McPatterns\Lock($pool, "import"))->acquire();
');
foreach (['none' => [], 'wrong' => ['Authorization: Bearer open'], 'another scheme' => ['Authorization: Basic open sesame']] as $case => $headers) {
    ['status' => $status, 'body' => $body] = $page->ask('', [], $headers);
    echo "$case: $status ", json_encode($body), "\n";
}
$answer = $page->ask('', [], ['Authorization: Bearer open sesame']);
echo $answer['status'], ' ', preg_match('/^Content-Type: .*$/mi', $answer['headers'], $found) ? $found[0] : '', "\n";
echo implode("\n", preg_grep('/cache_stored_total\{|acquisitions_total\{/', explode("\n", $answer['body']))), "\n";

preg_match_all('/^# TYPE (\S+) (\S+)/m', $answer['body'], $found);
$known = $found[1];
foreach (array_combine($found[1], $found[2]) as $name => $type) {
    $type !== 'histogram' || array_push($known, "{$name}_bucket", "{$name}_sum", "{$name}_count");
}
foreach (['grafana.json', 'alerts.yml'] as $file) {
    $text = file_get_contents("$examples/$file");
    preg_match_all('/mcpatterns_[a-z_]+/', $text, $asked);
    echo $file, ' asks for ', count(array_unique($asked[0])) > 8 ? 'many' : 'few', ', unknown: ', json_encode(array_values(array_diff(array_unique($asked[0]), $known))), "\n";
}
echo json_decode(file_get_contents("$examples/grafana.json"), true)['title'], "\n";

$unarmed = start_dashboard(['DASHBOARD' => "$examples/prometheus.php"]);
echo 'no token set: ', $unarmed->ask('', [], ['Authorization: Bearer '])['status'], ' ', $unarmed->ask()['status'], "\n";
?>
--EXPECT--
none: 403 ""
wrong: 403 ""
another scheme: 403 ""
200 Content-Type: text/plain; version=0.0.4; charset=utf-8
mcpatterns_cache_stored_total{group="page."} 1
mcpatterns_lock_acquisitions_total{lock="import"} 1
grafana.json asks for many, unknown: []
alerts.yml asks for many, unknown: []
mcpatterns
no token set: 403 403
