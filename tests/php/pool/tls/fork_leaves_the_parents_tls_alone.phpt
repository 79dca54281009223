--TEST--
A forked child's TLS connection never disturbs its parent's
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
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require_once __DIR__ . '/../../../_support/certificates.inc';

$certificates = new TestCertificates();
$server = start_memcached(['tls' => $certificates]);
$arguments = [$server->address, 'connectTimeout' => 5, 'timeout' => 5, 'transport' => Transport::Direct, 'tls' => $certificates->client_options()];
$pools = [new Pool(...$arguments), new Pool(...$arguments, persistent: false)];
$works = fn () => array_sum(array_map(fn ($pool) => (int) ((new Cache($pool))->set('key', 'v') && (new Cache($pool))->get('key') === 'v'), $pools));
echo 'before: ', $works(), "\n";
$total = fn () => (int) $server->stats()['total_connections'];
$before = $total();
foreach (['uses', 'closes', 'only ends', 'drops pools and ends'] as $what) {
    $child = pcntl_fork();
    if ($child === 0) {
        if ($what === 'uses') {
            exit($works());
        }
        if ($what === 'closes') {
            array_map(fn ($pool) => $pool->close(), $pools);
            exit($works());
        }
        if ($what === 'drops pools and ends') {
            $pools = [];
        }
        exit(0);
    }
    pcntl_waitpid($child, $status);
    echo "child $what: ", pcntl_wexitstatus($status), ', parent: ', $works(), "\n";
}
// Two children with two connections each, and what asked the server; the parent made none anew.
echo 'new connections: ', $total() - $before - 1, "\n";
?>
--EXPECT--
before: 2
child uses: 2, parent: 2
child closes: 2, parent: 2
child only ends: 0, parent: 2
child drops pools and ends: 0, parent: 2
new connections: 4
