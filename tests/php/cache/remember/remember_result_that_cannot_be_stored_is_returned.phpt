--TEST--
remember() and rememberMany() return unstorable results and mark keys as uncacheable (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Entry, Pool};

class Refuser
{
    public function __serialize(): array { throw new DomainException('not me'); }
}
class Deadly
{
    public function __serialize(): array { exit("left by an exit\n"); }
}
Clock::freeze(1_700_000_000);
$pool = new Pool('memory://unstorable');
$cache = new Cache($pool, ttl: 10, lease: 5, wait: 100);
$large = random_bytes(1_200_000);
$is = fn ($value) => match (true) { $value instanceof Closure => 'a closure', is_resource($value) => 'a resource', is_object($value) => get_class($value), strlen($value) > 1000 => 'a long one', default => $value };

echo "each kind, cold and old\n";
foreach (['closure' => fn () => 1, 'resource' => STDIN, 'refuser' => new Refuser, 'large' => $large] as $name => $value) {
    $cache->set("old $name", 'old');
    $cache->expire("old $name");
    foreach (["cold $name", "old $name"] as $key) {
        $answers = [$is($cache->remember($key, 10, fn () => $value, entry: $entry)), $entry->status->name, $is($cache->remember($key, 10, fn () => 'another', entry: $entry)), $entry->status->name];
        echo "$key: ", implode(', ', $answers), "\n";
    }
}
echo $cache->stats()['unstorable'], ' unstorable, ', $cache->stats()['waited'], " waited for\n";
echo 'what others computed meanwhile is stored: ', $cache->peek('cold large'), "\n";

echo "under a mark\n";
$cache->remember('k', 10, fn () => $large);
echo 'others see: ', $cache->entry('k')->status->name, ', ', $cache->get('k', 'default'), "\n";
Clock::advance(4.9);
echo $is($cache->remember('k', 10, fn (Entry $was) => $was->status->name === 'Miss' ? $large : '')), ' again, ', $cache->entry('k')->status->name, "\n";
Clock::advance(0.2);
$cache->remember('k', 10, function () use ($cache) { echo 'elected: ', $cache->entry('k')->status->name, "\n"; return 'small'; });
echo $cache->get('k'), "\n";
echo "without old values\n";
$cache->expire('k');
$cache->remember('k', 10, fn () => $large);
echo $cache->remember('k', 10, fn () => 'served, old'), ' ', $cache->remember('k', 10, fn () => 'strict', stale: false), ' ', $cache->remember('k', 10, fn () => 0), "\n";
$cache->remember('k', 10, fn () => $large, force: true);
echo $cache->remember('k', 10, fn () => 'forced', force: true), ' ', $cache->remember('k', 10, fn () => 0), "\n";

echo "what ends a mark\n";
foreach (['set' => ['k', 'set'], 'add' => ['k', 'added'], 'delete' => ['k'], 'expire' => ['k']] as $method => $arguments) {
    $cache->delete('k');
    $cache->remember('k', 10, fn () => $large);
    $cache->$method(...$arguments);
    echo "$method: ", $cache->remember('k', 10, function () use ($cache) { return 'computed under ' . ($cache->entry('k')->status->name === 'Busy' ? 'a claim' : 'none'); }), "\n";
}

echo "many\n";
$values = $cache->rememberMany(['a', 'b', 'c'], 10, fn () => ['a' => 'small', 'b' => $large, 'c' => fn () => 1]);
echo implode(', ', array_map($is, $values)), '; ', implode(', ', array_map($is, $cache->getMultiple(['a', 'b', 'c'], 'nothing'))), "\n";
echo implode(', ', $cache->rememberMany(['a', 'b', 'c'], 10, fn ($missing) => array_fill_keys($missing, 'now small'))), ', stored: ', $cache->peek('b'), "\n";

echo "a server that is down\n";
$down = new Cache(new Pool('127.0.0.1:1', connectTimeout: 0.05));
echo $is($down->remember('k', 10, fn () => fn () => 1)), ' ', $is($down->remember('k', 10, fn () => $large)), "\n";
$cache->remember('exit', 10, fn () => new Deadly);
?>
--EXPECT--
each kind, cold and old
cold closure: a closure, Elected, another, Elected
old closure: a closure, Elected, old, Stale
cold resource: a resource, Elected, another, Elected
old resource: a resource, Elected, old, Stale
cold refuser: Refuser, Elected, another, Elected
old refuser: Refuser, Elected, old, Stale
cold large: a long one, Elected, another, Elected
old large: a long one, Elected, old, Stale
8 unstorable, 0 waited for
what others computed meanwhile is stored: another
under a mark
others see: Miss, default
a long one again, Miss
elected: Busy
small
without old values
small strict strict
forced forced
what ends a mark
set: set
add: added
delete: computed under a claim
expire: computed under a claim
many
small, a long one, a closure; small, nothing, nothing
small, now small, now small, stored: now small
a server that is down
a closure a long one
left by an exit
