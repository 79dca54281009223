--TEST--
Each count of Metrics::legend() appears in each output, and no others
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
if (!is_file(__DIR__ . '/../../../docs/spec/metrics.md')) {
    die('skip needs the source');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';

use McPatterns\{Cache, Clock, Lock, Metrics, Pool, SessionHandler};

/** What read() has beside counts: names, states and histograms. */
const NO_COUNTS = ['group', 'is_other', 'compute_times', 'server', 'is_open', 'open_since', 'last_error', 'last_used', 'seconds', 'round_trips', 'lock',
    'enabled', 'shared', 'since', 'now', 'processes', 'bounds', 'groups', 'servers', 'locks', 'rebuilds', 'at', 'prefix', 'sessions'];

$server = start_memcached();
$pool = new Pool($server->address);
(new Cache($pool, 'page:'))->remember('key', 10, fn () => 'value');
(new Lock($pool, 'import'))->acquire();
(new SessionHandler($pool))->read('one');
$read = Metrics::read();
$things = ['cache' => $read['groups'][0], 'server' => $read['servers'][0], 'lock' => $read['locks'][0], 'session' => $read['sessions'][0], 'host' => $read];
$prometheus = Metrics::prometheus();
$page = file_get_contents(__DIR__ . '/../../../docs/spec/metrics.md');
// A sample is taken once in two seconds.
Clock::freeze();
Clock::advance(3);
$sample = Metrics::history()[0];
['counts' => $counts, 'letters' => $letters] = Metrics::legend();

$told = array_fill_keys(array_keys($things), []);
$units = [];
foreach ($counts as ['of' => $of, 'name' => $name, 'kind' => $kind, 'unit' => $unit, 'help' => $help]) {
    $told[$of][] = $name;
    $is_time = $unit === 's';
    $metric = 'mcpatterns_' . ($of === 'host' ? '' : "{$of}_") . $name . ($kind === 'peak' ? '' : '_total');
    $type = $kind === 'peak' ? 'gauge' : 'counter';
    $wrong = array_keys(array_filter([
        'not in read()' => !isset($things[$of][$name]) || $is_time !== is_float($things[$of][$name]),
        'not in history()' => $of !== 'host' && !isset(($of === 'session' ? $sample['sessions'] : $sample)[$name]),
        'not in prometheus()' => ($kind === 'timed') === str_contains($prometheus, "# HELP $metric $help\n# TYPE $metric $type\n$metric"),
        'not in the page with its unit' => !str_contains($page, "| `$name` | $unit |"),
        'a time by its name, or by its unit' => $is_time !== str_ends_with($name, '_seconds'),
        'not explained' => !preg_match('/^[A-Z].*\.$/', $help),
    ]));
    echo $wrong === [] ? '' : "$of $name is " . implode(', ', $wrong) . "\n";
}
foreach ($things as $of => $thing) {
    echo "$of: ", count($told[$of]), ', beside them ', json_encode(array_values(array_diff(array_keys($thing), NO_COUNTS, $told[$of]))), "\n";
}
echo 'samples: beside them ', json_encode(array_values(array_diff(array_keys($sample), NO_COUNTS, ...array_values($told)))), "\n";
foreach ($letters as ['letter' => $letter, 'word' => $word, 'help' => $help]) {
    echo str_contains($page, "| `$letter` |") && $word !== '' && $help !== '' ? $letter : "no $letter in the page";
}
echo "\n", implode(array_unique(array_column($letters, 'letter'))) === implode(array_column($letters, 'letter')) ? 'each once' : 'one twice', "\n";
var_dump(array_diff(array_column(Metrics::trace(), 'letter'), array_column($letters, 'letter')) === []);
?>
--EXPECT--
cache: 29, beside them []
server: 5, beside them []
lock: 3, beside them []
session: 11, beside them []
host: 1, beside them []
samples: beside them []
HhSMTELBwWRUXCD
each once
bool(true)
