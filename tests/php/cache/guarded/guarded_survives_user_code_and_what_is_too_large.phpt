--TEST--
User code during a guarded store never keeps values from before deletes
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, TooLargeException};

require __DIR__ . '/../../../_support/memcached.inc';
$server = start_memcached();
$open = fn (): Cache => new Cache(new Pool($server->address, timeout: 0.2), 'g.', ttl: 100, guarded: true, holdoff: 5);
$elsewhere = fn (string $command): string => trim($server->exchange("$command\r\n"));
$tell = fn (string $what, mixed ...$told) => print("$what: " . json_encode($told) . "\n");
$cache = $open();

/* Does something when it is written or read. */
final class Row
{
    public static ?Closure $whenWritten = null;
    public static ?Closure $whenRead = null; // once

    public function __construct(public string $text)
    {
    }

    public function __serialize(): array
    {
        (self::$whenWritten)();
        return [$this->text];
    }

    public function __unserialize(array $kept): void
    {
        $this->text = $kept[0];
        [$act, self::$whenRead] = [self::$whenRead, null];
        $act && $act();
    }
}
$nothing = fn () => null;
$text = fn (mixed $row): ?string => $row?->text;

foreach (['another deletes' => fn () => $elsewhere('delete g.k'), 'looks again' => fn () => $cache->get('k'), 'ends the request' => Pool::endRequest(...), 'sets' => fn () => $cache->set('k', 'inner')] as $name => $act) {
    Pool::endRequest();
    $elsewhere('delete g.k');
    Row::$whenWritten = $act;
    $cache->get('k');
    $tell("while it is serialized, $name", $cache->set('k', new Row('row')), $elsewhere('get g.k') !== 'END');
    Row::$whenWritten = $nothing;
    Pool::endRequest();
    $cache->delete('k');
    $cache->set('k', new Row('row'));
    Pool::endRequest();
    Row::$whenRead = $act;
    $read = $text($cache->get('k'));
    $tell("while it is read, $name", $read, $cache->set('k', new Row('row 2')));
}

Pool::endRequest();
$tell('a computation deletes', $cache->remember('r', null, function () use ($cache) {
    $cache->get('r');
    $cache->delete('r');
    return 'of before';
}), $cache->get('r'));
$many = $cache->rememberMany(['r', 's'], null, function (array $missing) use ($cache) {
    $cache->deleteMultiple($missing);
    return array_fill_keys($missing, 'of before');
});
$tell('one of many, too', $many, $cache->getMultiple(['r', 's']));

echo "a listener ends the request\n";
$down = start_memcached();
$pool = new Pool($down->address, timeout: 0.2, retryAfter: 0);
$listened = new Cache($pool, 'g.', ttl: 100, guarded: true);
$calls = 0;
$pool->onError(function () use ($listened, &$calls) {
    $calls++;
    Pool::endRequest();
    $listened->get('another');
});
$listened->getMultiple(['a', 'b', 'c']);
$listened->get('k');
$down->dispose();
$tell('down', $listened->set('k', 'row'), $listened->setMultiple(['a' => 1, 'b' => 2, 'd' => 3]), $listened->getMultiple(['a', 'x']), $listened->add('y', 1), $listened->replace('a', 2), $calls > 0);

echo "too large\n";
$large = random_bytes(2 << 20);
$cache->setMultiple(['l' => 'old', 'n' => 'old']);
foreach (['alone' => fn () => $cache->set('l', $large), 'with others' => fn () => $cache->setMultiple(['n' => 'row', 'l' => $large, 'o' => 'row'])] as $name => $store) {
    Pool::endRequest();
    $cache->getMultiple(['l', 'n', 'o']);
    try {
        $store();
    } catch (TooLargeException) {
        $tell($name, $cache->getMultiple(['l', 'n', 'o']));
    }
    $open()->set('l', 'old');
}
?>
--EXPECT--
while it is serialized, another deletes: [false,false]
while it is read, another deletes: ["row",false]
while it is serialized, looks again: [true,true]
while it is read, looks again: ["row",true]
while it is serialized, ends the request: [true,true]
while it is read, ends the request: ["row",true]
while it is serialized, sets: [true,true]
while it is read, sets: ["row",true]
a computation deletes: ["of before",null]
one of many, too: [{"r":"of before","s":"of before"},{"r":null,"s":null}]
a listener ends the request
down: [false,false,{"a":null,"x":null},false,false,true]
too large
alone: [{"l":null,"n":"old","o":null}]
with others: [{"l":null,"n":"row","o":"row"}]
