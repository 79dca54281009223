--TEST--
Pool::serverFor() returns the server that stores a Cache's key
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Distribution, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = ['memory://a', 'memory://b', 'memory://c'];
foreach (Distribution::cases() as $distribution) {
    $plain = new Pool($servers, distribution: $distribution);
    $prefixed = new Pool($servers, 'some-prefix:', $distribution);
    $found = [];
    $agree = 0;
    for ($i = 0; $i < 300; $i++) {
        $found[$plain->serverFor("key$i")] = true;
        $agree += $plain->serverFor("key$i") === $prefixed->serverFor("key$i");
    }
    ksort($found);
    echo $distribution->name, ' ', implode(' ', array_keys($found)), " $agree\n";
}
echo (new Pool('unix:///nowhere/socket'))->serverFor("any\nkey"), "\n";
echo (new Pool('[::1]:5'))->serverFor('key'), "\n";
try {
    $plain->serverFor('');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
Modulo memory://a memory://b memory://c 300
Ketama memory://a memory://b memory://c 300
OneAtATime memory://a memory://b memory://c 300
unix:///nowhere/socket
[::1]:5
McPatterns\Pool::serverFor(): Argument #1 ($key) must not be empty
