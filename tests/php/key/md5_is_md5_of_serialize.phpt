--TEST--
Key::md5($options) equals md5(serialize($options))
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Key;

class Options { public int $a = 1; protected $b = ['x']; private $c = 1.5; public function __sleep() { return ['a', 'b']; } }

$shared = new Options();
$options = [
    null, true, 0, 0.1, '', 'text', [], [1, 'a' => [2]], ['b' => 1, 'a' => 2], $shared, [$shared, $shared],
    new ArrayObject([1]), new DateTime('2024-01-01'), McPatterns\Status::Fresh, STDIN,
];
foreach ($options as $value) {
    if (Key::md5($value) !== md5(serialize($value))) {
        var_dump($value);
    }
}
try {
    Key::md5([fn () => 1]);
} catch (Exception $exception) {
    echo get_class($exception), ': ', $exception->getMessage(), "\n";
}
echo "done\n";
?>
--EXPECT--
Exception: Serialization of 'Closure' is not allowed
done
