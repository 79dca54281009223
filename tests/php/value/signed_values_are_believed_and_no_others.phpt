--TEST--
Unsigned, forged, moved and truncated values are forged misses with signingKey
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, Serializer};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
$make = fn (string|array|null $secret): Cache => new Cache(new Pool($server->address, 'app:', serializer: Serializer::Php, signingKey: $secret));
$cache = $make('secret');
$forged = fn (Cache $cache): int => $cache->stats()['forged'];

/** What comes of an item: read, or a miss that was counted as forged or as unreadable. */
function outcome(string $key, string $item, int $flags): string
{
    global $server, $cache;
    put_raw($server, "app:$key", $item, $flags);
    $before = $cache->stats();
    $found = $cache->peek($key, 'miss');
    $after = $cache->stats();
    return json_encode($found) . ($after['forged'] - $before['forged'] ? ' forged' : '') . ($after['unreadable'] - $before['unreadable'] ? ' unreadable' : '') . "\n";
}

$cache->set('k', ['a' => 1]);
[$item, $flags] = get_raw($server, 'app:k');
$payload = serialize(['a' => 1]);
$signed = "mcpatterns value 1\0" . pack('V', 5) . 'app:k' . pack('V3', 4, 0, 0) . $payload;
$signature = substr(hash_hmac('sha256', $signed, 'secret', true), 0, 16);
var_dump(substr($item, 48) === $signature . $payload);
echo outcome('k', $item, $flags);
echo "another key, with its fingerprint made right\n";
echo outcome('other', substr_replace($item, fingerprint('app:other', strlen($payload)), 24, 8), $flags);
echo "unsigned\n";
echo outcome('k', make_envelope('app:k', $payload), $flags);
echo outcome('k', make_envelope('app:k', 'text'), envelope_flags(0));
echo outcome('k', make_envelope('app:k', '7'), envelope_flags(1));
echo "other flags\n";
echo outcome('k', $item, envelope_flags(0));
echo outcome('k', $item, envelope_flags(0x94));
echo "any bit of signature and payload, any cut with its fingerprint made right\n";
$told = [];
for ($at = 48; $at < strlen($item); $at++) {
    $told[outcome('k', substr_replace($item, chr(ord($item[$at]) ^ 4), $at, 1), $flags)] = true;
}
for ($length = 0; $length < strlen($payload); $length++) {
    $told[outcome('k', substr_replace(substr($item, 0, 64 + $length), fingerprint('app:k', $length), 24, 8), $flags)] = true;
}
echo implode(array_keys($told));
echo "the header may change\n";
echo outcome('k', substr_replace($item, pack_time((int) (microtime(true) * 1000)), 2, 6), $flags);
echo "a counter that the header claims\n";
$with_counter = fn (string $item, int $epoch): string => substr_replace(substr_replace($item, chr(0x29), 1, 1), pack('V', $epoch), 48, 0);
$cache->set('number', 5);
[$number, $number_flags] = get_raw($server, 'app:number');
foreach ([0x300, 0] as $epoch) {
    $server->raw("set app:k_increment $epoch 0 2\r\n42");
    $server->raw("set app:number_increment $epoch 0 2\r\n42");
    echo outcome('k', $with_counter($item, $epoch), $flags), outcome('number', $with_counter($number, $epoch), $number_flags);
}
echo outcome('number', $number, $number_flags);
$cache->increment('number');
[$counted, $number_flags] = get_raw($server, 'app:number');
echo outcome('number', $counted, $number_flags), outcome('number', substr_replace($counted, pack('V', 0x300), 48, 4), $number_flags);

echo "keys that change: the first signs, all verify\n";
$old = $make('old');
$both = $make(['new', 'old']);
$new = $make(['new']);
$old->set('r', 'one');
echo json_encode([$old->get('r'), $both->get('r'), $new->get('r')]), ' ', $forged($new), "\n";
$both->set('r', 'two');
echo json_encode([$old->get('r'), $both->get('r'), $new->get('r')]), ' ', $forged($old), "\n";
echo "a Pool without a key reads what is signed\n";
echo json_encode($make(null)->get('r')), "\n";
?>
--EXPECT--
bool(true)
{"a":1}
another key, with its fingerprint made right
"miss" forged
unsigned
"miss" forged
"miss" forged
"miss" forged
other flags
"miss" forged
"miss" forged
any bit of signature and payload, any cut with its fingerprint made right
"miss" forged
the header may change
{"a":1}
a counter that the header claims
"miss" forged
"miss" forged
"miss" forged
"miss" forged
5
6
"miss" forged
keys that change: the first signs, all verify
["one","one",null] 1
[null,"two","two"] 1
a Pool without a key reads what is signed
"two"
