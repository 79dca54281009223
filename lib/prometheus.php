<?php
// Writes the metrics in Prometheus's text format (prometheus.io, "Exposition formats"). Counters end with _total, times are in
// seconds, buckets are cumulative. All samples of a metric are adjacent. Returns pieces for php_mcp_library_join().
/* SPDX-License-Identifier: MIT */
declare(strict_types=1);

return static function (array $read, array $counts): array {
    $page = [];
    $metric = static function (string $name, string $type, string $help) use (&$page): void {
        $page[] = "# HELP $name $help\n# TYPE $name $type\n";
    };
    $sample = static function (string $name, array $thing, int|float $value, array $bucket = []) use (&$page): void {
        $page[] = "$name{{$thing['by']}=\"";
        $page[] = $thing['label'];
        if ($bucket !== []) {
            $page[] = '",le="';
            $page[] = $bucket[0];
        }
        $page[] = '"} ';
        $page[] = $value;
        $page[] = "\n";
    };
    $histogram = static function (string $name, string $help, array $things, string $buckets, string $sum) use ($read, $metric, $sample): void {
        $metric($name, 'histogram', $help);
        foreach ($things as $thing) {
            $total = 0;
            foreach ($thing['read'][$buckets] as $place => $count) {
                $total += $count;
                $sample("{$name}_bucket", $thing, $total, [$read['bounds'][$buckets][$place] ?? '+Inf']);
            }
            $sample("{$name}_sum", $thing, $thing['read'][$sum]);
            $sample("{$name}_count", $thing, $total);
        }
    };
    $things_of = static function (array $list, string $by): array {
        $things = [];
        foreach ($list as $one) {
            $things[] = ['by' => $by, 'label' => ['label', $one[$by]], 'read' => $one];
        }
        return $things;
    };
    $write_counts = static function (string $of, array $things) use ($counts, $metric, $sample): void {
        foreach ($counts as ['of' => $counted, 'name' => $key, 'kind' => $kind, 'help' => $help]) {
            if ($counted !== $of || $kind === 'timed') { // shown by the histogram
                continue;
            }
            $name = $kind === 'peak' ? "mcpatterns_{$of}_$key" : "mcpatterns_{$of}_{$key}_total";
            $metric($name, $kind === 'peak' ? 'gauge' : 'counter', $help);
            foreach ($things as $thing) {
                $sample($name, $thing, $thing['read'][$key]);
            }
        }
    };

    $metric('mcpatterns_counting_since_seconds', 'gauge', 'Unix time at which counting began.');
    $page[] = 'mcpatterns_counting_since_seconds ';
    $page[] = $read['since'];
    $page[] = "\n";
    $metric('mcpatterns_processes', 'gauge', 'Live processes that count.');
    $page[] = "mcpatterns_processes {$read['processes']}\n";
    foreach ($counts as ['of' => $of, 'name' => $key, 'help' => $help]) {
        if ($of === 'host') {
            $metric("mcpatterns_{$key}_total", 'counter', $help);
            $page[] = "mcpatterns_{$key}_total {$read[$key]}\n";
        }
    }

    $caches = $things_of($read['groups'], 'group');
    $write_counts('cache', $caches);
    $histogram('mcpatterns_cache_compute_seconds', 'Time to compute a value.', $caches, 'compute_times', 'compute_seconds');

    $servers = $things_of($read['servers'], 'server');
    $write_counts('server', $servers);
    $metric('mcpatterns_server_breaker_open', 'gauge', '1 if any process has an open circuit breaker for the server, otherwise 0.');
    foreach ($servers as $server) {
        $sample('mcpatterns_server_breaker_open', $server, (int) $server['read']['is_open']);
    }
    $histogram('mcpatterns_server_round_trip_seconds', 'Time until the reply to a request. 1 in 64 requests is sampled.', $servers, 'round_trips', 'seconds');

    $write_counts('lock', $things_of($read['locks'], 'lock'));
    $write_counts('session', $things_of($read['sessions'], 'prefix'));
    return $page;
};
