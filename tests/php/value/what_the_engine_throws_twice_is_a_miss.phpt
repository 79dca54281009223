--TEST--
A value whose decoding throws twice is a miss
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/envelope.inc';

class Throws
{
    public function __destruct()
    {
        throw new DomainException('mine');
    }
}
$server = start_memcached();
$cache = new Cache(new Pool($server->address));
foreach (['', 'O:6:"Throws":0:{}'] as $held) {
    $inner = 'x:i:1;O:16:"SplObjectStorage":0:{}' . ($held ? ",$held" : ',i:0;') . ';m:a:0:{}';
    put_raw($server, 'k', make_envelope('k', sprintf('C:16:"SplObjectStorage":%d:{%s}', strlen($inner), $inner)), envelope_flags(4));
    echo $cache->get('k', 'miss'), "\n";
    echo $cache->stats()['unreadable'], "\n";
}
?>
--EXPECT--
miss
1
miss
2
