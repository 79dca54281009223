--TEST--
lookup() and getMultiple() keep their elections if decoding a value throws (C6, C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Changed
{
    public static ?Closure $first = null;
    public function __unserialize(array $data): void
    {
        (self::$first ?? fn () => null)();
        throw new DomainException('cannot be read any more');
    }
}
$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$cache = new Cache($pool, ttl: 100, lease: 60);
$other = new Cache($pool);
$write = function () use ($cache) {
    foreach (['changed' => new Changed(), 'elected' => 1, 'fresh and changed' => new Changed(), 'never looked at' => 2] as $key => $value) {
        $cache->set($key, $value);
    }
    array_map($cache->expire(...), ['changed', 'elected', 'never looked at']);
};
$ways = [
    'lookup' => fn () => $cache->lookup('changed')->status->name,
    'getMultiple' => fn () => json_encode($cache->getMultiple(['changed', 'elected', 'fresh and changed'], 'default')),
];
foreach ($ways as $name => $way) {
    $write();
    echo "$name: ", $way(), "\n";
    foreach (['changed', 'elected', 'never looked at'] as $key) {
        echo "  $key: ", json_encode([$other->entry($key)->status->name, $cache->publish($key, 'mine'), $other->get($key, 'elected')]), "\n";
        $other->set($key, 'theirs');
    }
}

$write();
Changed::$first = fn () => $cache->set('changed', 'by its own code');
echo json_encode([$cache->lookup('changed')->status->name, $cache->publish('changed', 'mine'), $cache->get('changed')]), "\n";
?>
--EXPECT--
lookup: Elected
  changed: ["Busy",true,"mine"]
  elected: ["Stale",false,"elected"]
  never looked at: ["Stale",false,"elected"]
getMultiple: {"changed":"default","elected":"default","fresh and changed":"default"}
  changed: ["Busy",true,"mine"]
  elected: ["Busy",true,"mine"]
  never looked at: ["Stale",false,"elected"]
["Elected",false,"by its own code"]
