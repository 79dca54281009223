--TEST--
MC::get() over a signed Pool reads no legacy array
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.mc_legacy=1
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
put_raw($server, 'k', serialize(['_dc_cache' => 'written by anybody', '_dc_life_end' => time() + 1000, '_dc_cache_time' => 1000]), 4);
foreach (['unsigned' => null, 'signed' => 'a secret'] as $name => $secret) {
    $cache = new Cache(new Pool($server->address, signingKey: $secret));
    MC::use($cache);
    echo "$name: ", json_encode(MC::get('k')), "\n";
}
?>
--EXPECT--
unsigned: "written by anybody"
signed: false
