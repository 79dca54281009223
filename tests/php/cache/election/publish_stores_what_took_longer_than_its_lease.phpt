--TEST--
Rebuilds longer than their lease are stored unless a later election stored (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$first = new Cache(new Pool('memory://long'), ttl: 100, lease: 1);
$second = new Cache(new Pool('memory://long'), ttl: 100, lease: 1);
$third = new Cache(new Pool('memory://long'), ttl: 100, lease: 1);
$elect_three = function (string $key) use ($first, $second, $third) {
    $first->set($key, 'old');
    Clock::advance(100);
    foreach ([$first, $second, $third] as $host) {
        echo $host->lookup($key)->status->name, ' ';
        Clock::advance(1);
    }
};

echo 'alone: ';
$first->set('k', 'old');
Clock::advance(100);
$first->get('k');
Clock::advance(3);
var_dump($first->publish('k', 'three leases'), $second->get('k'));

echo 'in order: ';
$elect_three('k');
var_dump($first->publish('k', 'first'), $second->get('k'), $second->publish('k', 'second'), $third->publish('k', 'third'), $first->get('k'));

echo 'overtaken: ';
$elect_three('k');
var_dump($second->publish('k', 'second'), $first->publish('k', 'first'), $first->get('k'), $third->publish('k', 'third'), $first->get('k'));
echo 'discarded: ', $first->stats()['discarded'], "\n";
?>
--EXPECT--
alone: bool(true)
string(12) "three leases"
in order: Elected Elected Elected bool(true)
string(5) "first"
bool(true)
bool(true)
string(5) "third"
overtaken: Elected Elected Elected bool(true)
bool(false)
string(6) "second"
bool(true)
string(5) "third"
discarded: 1
