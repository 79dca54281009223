--TEST--
An event whose decoding throws is skipped after one exception
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, EventLog, Pool};

class Throwing { public function __unserialize(array $data): void { throw new DomainException('no'); } public function __serialize(): array { return [1]; } }
class Using
{
    private static bool $is_reading = false;
    public function __construct(public int $n) {}
    public function __serialize(): array { $GLOBALS['log']->append("while $this->n was written"); return [$this->n]; }
    public function __unserialize(array $data): void { $this->n = $data[0]; if (!self::$is_reading) { self::$is_reading = true; $GLOBALS['seen'][] = count($GLOBALS['log']->last()); self::$is_reading = false; } $GLOBALS['log']->append('while it was read'); }
}
Clock::freeze(1800000000.0);
$log = new EventLog(new Pool('memory://m'), 'errors', 60, 6);
foreach (['one', 'two', new Throwing, 'three', new Throwing] as $event) {
    $log->append($event);
}
$cursor = null;
for ($i = 0; $i < 6; $i++) {
    try {
        echo json_encode(array_column($log->since($cursor, 10, $lost), 1)), "\n";
    } catch (DomainException $exception) {
        echo $exception->getMessage(), "\n";
    }
}
$log->clear();
$seen = [];
$log->append(new Using(1));
$log->append(new Using(2));
foreach ([1, 2] as $again) {
    foreach ($log->since($cursor) as [, $event]) {
        echo is_object($event) ? "object $event->n" : $event, ', ';
    }
    echo json_encode($seen), "\n";
}

class Holder { public int $cursor = 0; public ?string $text = null; }
$holder = new Holder;
$holder->text = $cursor;
$log->append('typed');
echo count($log->since($holder->text)), "\n";
try {
    $log->since($holder->text, 10, $holder->text);
    echo gettype($holder->text), "\n";
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
echo count(call_user_func_array([$log, 'last'], [2])), "\n";
?>
--EXPECTF--
["one","two"]
no
["three"]
no
[]
[]
while 1 was written, object 1, while 2 was written, object 2, [4,7]
while it was read, while it was read, while it was read, while it was read, while it was read, while it was read, [4,7]
1
%s
2
