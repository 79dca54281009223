--TEST--
Cache::add() stores unless a fresh value exists, replace() if one exists (C15)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://add'), ttl: 10);
$other = new Cache(new Pool('memory://add'), ttl: 10);
echo 'absent: ', json_encode([$cache->replace('k', 'no'), $cache->add('k', 'first'), $other->add('k', 'second'), $cache->get('k')]), "\n";
echo 'fresh null: ', json_encode([$cache->add('null', null), $cache->add('null', 1), $cache->get('null')]), "\n";
Clock::advance(10);
echo 'old: ', json_encode([$cache->add('k', 'third'), $other->add('k', 'fourth'), $cache->get('k')]), "\n";
Clock::advance(10);
echo 'claimed: ', json_encode([$other->lookup('k')->status->name, $cache->add('k', 'fifth'), $other->publish('k', 'late'), $cache->get('k')]), "\n";
Clock::advance(10);
echo 'replace old: ', json_encode([$cache->replace('k', 'sixth'), $cache->entry('k')->status->name]), "\n";
Clock::advance(20);
echo 'past its hard end: ', json_encode([$cache->has('k'), $cache->replace('k', 'no'), $cache->add('k', 'seventh', 5, 0), $cache->add('k', 'no')]), "\n";
echo 'its own lifetime: ', json_encode([$cache->entry('k')->expiresIn, Clock::advance(5), $cache->has('k')]), "\n";
echo 'delete: ', json_encode([$cache->delete('k'), $cache->delete('k'), $cache->add('k', 1)]), "\n";
?>
--EXPECT--
absent: [false,true,false,"first"]
fresh null: [true,false,null]
old: [true,false,"third"]
claimed: ["Elected",true,false,"fifth"]
replace old: [true,"Fresh"]
past its hard end: [false,false,true,false]
its own lifetime: [5,null,false]
delete: [true,true,true]
