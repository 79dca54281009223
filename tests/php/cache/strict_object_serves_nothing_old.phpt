--TEST--
A Cache with stale: false serves no stale value and elects no caller (C16)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

Clock::freeze(1_700_000_000);
foreach (['text' => 'old', 'number' => 5, 'running' => 5] as $kind => $value) {
    $pool = new Pool("memory://strict-$kind");
    $strict = new Cache($pool, ttl: 10, lease: 5, wait: 0, stale: false);
    $other = new Cache($pool, ttl: 10, lease: 5);
    $ask = fn (Cache $cache) => json_encode([$cache->get('k', 'none'), $cache->get('k'), $cache->peek('k', 'none'), $cache->has('k'),
        $cache->getMultiple(['k', 'absent'], 'none'), $cache->getMultiple(['k'])['k']]);

    $strict->set('k', $value);
    if ($kind === 'running') {
        $strict->increment('k');
    }
    echo "$kind, fresh:\t", $ask($strict), "\n";
    Clock::advance(10);
    echo "strict:\t", $ask($strict), ' ', json_encode($strict->pull('k', 'not taken')), "\n";
    MC::use($strict);
    echo "MC:\t", json_encode([MC::get('k'), MC::get('k')]), "\n";
    echo "entry:\t", $strict->entry('k')->status->name, ' ', json_encode($strict->entry('k')->value), "\n";
    echo "lookup:\t", $strict->lookup('k')->status->name, ', then ', $strict->lookup('k')->status->name, "\n";
    echo "others:\t", json_encode([$other->peek('k'), $other->has('k'), $other->getMultiple(['k'])['k']]), "\n";
    echo "remember, while another has the claim:\t", json_encode($strict->remember('k', null, fn () => 'computed')), "\n";
    $strict->abandon('k');
    echo "remember:\t", json_encode($strict->remember('k', null, fn () => 'computed')), ' ', $ask($strict), "\n";
}
printf("%d misses, %d stale, %d elected\n", ...array_map(fn ($name) => $strict->stats()[$name], ['misses', 'stale', 'elected']));
?>
--EXPECT--
text, fresh:	["old","old","old",true,{"k":"old","absent":"none"},"old"]
strict:	["none",null,"none",false,{"k":"none","absent":"none"},null] "not taken"
MC:	[false,false]
entry:	Stale "old"
lookup:	Elected, then Busy
others:	["old",true,"old"]
remember, while another has the claim:	"old"
remember:	"computed" ["computed","computed","computed",true,{"k":"computed","absent":"none"},"computed"]
number, fresh:	[5,5,5,true,{"k":5,"absent":"none"},5]
strict:	["none",null,"none",false,{"k":"none","absent":"none"},null] "not taken"
MC:	[false,false]
entry:	Stale 5
lookup:	Elected, then Busy
others:	[5,true,5]
remember, while another has the claim:	5
remember:	"computed" ["computed","computed","computed",true,{"k":"computed","absent":"none"},"computed"]
running, fresh:	[6,6,6,true,{"k":6,"absent":"none"},6]
strict:	["none",null,"none",false,{"k":"none","absent":"none"},null] "not taken"
MC:	[false,false]
entry:	Stale 6
lookup:	Elected, then Busy
others:	[6,true,6]
remember, while another has the claim:	6
remember:	"computed" ["computed","computed","computed",true,{"k":"computed","absent":"none"},"computed"]
11 misses, 4 stale, 2 elected
