--TEST--
MC::set() compresses short values if the compress flag asks for it
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Compression, MC, Pool};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
$text = str_repeat('text ', 100);
foreach ([null, Compression::None] as $compression) {
    MC::use(new Cache(new Pool($server->address, compression: $compression)));
    foreach ([false, 0, 1, 2, '3', true] as $flag) {
        MC::set('k', $text, $flag);
        $stored = strlen(get_envelope($server, 'k')['payload']);
        echo json_encode($flag), ': ', $stored === 500 ? 'as it is' : ($stored < 100 ? 'compressed' : $stored), ', ', json_encode(MC::get('k') === $text), "\n";
    }
}
?>
--EXPECT--
false: as it is, true
0: as it is, true
1: as it is, true
2: compressed, true
"3": compressed, true
true: as it is, true
false: as it is, true
0: as it is, true
1: as it is, true
2: as it is, true
"3": as it is, true
true: as it is, true
