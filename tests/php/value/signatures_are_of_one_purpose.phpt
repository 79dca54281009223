--TEST--
A signature of a value, row or event is invalid for others
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, EventLog, Pool, Table};

require __DIR__ . '/../../_support/envelope.inc';

Clock::freeze(1800000000.0);
$server = start_memcached();
$pool = new Pool($server->address, signingKey: 'secret');
$cache = new Cache($pool);
$table = new Table($pool, 'users');
$log = new EventLog($pool, 'errors', 60, 6);

/** The signature of flags 0, as docs/spec/storage.md has it. */
function sign(string $purpose, string $key, string $content): string
{
    $text = "mcpatterns $purpose 1\0" . pack('V', strlen($key)) . $key . pack('V3', 0, 0, 0) . $content;
    return substr(hash_hmac('sha256', $text, 'secret', true), 0, 16);
}

/** What is read of an item that was signed as each of them: its own signature stands $at, counted from the end when negative. */
function show(string $own, string $key, int $at, string $content, Closure $read): void
{
    global $server;
    [$item, $flags] = get_raw($server, $key);
    $was_signed_so = substr($item, $at, 16) === sign($own, $key, $content);
    echo "$own: ", $was_signed_so ? 'as documented' : 'otherwise', "\n";
    foreach (['value', 'row', 'event', 'hash'] as $purpose) {
        $forged = substr_replace($item, sign($purpose, $key, $content), $at, 16);
        put_raw($server, $key, $forged, $flags);
        echo "  signed as $purpose: ", json_encode($read()), "\n";
    }
}

$cache->set('key', 'text');
show('value', 'key', 48, 'text', fn () => $cache->peek('key'));
$table->put('7', 'text');
show('row', 'row:users:7', 16, 'text', fn () => $table->get('7'));
$log->append('text');
[$item] = get_raw($server, 'log:errors:180000000');
show('event', 'log:errors:180000000', -16, substr($item, 16, -16), fn () => array_column($log->last(), 1));
?>
--EXPECT--
value: as documented
  signed as value: "text"
  signed as row: null
  signed as event: null
  signed as hash: null
row: as documented
  signed as value: null
  signed as row: "text"
  signed as event: null
  signed as hash: null
event: as documented
  signed as value: []
  signed as row: []
  signed as event: ["text"]
  signed as hash: []
