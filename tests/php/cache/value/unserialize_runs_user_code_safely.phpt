--TEST--
No caller gets what __unserialize() throws, and it can use the Cache
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
foreach (['get', 'peek', 'entry', 'lookup', 'has', 'pull'] as $method) {
    $cache->set('thrower', new Thrower);
    $answer = $cache->$method('thrower');
    echo "$method: ", json_encode($answer instanceof McPatterns\Entry ? $answer->value : $answer), "\n";
}
$cache->set('thrower', new Thrower);
foreach ([
    'getMultiple' => fn () => $cache->getMultiple(['a', 'thrower', 'b']),
    'update' => fn () => $cache->update('thrower', fn ($old) => $old ?? 'changed'),
] as $name => $call) {
    echo "$name: ", json_encode($call()), "\n";
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
get: null
peek: null
entry: null
lookup: null
has: false
pull: null
getMultiple: {"a":null,"thrower":null,"b":null}
update: "changed"
the same cache from __wakeup
[[100000,2,"computed inside",2],"after"]
[[100000,3,"computed inside",2],2,100000]
the same key from __wakeup
["after",false]
the last reference goes in __wakeup
"gone"
