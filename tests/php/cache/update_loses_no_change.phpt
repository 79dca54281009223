--TEST--
Cache::update() repeats $change after a concurrent write and loses none
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://update'), ttl: 10);
$other = new Cache(new Pool('memory://update'), ttl: 10);
var_dump($cache->update('k', fn ($old) => [$old, 1]), $cache->get('k'), $cache->update('k', fn ($old) => null), $cache->has('k'), $cache->update('k', fn ($old) => var_export($old, true)));

$interfere = function (string $name, callable $act) use ($cache) {
    $cache->set('k', ['base']);
    $calls = 0;
    $answer = $cache->update('k', function ($old) use (&$calls, $act) {
        if ($calls++ === 0) {
            $act();
        }
        return [...(array) $old, 'mine'];
    });
    echo "$name: ", json_encode($answer), " after $calls calls, stored ", json_encode($cache->peek('k')), "\n";
};
$interfere('nothing', fn () => null);
$interfere('set', fn () => $other->set('k', ['theirs']));
$interfere('set to the same', fn () => $other->set('k', ['base']));
$interfere('delete', fn () => $other->delete('k'));
$interfere('delete and set', fn () => $other->delete('k') && $other->set('k', ['base']));
$interfere('expire', fn () => $other->expire('k'));
$interfere('update', fn () => $other->update('k', fn ($old) => [...$old, 'theirs']));
$interfere('its own recursion', fn () => $cache->update('k', fn ($old) => [...$old, 'inner']));
$interfere('a publish', function () use ($other) {
    Clock::advance(10);
    $other->get('k');
    $other->publish('k', ['published']);
});
$interfere('an election alone', function () use ($other) {
    Clock::advance(10);
    $other->get('k');
});
$interfere('past its hard end', fn () => Clock::advance(20));

echo "a running number\n";
$cache->set('n', 1);
$cache->increment('n');
$calls = 0;
var_dump($cache->update('n', function ($old) use (&$calls, $other) {
    if ($calls++ === 0) {
        $other->increment('n');
    }
    return $old * 10;
}), $calls, $cache->increment('n'));

echo "what \$change throws\n";
try {
    $cache->update('n', fn () => throw new DomainException('from change'));
} catch (DomainException $exception) {
    echo $exception->getMessage(), ' ', $cache->get('n'), "\n";
}
echo "its lifetime\n";
$cache->update('k', fn () => 1, 3);
var_dump($cache->entry('k')->expiresIn);

echo "a claim that this object held is fulfilled\n";
Clock::advance(3);
$cache->get('k');
$cache->update('k', fn ($old) => $old + 1);
var_dump($cache->abandon('k'), $cache->get('k'));
?>
--EXPECT--
array(2) {
  [0]=>
  NULL
  [1]=>
  int(1)
}
array(2) {
  [0]=>
  NULL
  [1]=>
  int(1)
}
NULL
bool(true)
string(4) "NULL"
nothing: ["base","mine"] after 1 calls, stored ["base","mine"]
set: ["theirs","mine"] after 2 calls, stored ["theirs","mine"]
set to the same: ["base","mine"] after 2 calls, stored ["base","mine"]
delete: ["mine"] after 2 calls, stored ["mine"]
delete and set: ["base","mine"] after 2 calls, stored ["base","mine"]
expire: ["base","mine"] after 2 calls, stored ["base","mine"]
update: ["base","theirs","mine"] after 2 calls, stored ["base","theirs","mine"]
its own recursion: ["base","inner","mine"] after 2 calls, stored ["base","inner","mine"]
a publish: ["published","mine"] after 2 calls, stored ["published","mine"]
an election alone: ["base","mine"] after 1 calls, stored ["base","mine"]
past its hard end: ["mine"] after 2 calls, stored ["mine"]
a running number
int(30)
int(2)
int(31)
what $change throws
from change 31
its lifetime
float(3)
a claim that this object held is fulfilled
bool(false)
int(2)
