--TEST--
Calls on many keys work nested, in Fibers, and after fatal errors
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

final class Reads
{
    public static ?Closure $within = null;

    public function __construct(public string $of) {}

    public function __unserialize(array $data): void
    {
        $this->of = $data['of'] . (self::$within)();
    }
}

$cache = new Cache(new Pool(['memory://a', 'memory://b']), ttl: 100);
$names = array_map(fn (int $i): string => "name $i", range(1, 2000));
$plain = array_combine($names, array_map(fn (string $name): string => "of $name", $names));
$cache->setMultiple($plain);
$cache->setMultiple(['first' => new Reads('first'), 'second' => new Reads('second')]);
$read = fn (): string => $cache->getMultiple($names) === $plain ? ' and all' : ' and others';

echo "decoding\n";
Reads::$within = $read;
foreach ([1, 2] as $_) {
    $found = $cache->getMultiple(['first', ...$names, 'second']);
    echo $found['first']->of, '; ', $found['second']->of, '; ', array_diff_assoc($plain, $found) === [] ? 'all' : 'others', "\n";
}

echo "computing\n";
$computed = $cache->rememberMany(['a', 'b', ...$names], 10, fn (array $wanted): array => array_combine($wanted, array_map(fn (string $name): string => $name . $read(), $wanted)));
echo $computed['a'], '; ', $computed['b'], '; ', array_diff_assoc($plain, $computed) === [] ? 'all' : 'others', "\n";

echo "in another Fiber\n";
Reads::$within = fn (): string => Fiber::suspend() ?? ' resumed';
$fiber = new Fiber(fn (): array => $cache->getMultiple(['first', ...$names]));
$fiber->start();
echo 'meanwhile', $read(), "\n";
$other = new Fiber(fn (): array => $cache->getMultiple(['second', ...$names]));
$other->start();
$fiber->resume();
echo 'meanwhile', $read(), "\n";
$other->resume();
echo $fiber->getReturn()['first']->of, '; ', $other->getReturn()['second']->of, '; ';
echo array_diff_assoc($plain, $fiber->getReturn(), $other->getReturn()) === [] ? 'all' : 'others', "\n";

echo "behind a fatal error\n";
register_shutdown_function(function () use ($read): void {
    Reads::$within = $read;
    echo 'at the end', $read(), "\n";
});
Reads::$within = fn (): string => eval('function twice() {} function twice() {}');
$cache->getMultiple(['first', ...$names]);
?>
--EXPECTF--
decoding
first and all; second and all; all
first and all; second and all; all
computing
a and all; b and all; all
in another Fiber
meanwhile and all
meanwhile and all
first resumed; second resumed; all
behind a fatal error

Fatal error: Cannot redeclare %Stwice()%S in %s on line %d
at the end and all
