--TEST--
False replies over TLS cause no value and no crash
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
if (!in_array('tls', stream_get_transports())) {
    die('skip needs the openssl extension');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Counter, Pool, Transport};

require __DIR__ . '/../../../_support/tls_peer.inc';
require __DIR__ . '/../../../_support/workers.inc';

// Of the lies, told side by side: nearly all of the time is waited for those that do not answer.
const PARTS = 4;

$lies = [
    "", "\r\n", "\n", "END", "VALUE", "VALUE \r\n", "VALUE key\r\n", "VALUE key 0\r\n", "VALUE key 0 5\r\nvalue", "VALUE other 0 5 1\r\nvalue\r\nEND\r\n",
    "VALUE key 0 -1 1\r\n\r\nEND\r\n", "VALUE key 0 99999999999999999999 1\r\n", "VALUE key 0 4294967295 1\r\nx", "VALUE key 0 5 1\r\nvalueEND\r\n",
    "VALUE key 0 5 1\r\nvalue\r\nVALUE key 0 5 1\r\nother\r\nEND\r\n", "VALUE key 0 5 1\r\nvalue\r\nEND\r\nEND\r\n", "VALUE key 99999999999 5 1\r\nvalue\r\nEND\r\n",
    "VALUE " . str_repeat('k', 3000) . " 0 5 1\r\nvalue\r\nEND\r\n", str_repeat('x', 100000), str_repeat("STORED\r\n", 1000), "HTTP/1.1 400 Bad Request\r\n\r\n",
    "ERROR\r\n", "SERVER_ERROR out of memory\r\n", "CLIENT_ERROR bad\r\n", "STORED\r\nSTORED\r\n", "EXISTS\r\n", "OK\r\n", "HD\r\n", "MN\r\n", "VERSION \r\n",
    "STAT pid 1\r\n", "STAT \r\nEND\r\n", "18446744073709551616\r\n", "-1\r\n", "VA 5\r\nvalue\r\n", "\x00\x81\xff\r\n", "VALUE key 0 5 18446744073709551616\r\nvalue\r\nEND\r\n",
];
// Some of those that the C tests tell without TLS: keys of more lengths, and a list, which a package for users has not.
foreach ([251, 255, 256, 300, 340] as $length) {
    $lies[] = 'VALUE ' . str_repeat('A', $length) . " 0 1 7\r\nx\r\nEND\r\n";
}
$folder = __DIR__ . '/../../../store';
$source = is_dir($folder) ? file_get_contents("$folder/test_lying_servers.c") : '';
preg_match_all('/^\tBYTES\("((?:[^"\\\\]|\\\\.)*)"\),$/m', $source, $found);
array_push($lies, ...array_map(stripcslashes(...), $found[1]));
echo 'lies that were not understood: ', substr_count($source, "\tBYTES(") - count($found[1]), ', none: ', $source !== '' && $found[1] === [] ? 'yes' : 'no', "\n";

$certificates = new TestCertificates();
$is_asked = function ($connection, $listener): bool { // until another connection comes: this one may have been given up
    [$read, $none] = [[$connection, $listener], null];
    stream_select($read, $none, $none, 60);
    return in_array($connection, $read, true) && @fgets($connection) !== false;
};
/** A peer that tells what its file says. */
$start_liar = fn (string $told): string => 'tls://' . start_tls_peer($certificates, function ($connection, $_, $listener) use ($lies, $told, $is_asked) {
    [$number, $breaks_off] = explode(' ', @file_get_contents($told) ?: exit); // none: the test has ended
    while ($is_asked($connection, $listener) && ($lies[$number] === '' || @fwrite($connection, $lies[$number]))) {
        file_put_contents("$told.said", "$number $breaks_off\n", FILE_APPEND);
        if ($lies[$number] === '' || $breaks_off) {
            return;
        }
    }
});
$files = array_map(fn (): string => tempnam(sys_get_temp_dir(), 'lie'), range(1, PARTS));
$liars = array_map($start_liar, $files); // not by the workers, which end when nobody holds their socket any more

/** Has the lies of one part told, and returns what was said of them, and what was believed. @return array{list<string>, list<string>} */
$have_them_told = function (int $part) use ($lies, $files, $liars, $certificates): array {
    $told = $files[$part];
    $pool = new Pool($liars[$part], connectTimeout: 20, timeout: 0.02, retryAfter: 0, transport: Transport::Direct, tls: $certificates->client_options());
    $cache = new Cache($pool);
    $counter = new Counter($pool, 'counter');
    $contained = function (callable $ask): mixed {
        try {
            return $ask();
        } catch (McPatterns\Exception) {
            return null;
        }
    };
    // What nobody can have said truly: a value, where all that is said is a lie.
    $reads = [
        'get' => fn () => $cache->get('key') === null,
        'getMultiple' => fn () => $cache->getMultiple(['key', 'other']) === ['key' => null, 'other' => null],
        'has' => fn () => !$cache->has('key'),
    ];
    $others = [
        fn () => $counter->increment(),
        fn () => $counter->decrement(),
        fn () => $cache->set('key', 'value'),
        fn () => $cache->add('key', 'value'),
        fn () => $cache->update('key', fn ($value) => 'value'),
        fn () => $cache->delete('key'),
        fn () => $cache->setMultiple(['a' => str_repeat('a', 20000), 'b' => 'b']),
        fn () => $pool->stats(),
        fn () => $pool->ping(),
        fn () => $pool->flush(),
    ];
    $believed = [];
    for ($number = $part; $number < count($lies); $number += PARTS) {
        foreach ([0, 1] as $breaks_off) {
            $pool->close();
            file_put_contents("$told.new", "$number $breaks_off");
            rename("$told.new", $told); // a peer that reads meanwhile has one or the other
            $asked = 0;
            do { // on a busy machine all reads may be over before the peer has replied
                foreach ($reads as $name => $is_in_vain) {
                    $is_in_vain() || $believed[] = "$name: $lies[$number]";
                }
            } while (++$asked < 100 && !in_array("$number $breaks_off\n", is_file("$told.said") ? file("$told.said") : []));
            array_map($contained, $breaks_off === 0 ? $others : []);
        }
    }
    $said = array_values(array_unique(file("$told.said")));
    array_map(unlink(...), [$told, "$told.said"]);
    return [$said, $believed];
};
$results = run_workers(PARTS, $have_them_told, 100);
$said = count(array_unique(array_merge(...array_column($results, 0))));
echo 'said in both ways: ', $said === 2 * count($lies) ? 'all' : "$said of " . 2 * count($lies), "\n";
echo 'believed: ', implode(', ', array_merge(...array_column($results, 1))) ?: 'nothing', "\n";
?>
--EXPECT--
lies that were not understood: 0, none: no
said in both ways: all
believed: nothing
