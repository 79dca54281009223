--TEST--
A key drift notice's error handler can recurse, throw, suspend or exit
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Key;

$handler = fn () => print("told by default\n");
set_error_handler(function (...$told) use (&$handler): bool { $handler(...$told); return true; });
$drift = function (string $head): string { Key::of($head, 1); return Key::of($head, '1'); };
$drift('off');

ini_set('mcpatterns.report_key_drift', '1');
echo "asks for keys\n";
$handler = function () use ($drift) {
    echo "  told\n";
    $drift('again'); // the place is that of a notice already
};
var_dump($drift('asks') === 'asks:' . substr(hash('sha256', 's1:1'), 0, 32));

echo "throws\n";
$handler = function () { throw new LogicException('thrown'); };
Key::of('throws', 0);
try {
    $key = 'unchanged';
    $key = Key::of('throws', false);
} catch (LogicException $error) {
    echo '  ', $error->getMessage(), ", $key\n";
}

echo "suspends, and is resumed or dropped\n";
$handler = function () { Fiber::suspend(); echo "  resumed\n"; };
foreach ([[1, 2], [3, 4]] as $list) {
    $fibers[] = $fiber = new Fiber(fn () => $list[0] === 1 ? Key::of('fiber', array_reverse($list)) : Key::of('fiber', [4, 3]));
    Key::of('fiber', $list);
    $fiber->start();
}
$fibers[0]->resume();
echo '  ', strlen($fibers[0]->getReturn()), "\n";
unset($fiber, $fibers[1]);

echo "uses the parameters\n";
class Part implements JsonSerializable
{
    public static ?array $all = null;
    public static int $calls = 0;
    public function __construct(private mixed $id) {}
    public function jsonSerialize(): mixed { self::$calls++; self::$all = null; return $this->id; }
}
$handler = function () { echo "  told\n"; Part::$all = [str_repeat('x', 100)]; };
Part::$all = [new Part(1), 'x'];
Key::of('parts', Part::$all);
Part::$all = [new Part('1'), 'x'];
Key::of('parts', Part::$all);
echo '  asked ', Part::$calls, " times\n";

echo "switches it off\n";
$handler = function () { ini_set('mcpatterns.report_key_drift', '0'); };
Key::of('switch', 1);
Key::of('switch', '1');
Key::of('switch', true);
var_dump(ini_get('mcpatterns.report_key_drift'));

echo "exits\n";
ini_set('mcpatterns.report_key_drift', '1');
$handler = function () { echo "  last\n"; exit; };
Key::of('exit', 1);
Key::of('exit', '1');
echo "not reached\n";
?>
--EXPECT--
asks for keys
  told
bool(true)
throws
  thrown, unchanged
suspends, and is resumed or dropped
  resumed
  38
uses the parameters
  told
  asked 2 times
switches it off
string(1) "0"
exits
  last
