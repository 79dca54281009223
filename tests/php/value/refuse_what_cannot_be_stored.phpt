--TEST--
Closures and resources throw NotSerializableException with the key, storing nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

final class Holder { public function __construct(public mixed $held) {} }
final class Refusing { public function __serialize(): array { throw new DomainException('mine'); } }

$cache = new Cache(new Pool('memory://m'));
$loop = [1];
$loop[1] = &$loop;
$values = [
    fn () => 1, [1, ['a' => fn () => 1]], new Holder(strlen(...)), new Pool(), (function () { yield 1; })(),
    new class {}, STDIN, [1, [STDIN]], [&$loop, [STDIN]], new Refusing(), [new Refusing()],
];
$cache->set('k', 'before');
foreach ($values as $value) {
    try {
        var_dump($cache->set('k', $value));
    } catch (Throwable $error) {
        echo get_class($error), ': ', preg_replace('/\0.*?\'/', "'", $error->getMessage()), "\n";
    }
}
var_dump($cache->get('k'));
var_dump($cache->set('loop', $loop), $cache->get('loop')[0]);
?>
--EXPECT--
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'McPatterns\Pool' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Generator' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'class@anonymous' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
DomainException: mine
DomainException: mine
string(6) "before"
bool(true)
int(1)
