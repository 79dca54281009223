--TEST--
Metrics::prometheus() contains each number of Metrics::read(), correctly formatted
--EXTENSIONS--
mcpatterns
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';
use McPatterns\{Cache, Lock, Metrics, Pool};

/** @return array{types: array<string, string>, samples: array<string, float>} "name{labels}" => value */
function parse(string $page): array
{
    $types = $samples = [];
    $helped = [];
    foreach (explode("\n", rtrim($page, "\n")) as $line) {
        if (preg_match('/^# HELP (\w+) \S.*\.$/', $line, $found)) {
            $helped[$found[1]] = ($helped[$found[1]] ?? 0) + 1;
        } elseif (preg_match('/^# TYPE (\w+) (counter|gauge|histogram)$/', $line, $found)) {
            $current = $found[1];
            $types[$current] = $found[2];
        } elseif (preg_match('/^((\w+?)(_bucket|_sum|_count)?(\{\w+="(?:[^"\\\\\n]|\\\\["\\\\n])*"(?:,le="[^"]+")?\})?) (\S+)$/D', $line, $found)) {
            $name = $types[$current] === 'histogram' ? $found[2] : $found[2] . $found[3];
            if ($name !== $current || isset($samples[$found[1]])) {
                echo "misplaced: $line\n";
            }
            $samples[$found[1]] = (float) $found[5];
        } else {
            echo "not of the format: $line\n";
        }
    }
    var_dump(array_keys($helped) === array_keys($types), array_unique(array_values($helped)) === [1]);
    return [$types, $samples];
}

$server = start_memcached();
$pool = new Pool($server->address);
$odd = "a\"b\\c\nd";
foreach (['page:', $odd] as $prefix) {
    $cache = new Cache($pool, $prefix);
    for ($i = 0; $i < 7; $i++) {
        $cache->remember('k' . $i % 3, 10, function () {
            usleep(1500);
            return 1;
        });
    }
}
(new Lock($pool, 'import'))->acquire();
setlocale(LC_ALL, 'de_DE.UTF-8', 'de_DE', 'C');
$read = Metrics::read();
[$types, $samples] = parse(Metrics::prometheus());
foreach ($types as $name => $type) {
    if (($type === 'counter') !== str_ends_with($name, '_total')) {
        echo "$name is a $type\n";
    }
}
$label = fn (string $value) => str_replace(['\\', '"', "\n"], ['\\\\', '\\"', '\\n'], $value);
$different = 0;
// Bounds as one form of the same number.
$by_bound = [];
foreach ($samples as $sample => $value) {
    $by_bound[preg_replace_callback('/le="([\d.e-]+)"/', fn ($found) => 'le="' . rtrim(sprintf('%.9f', $found[1]), '0') . '"', $sample)] = $value;
}
$samples = $by_bound;
$compare = function (string $sample, int|float $number) use ($samples, &$different) {
    if (!isset($samples[$sample]) || abs($samples[$sample] - $number) > 1e-9) {
        $different++;
        echo "$sample: ", $samples[$sample] ?? 'none', ", not $number\n";
    }
};
foreach ($read['groups'] as $group) {
    $of = 'group="' . $label($group['group']) . '"';
    foreach (['hits', 'near_hits', 'stale', 'misses', 'elections', 'takeovers', 'waits', 'wait_seconds', 'early', 'after_response', 'stored', 'discarded', 'changed', 'unstorable', 'unreadable', 'forged', 'gave_up', 'uncached', 'errors', 'saved_seconds'] as $counter) {
        $compare("mcpatterns_cache_{$counter}_total{{$of}}", $group[$counter]);
    }
}
$server_of = 'server="' . $read['servers'][0]['server'] . '"';
foreach (['calls', 'timeouts', 'failures', 'breaker_openings', 'when_down'] as $counter) {
    $compare("mcpatterns_server_{$counter}_total{{$server_of}}", $read['servers'][0][$counter]);
}
$compare("mcpatterns_server_breaker_open{{$server_of}}", 0);
$compare('mcpatterns_lock_acquisitions_total{lock="import"}', 1);
$compare('mcpatterns_processes', $read['processes']);
$compare_histogram = function (string $name, string $of, array $bounds, array $counts, float $sum) use (&$compare) {
    $total = 0;
    foreach ($counts as $place => $count) {
        $total += $count;
        $le = isset($bounds[$place]) ? rtrim(sprintf('%.9f', $bounds[$place]), '0') : '+Inf';
        $compare("{$name}_bucket{{$of},le=\"$le\"}", $total);
    }
    $compare("{$name}_sum{{$of}}", $sum);
    $compare("{$name}_count{{$of}}", $total);
};
foreach ($read['groups'] as $group) {
    $compare_histogram('mcpatterns_cache_compute_seconds', 'group="' . $label($group['group']) . '"', $read['bounds']['compute_times'], $group['compute_times'], $group['compute_seconds']);
}
$compare_histogram('mcpatterns_server_round_trip_seconds', $server_of, $read['bounds']['round_trips'], $read['servers'][0]['round_trips'], $read['servers'][0]['seconds']);
var_dump(count($read['groups']), $different, str_ends_with(Metrics::prometheus(), "\n"));
?>
--EXPECT--
bool(true)
bool(true)
int(2)
int(0)
bool(true)
