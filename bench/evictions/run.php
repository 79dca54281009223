<?php
/* Plays each trace against each policy, and prints the shares of requests that find nothing. SPDX-License-Identifier: MIT */
declare(strict_types=1);

require __DIR__ . '/policies.php';
require __DIR__ . '/traces.php';

const SEED = 1;

/** @param list<int> $asked */
function missRatio(array $asked, Policy $policy): float
{
    $missed = 0;
    foreach ($asked as $key) {
        $missed += $policy->ask($key) ? 0 : 1;
    }
    return $missed / count($asked);
}

[$requests, $keys] = [(int) $argv[1], (int) $argv[2]];
$policies = [
    'FIFO' => fn(int $size) => new Fifo($size),
    'LRU' => fn(int $size) => new Lru($size),
    'CLOCK' => fn(int $size) => new Clock($size),
    'CLOCK that admits' => fn(int $size) => new AdmittingClock($size),
    'SIEVE' => fn(int $size) => new Sieve($size),
    'SIEVE, twice' => fn(int $size) => new Twice($size, new Sieve($size)),
];
echo '| requests, and room for this share of the keys | ', implode(' | ', array_keys($policies)), " |\n";
echo '| --- |', str_repeat(' ---: |', count($policies)), "\n";
foreach (['popular', 'crawled', 'shifting', 'looping'] as $name) {
    mt_srand(SEED);
    $asked = $name($requests, $keys);
    foreach ([0.01, 0.1] as $share) {
        $size = max(1, (int) ($keys * $share));
        $ratios = array_map(fn(Closure $make) => sprintf('%.3f', missRatio($asked, $make($size))), $policies);
        echo "| $name, ", $share * 100, ' % | ', implode(' | ', $ratios), " |\n";
    }
}
