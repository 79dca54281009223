--TEST--
A 200,000 number array is read if memory suffices, else a miss
--EXTENSIONS--
mcpatterns
igbinary
msgpack
--INI--
memory_limit=128M
--FILE--
<?php
use McPatterns\{Cache, Pool, Serializer};

foreach (Serializer::cases() as $serializer) {
    $cache = new Cache(new Pool('memory://large', serializer: $serializer));
    $cache->set('k', range(1, 200_000));
    foreach ([30, 5] as $megabytes) {
        gc_mem_caches();
        ini_set('memory_limit', memory_get_usage(true) + ($megabytes << 20));
        $found = $cache->get('k');
        ini_set('memory_limit', '128M');
        echo $serializer->name, ", $megabytes MB: ", $found === null ? 'a miss' : count($found), "\n";
        unset($found);
    }
}
?>
--EXPECT--
Php, 30 MB: 200000
Php, 5 MB: a miss
Igbinary, 30 MB: 200000
Igbinary, 5 MB: a miss
Json, 30 MB: 200000
Json, 5 MB: a miss
Msgpack, 30 MB: 200000
Msgpack, 5 MB: a miss
