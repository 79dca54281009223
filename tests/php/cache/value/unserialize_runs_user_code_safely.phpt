--TEST--
What __unserialize() and __wakeup() throw reaches the caller, and both may use the same cache or drop it
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

class Thrower
{
    public function __serialize(): array
    {
        return [];
    }

    public function __unserialize(array $data): void
    {
        throw new DomainException('from __unserialize');
    }
}

class Asker
{
    public mixed $seen = null;
    public static ?Closure $ask = null;

    public function __wakeup(): void
    {
        $this->seen = (self::$ask)();
    }
}

$cache = new Cache(new Pool('memory://wakeup'));
$cache->set('thrower', new Thrower);
foreach (['get', 'peek', 'entry', 'lookup', 'has', 'pull'] as $method) {
    $cache->set('thrower', new Thrower);
    try {
        $cache->$method('thrower');
        echo "$method: nothing thrown\n";
    } catch (DomainException $exception) {
        echo "$method: ", $exception->getMessage(), "\n";
    }
}
$cache->set('thrower', new Thrower);
foreach ([
    'getMultiple' => fn () => $cache->getMultiple(['a', 'thrower', 'b']),
    'remember' => fn () => $cache->remember('thrower', null, fn () => 'computed'),
    'update' => fn () => $cache->update('thrower', fn () => 'changed'),
] as $name => $call) {
    try {
        $call();
        echo "$name: nothing thrown\n";
    } catch (DomainException $exception) {
        echo "$name: ", $exception->getMessage(), "\n";
    }
}

echo "the same cache from __wakeup\n";
$big = str_repeat('x', 100_000);
Asker::$ask = function () use ($cache, $big) {
    $cache->set('inner', $big);
    return [strlen($cache->get('inner')), $cache->increment('n'), $cache->remember('r', 60, fn () => 'computed inside'), count($cache->getMultiple(['inner', 'absent']))];
};
$cache->set('n', 1);
$cache->set('asker', [new Asker, 'after']);
[$asker, $after] = $cache->get('asker');
echo json_encode([$asker->seen, $after]), "\n";
$many = $cache->getMultiple(['asker', 'n', 'inner']);
echo json_encode([$many['asker'][0]->seen, $many['n'], strlen($many['inner'])]), "\n";

echo "the same key from __wakeup\n";
Asker::$ask = fn () => $cache->delete('asker');
echo json_encode([$cache->remember('asker', 60, fn () => 'computed')[1], $cache->has('asker')]), "\n";

echo "the last reference goes in __wakeup\n";
$cache->set('asker', [new Asker, 'after']);
Asker::$ask = function () use (&$cache) { $cache = null; return 'gone'; };
echo json_encode($cache->get('asker')[0]->seen), "\n";
?>
--EXPECT--
get: from __unserialize
peek: from __unserialize
entry: from __unserialize
lookup: from __unserialize
has: from __unserialize
pull: from __unserialize
getMultiple: from __unserialize
remember: nothing thrown
update: nothing thrown
the same cache from __wakeup
[[100000,2,"computed inside",2],"after"]
[[100000,3,"computed inside",2],2,100000]
the same key from __wakeup
["after",false]
the last reference goes in __wakeup
"gone"
