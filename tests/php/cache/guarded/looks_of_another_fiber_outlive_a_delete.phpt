--TEST--
A guarded Cache stores no read from before another Fiber's delete (V1, V5.3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$open = fn (): Cache => new Cache(new Pool('memory://a'), ttl: 100, guarded: true);
foreach ([
    'delete' => fn () => $open()->delete('k'),
    'forget' => fn () => $open()->forget('k'),
    'deleteMultiple' => fn () => $open()->deleteMultiple(['k']),
    'pull' => fn () => $open()->pull('k'),
    'expire' => fn () => $open()->expire('k'),
] as $name => $end) {
    Pool::endRequest();
    $open()->delete('k');
    if ($name === 'pull' || $name === 'expire') {
        $open()->set('k', 'there');
        Pool::endRequest();
    }
    $reader = new Fiber(function () use ($open) {
        $open()->get('k');
        Fiber::suspend();
        return $open()->set('k', 'read before');
    });
    $reader->start();
    $end();
    $reader->resume();
    echo "$name: ", json_encode([$reader->getReturn(), $open()->entry('k')->value]), "\n";
}

echo "who alone has looked has ended it\n";
Pool::endRequest();
$writer = new Fiber(function () use ($open) {
    $open()->get('k');
    $open()->delete('k');
    return $open()->set('k', 'after');
});
$writer->start();
var_dump($writer->getReturn());
?>
--EXPECT--
delete: [false,null]
forget: [false,null]
deleteMultiple: [false,null]
pull: [false,null]
expire: [false,"there"]
who alone has looked has ended it
bool(true)
