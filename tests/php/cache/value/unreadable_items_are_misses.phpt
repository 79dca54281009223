--TEST--
Foreign, truncated, corrupt, newer and misplaced envelopes are counted as misses (C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$good = make_envelope('k', 'value');
$now = (int) (microtime(true) * 1000);
$flipped = fn (int $at, int $bits) => substr_replace($good, chr(ord($good[$at]) ^ $bits), $at, 1);
$items = [
    'empty' => '',
    'foreign string' => ['value', 0],
    'foreign number' => ['42', 1],
    'an envelope without the mark' => [$good, 0],
    'another mark' => [$good, 0x00020000],
    'mark on a foreign value' => 'value',
    'mark on a long foreign value' => str_repeat('value', 100),
    'newer version' => $flipped(0, 0x03),
    'other magic' => $flipped(0, 0x10),
    'unknown state bit' => $flipped(1, 0x20),
    'claim that is not there' => $flipped(1, 0x02),
    'key of another' => make_envelope('other', 'value'),
    'fingerprint' => $flipped(27, 0x01),
    'last byte cut off' => substr($good, 0, -1),
    'cut off in the head' => substr($good, 0, 47),
    'one byte' => "\xE1",
    'a byte added' => $good . ' ',
    'soft end after the hard end' => make_envelope('k', 'value', ['soft' => $now + 9000, 'hard' => $now + 8000]),
    'election of the future' => make_envelope('k', 'value', ['newest' => 3, 'from' => 4]),
    'placeholder with a payload' => make_envelope('k', 'value', ['has_value' => false]),
    'tombstone with a value' => make_envelope('k', 'value', ['is_tombstone' => true]),
];
$methods = [
    'get' => fn ($cache) => $cache->get('k', 'miss') === 'miss',
    'peek' => fn ($cache) => $cache->peek('k', 'miss') === 'miss',
    'getMultiple' => fn ($cache) => $cache->getMultiple(['k'], 'miss') === ['k' => 'miss'],
    'has' => fn ($cache) => !$cache->has('k'),
    'entry' => fn ($cache) => $cache->entry('k')->status->name === 'Miss',
    'lookup' => fn ($cache) => $cache->lookup('k')->status->name === 'Miss',
];
$wrong = 0;
foreach ($items as $name => $item) {
    [$bytes, $flags] = is_array($item) ? $item : [$item, ENVELOPE_FLAG];
    put_raw($server, 'k', $bytes, $flags);
    foreach ($methods as $method => $is_miss) {
        $cache = new Cache($pool);
        if (!$is_miss($cache) || $cache->stats()['unreadable'] !== 1) {
            $wrong++;
            echo "$method of $name: unreadable ", $cache->stats()['unreadable'], "\n";
        }
    }
    // These leave it as it is ...
    $cache = new Cache($pool);
    if ($cache->increment('k') !== false || $cache->pull('k') !== null || $cache->replace('k', 1) || $cache->expire('k') || $cache->touch('k')
        || get_raw($server, 'k') !== [$bytes, $flags]) {
        $wrong++;
        echo "$name was changed\n";
    }
    // ... and what stores, stores over it.
    if ($cache->remember('k', null, fn () => 'computed') !== 'computed' || $cache->get('k') !== 'computed') {
        $wrong++;
        echo "$name was not replaced by remember\n";
    }
    put_raw($server, 'k', $bytes, $flags);
    if (!$cache->add('k', 'added') || $cache->get('k') !== 'added') {
        $wrong++;
        echo "$name was not replaced by add\n";
    }
    put_raw($server, 'k', $bytes, $flags);
    if ($cache->update('k', fn ($old) => [$old]) !== [null] || $cache->get('k') !== [null]) {
        $wrong++;
        echo "$name was not replaced by update\n";
    }
}
var_dump($wrong);

echo "and the good one is read\n";
put_raw($server, 'k', $good);
$cache = new Cache($pool);
var_dump($cache->get('k'), $cache->stats()['unreadable']);
?>
--EXPECT--
int(0)
and the good one is read
string(5) "value"
int(0)
