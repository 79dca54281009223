--TEST--
bin/doctor --json prints all findings of Pool::diagnose(), --verbose adds notices
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../_support/doctor.inc';

$server = start_memcached();
$patient = ['mcpatterns.timeout' => 4, 'mcpatterns.connect_timeout' => 4, 'mcpatterns.servers' => $server->address];
[$text, , $status] = run_doctor(['--json'], $patient);
$report = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
echo $status, ' ', json_encode($report['well']), ' ', implode(' ', array_keys($report)), "\n";
echo implode(' ', array_keys($report['findings'][0])), "\n";
var_dump(array_keys($report['servers']) === [$server->name], in_array('small_memory', array_column($report['findings'], 'code'), true));

[$text, , $status] = run_doctor(['--json', '--ignore', 'small_memory'], $patient);
var_dump($status, in_array('small_memory', array_column(json_decode($text, true)['findings'], 'code'), true));

[$text, , $status] = run_doctor(['--json'], ['mcpatterns.serializer' => 'msgpack'] + $patient);
$report = json_decode($text, true);
echo $status, ' ', json_encode($report['well']), ' ', $report['findings'][0]['code'], ' ', str_contains($text, '"servers": {}') ? '{}' : $text, "\n";

[$text, , $status] = run_doctor(['-v'], $patient);
echo $status, "\n", preg_match('/^notice: .* \[small_memory\]$/m', $text), preg_match('/^host$/m', $text),
    preg_match('/^    item_size +1048576$/m', $text), preg_match('/^    cas +yes$/m', $text), preg_match_all('/^    time +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m', $text), "\n", strrchr($text, "\n"), "\n";

$server->freeze();
[$text, , $status] = run_doctor(['--verbose'], ['mcpatterns.timeout' => 0.3] + $patient);
echo $status, "\n", preg_match('/^error: .*did not reply within 300 ms \[timeout\]$/m', $text), preg_match('/^    answers +no$/m', $text), strrchr($text, "\n"), "\n";
?>
--EXPECT--
0 true well findings servers host
severity code subject finding advice
bool(true)
bool(true)
int(0)
bool(false)
1 false settings {}
0
11112

no errors or warnings
1
11
errors or warnings found
