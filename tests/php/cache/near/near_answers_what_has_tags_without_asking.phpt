--TEST--
A near Cache serves tagged values without requests if the tags match (N1, T6, T7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$clearable = fn (): Cache => new Cache($pool, 's.', ttl: 100, near: 60, clearable: true);
$plain = fn (): Cache => new Cache($pool, 's.', ttl: 100, near: 60);
$asks = function (callable $call) use ($server): int {
    $before = $server->stats()['cmd_get'];
    $call();
    return $server->stats()['cmd_get'] - $before;
};
$writer = $clearable()->tagged('a', 'b');
$values = ['string' => 'text', 'array' => [1, 'two'], 'number' => 5, 'object' => new ArrayObject([1])];
$writer->setMultiple($values);
$clearable()->getMultiple(array_keys($values));
$makers = ['view' => fn () => $clearable()->tagged('a', 'b'), 'view of one' => fn () => $clearable()->tagged('b'), 'clearable' => $clearable, 'plain' => $plain];
foreach ($makers as $name => $make) {
    foreach ($values as $key => $value) {
        $cache = $make();
        $asked = $asks(function () use ($cache, $key, $value) {
            for ($i = 0; $i < 3; $i++) {
                $answers = [$cache->get($key), $cache->peek($key), $cache->entry($key)->value, $cache->remember($key, 100, fn () => 0),
                    $cache->getMultiple([$key])[$key], $cache->rememberMany([$key], 100, fn () => [])[$key]];
                foreach ($answers as $answer) {
                    $answer == $value || print "another value\n";
                }
                $cache->has($key) || print "none\n";
            }
        });
        echo "$name, $key: asked $asked\n";
    }
}

echo "what lacks a tag of the view, or the namespace\n";
$plain()->set('untagged', 'value');
$plain()->get('untagged');
$outer = $plain();
echo $outer->get('untagged'), ' ', $outer->stats()['near'], ', ', json_encode($clearable()->get('untagged')), ', ';
echo $plain()->tagged('a')->entry('untagged')->status->name, ', ', $clearable()->tagged('c')->entry('string')->status->name, "\n";

echo "a near answer is a look\n";
foreach (['get' => fn (Cache $view) => $view->get('string'), 'getMultiple' => fn (Cache $view) => $view->getMultiple(['string'])] as $name => $look) {
    foreach (['out of the host' => 1, 'out of the memo' => 3] as $where => $times) {
        $writer->set('string', 'text');
        $clearable()->get('string');
        $view = $clearable()->tagged('a', 'b');
        for ($i = 0; $i < $times; $i++) {
            $look($view);
        }
        $is_near = $view->stats()['near'] === $times ? 'near' : 'asked';
        (new Fiber(fn () => $plain()->invalidateTags('a')))->start(); // as another process does
        $clearable()->tagged('a', 'b')->set('string', 'computed before');
        echo "$name, $where: $is_near, ", $view->entry('string')->status->name, "\n";
    }
}
?>
--EXPECT--
view, string: asked 0
view, array: asked 0
view, number: asked 0
view, object: asked 0
view of one, string: asked 0
view of one, array: asked 0
view of one, number: asked 0
view of one, object: asked 0
clearable, string: asked 0
clearable, array: asked 0
clearable, number: asked 0
clearable, object: asked 0
plain, string: asked 0
plain, array: asked 0
plain, number: asked 0
plain, object: asked 0
what lacks a tag of the view, or the namespace
value 1, null, Stale, Stale
a near answer is a look
get, out of the host: near, Stale
get, out of the memo: near, Stale
getMultiple, out of the host: near, Stale
getMultiple, out of the memo: near, Stale
