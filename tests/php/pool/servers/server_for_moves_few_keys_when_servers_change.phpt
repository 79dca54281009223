--TEST--
Adding a server to 10 moves about 1/11 of keys with Ketama
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Distribution, Pool};

$keys = array_map(fn (int $i) => "key-$i", range(1, 20_000));
$place = function (array $servers, Distribution $distribution) use ($keys): array {
    $pool = new Pool($servers, distribution: $distribution);
    return array_map($pool->serverFor(...), $keys);
};
$ten = array_map(fn (int $i) => "10.0.0.$i", range(1, 10));
foreach (Distribution::cases() as $distribution) {
    $before = $place($ten, $distribution);
    $after = $place([...$ten, '10.0.0.11'], $distribution);
    $moved = array_diff_assoc($after, $before);
    $share = count($moved) / count($keys);
    $expected = $distribution === Distribution::Ketama ? 1 / 11 : 10 / 11;
    echo $distribution->name, ': ', abs($share - $expected) < 0.015 ? 'as expected' : "$share moved", ', ';
    echo count(array_unique($moved)) === 1 ? "all to the new one\n" : "anywhere\n";
    // The way back: what was on the others stays there.
    echo '  order of servers ', $place(array_reverse($ten), $distribution) === $before ? 'does not matter' : 'matters', "\n";

    $weights = ['a:1:1', 'b:1:1', 'c:1:2', 'd:1:4'];
    $shares = array_count_values($place($weights, $distribution));
    ksort($shares);
    $wanted = $distribution === Distribution::Ketama ? [1 / 8, 1 / 8, 2 / 8, 4 / 8] : [1 / 4, 1 / 4, 1 / 4, 1 / 4];
    $off = max(array_map(fn (int $keys_there, float $share) => abs($keys_there / 20_000 / $share - 1), array_values($shares), $wanted));
    echo '  shares ', $off < 0.15 ? 'as wanted' : json_encode($shares), "\n";
}
?>
--EXPECT--
Modulo: as expected, anywhere
  order of servers matters
  shares as wanted
Ketama: as expected, all to the new one
  order of servers does not matter
  shares as wanted
OneAtATime: as expected, anywhere
  order of servers matters
  shares as wanted
