--TEST--
Each callback of Cache can return by reference
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, Pool};

class Source
{
    public static mixed $value = 'original';

    public static function &read(): mixed
    {
        return self::$value;
    }
}

$read = Source::read(...);
$pool = new Pool('memory://references');
$cache = new Cache($pool);
$change = function (mixed $answer): void {
    $answer = 'changed';
    echo json_encode(Source::$value), "\n";
};
$change($cache->remember('compute', 60, $read));
$change($cache->update('change', $read));
$change((new Lock($pool, 'lock'))->run($read));
Source::$value = ['a' => 1, 'b' => 2];
echo json_encode($cache->rememberMany(['a', 'b'], 60, $read)), "\n";
Source::$value = 30;
$cache->remember('ttl', $read, fn () => 'computed');
echo round($cache->entry('ttl')->expiresIn), ' ', (new Counter($pool, 'counter', $read))->value(), "\n";

// What answers directly must not be a reference: the engine would write through it.
Source::$value = 'original';
$answers = [$cache->remember('direct', 60, $read), $cache->update('direct', $read), (new Lock($pool, 'lock'))->run($read)];
foreach ($answers as &$answer) {
    $answer = 'changed';
}
echo Source::$value, "\n";
?>
--EXPECT--
"original"
"original"
"original"
{"a":1,"b":2}
30 30
original
