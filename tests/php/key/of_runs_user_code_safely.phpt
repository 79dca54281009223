--TEST--
Key::of() is safe if jsonSerialize() recurses, changes arrays or prints
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Key;

class Part implements JsonSerializable
{
    public static array $all = [];
    public static ?string $seen = null;
    public function __construct(public int $id) {}
    public function jsonSerialize(): mixed
    {
        self::$all = [];
        self::$seen = print_r($this, true);
        return ['id' => $this->id, 'key' => Key::of('inner', [$this->id])];
    }
}

Part::$all = ['b' => new Part(2), 'a' => new Part(1)];
$first = Key::of('k', Part::$all);
Part::$all = ['a' => new Part(1), 'b' => new Part(2)];
var_dump($first === Key::of('k', Part::$all));
var_dump(str_contains(Part::$seen, '[id] => 2'), str_contains(Part::$seen, 'RECURSION'));
$list = [new Part(3), &$list[0]];
Key::of('k', $list);
echo "done\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
done
