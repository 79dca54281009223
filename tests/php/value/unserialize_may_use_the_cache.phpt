--TEST--
Code in serialization callbacks can use the same Cache
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

final class Reader
{
    public static Cache $cache;
    public array $data = [];
    public function __serialize(): array
    {
        self::$cache->set('inner', self::shared());
        return ['data' => $this->data, 'big' => str_repeat('y', 100000)];
    }
    public function __unserialize(array $data): void
    {
        self::$cache->set('other', str_repeat('z', 200000));
        self::$cache->get('other');
        [$one, $other] = self::$cache->get('inner');
        $this->data = [...$data['data'], $one === $other && $one->name === 'inner'];
    }
    public static function shared(): array
    {
        $object = (object) ['name' => 'inner'];
        return [$object, $object];
    }
}

final class Old implements Serializable
{
    public mixed $inner = null;
    public function serialize() { return 'x'; }
    public function unserialize($data) { $this->inner = Reader::$cache->get('inner'); }
    public function __serialize(): array { return []; }
    public function __unserialize(array $data): void { $this->unserialize(''); }
}

foreach (['memory://m', start_memcached()->address] as $address) {
    Reader::$cache = $cache = new Cache(new Pool($address));
    $object = (object) ['name' => 'outer'];
    $cache->set('k', [$object, new Reader(), $object, 'end']);
    [$one, $reader, $other, $end] = $cache->get('k');
    var_dump($one === $other && $one->name === 'outer', $reader->data, $end);
}
[$first, $old, $last] = unserialize('a:3:{i:0;O:8:"stdClass":1:{s:4:"name";s:5:"outer";}i:1;C:3:"Old":1:{x}i:2;r:2;}');
var_dump($first === $last, $old->inner[0] === $old->inner[1], $old->inner[0]->name);
?>
--EXPECT--
bool(true)
array(1) {
  [0]=>
  bool(true)
}
string(3) "end"
bool(true)
array(1) {
  [0]=>
  bool(true)
}
string(3) "end"
bool(true)
bool(true)
string(5) "inner"
