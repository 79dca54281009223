--TEST--
expire() prevents rebuilds in progress from being stored (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_000_000);
$cache = new Cache(new Pool('memory://expire'), ttl: 10, grace: 5, lease: 30);
$other = new Cache(new Pool('memory://expire'));
$compute = function (string $key) use ($cache, $other): void {
    $source = 'outdated';
    $answer = $cache->remember($key, null, function () use (&$source, $other, $key) {
        $read = $source;
        $source = 'changed';
        echo json_encode($other->expire($key)), ' ';
        return $read;
    });
    echo $answer, ', then ', json_encode($other->peek($key)), ' and ',
        $cache->remember($key, null, fn () => $source), "\n";
};

echo 'cold: ';
$compute('cold');
echo 'past its hard end: ';
$cache->set('dead', 'old');
Clock::advance(16);
$compute('dead');
echo 'old: ';
$cache->set('old', 'old');
Clock::advance(11);
$compute('old');
echo 'absent: ', json_encode($other->expire('absent')), ' ', json_encode($other->entry('absent')->status->name), "\n";
?>
--EXPECT--
cold: false outdated, then null and changed
past its hard end: false outdated, then null and changed
old: true outdated, then "old" and changed
absent: false "Miss"
