--TEST--
Each corrupt or missing TLS byte gives the right value or none
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

require __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/breaking_relay.inc';

const BYTES = 3000; // of the handshake and the answer there are fewer
define('STEP', at_full_size() ? 1 : 61);
$certificates = new TestCertificates();
$server = start_memcached(['tls' => $certificates, 'client_certificates' => true]);
$flag = tempnam(sys_get_temp_dir(), 'spoil');
$relay = start_breaking_relay($server->port, $flag);
$make = fn (float $seconds): Pool => new Pool($relay, connectTimeout: $seconds, timeout: $seconds, retryAfter: 0, persistent: false, transport: Transport::Direct, tls: $certificates->client_options());
$patient = new Cache($make(20));
var_dump($patient->set('key', 'value'));
$patient = null;

$found = ['flip' => ['value' => 0, 'none' => 0], 'cut' => ['value' => 0, 'none' => 0]];
$wrong = [];
for ($at = 0; $at < BYTES; $at += STEP) {
    foreach (['flip', 'cut'] as $how) {
        file_put_contents($flag, "$how $at");
        $pool = $make(0.2);
        $value = (new Cache($pool))->get('key');
        $found[$how][$value === null ? 'none' : 'value']++;
        $value === null || $value === 'value' || $wrong[] = "$how $at: " . get_debug_type($value);
        $value !== null || current($pool->lastErrors())['message'] !== '' || $wrong[] = "$how $at without a word";
        try {
            (new Counter($pool, 'counter'))->increment();
        } catch (McPatterns\Exception) {
        }
        $pool = null;
    }
}
file_put_contents($flag, '');
report_figures(sprintf('TLS, each byte spoiled: %d of %d flips and %d of %d cuts gave no value, the others the right one', $found['flip']['none'], array_sum($found['flip']), $found['cut']['none'], array_sum($found['cut'])));
foreach ($found as $how => $counts) {
    echo "$how: ", $counts['none'] > 5 ? 'no value, many times' : "none $counts[none] times", "\n";
}
echo 'wrong: ', implode(', ', $wrong) ?: 'nothing', "\n";
var_dump((new Cache($make(20)))->get('key'));
?>
--EXPECT--
bool(true)
flip: no value, many times
cut: no value, many times
wrong: nothing
string(5) "value"
