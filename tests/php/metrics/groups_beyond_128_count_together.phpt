--TEST--
Prefixes beyond 128 groups count in the group with is_other
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Metrics, Pool};

$pool = new Pool('memory://many');
$count = function (string $prefix) use ($pool) {
    (new Cache($pool, $prefix))->get('k');
};
$count('other');
for ($i = 0; $i < 200; $i++) {
    $count("$i");
}
$groups = Metrics::read()['groups'];
$rest = array_values(array_filter($groups, fn ($group) => $group['is_other']));
var_dump(count($groups), count($rest), $rest[0]['group'], $rest[0]['misses']);
$named = array_values(array_filter($groups, fn ($group) => !$group['is_other'] && $group['group'] === 'other'));
var_dump(count($named), $named[0]['misses'], array_sum(array_column($groups, 'misses')));
echo "its events\n";
$last = Metrics::trace(null, 1)[0];
var_dump($last['group'], $last['letter'], $last['key']);
echo "names as long as one likes\n";
Metrics::reset();
$count(str_repeat('a', 150) . '1');
var_dump(array_sum(array_column(Metrics::read()['groups'], 'misses')));
?>
--EXPECT--
int(129)
int(1)
string(5) "other"
int(73)
int(1)
int(1)
int(201)
its events
string(5) "other"
string(1) "M"
string(1) "k"
names as long as one likes
int(1)
