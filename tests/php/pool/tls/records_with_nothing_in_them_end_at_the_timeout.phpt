--TEST--
Endless empty TLS records end at the timeout
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
require __DIR__ . '/../../../_support/fatal_tls.inc';
skip_without_scripts();
skip_without_fatal_tls();
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/script.inc';
require __DIR__ . '/../../../_support/fatal_tls.inc';

$code = 'require ' . var_export(__DIR__ . '/../../../_support/fatal_tls.inc', true) . ';' . <<<'PHP'
use McPatterns\{Cache, Pool, Transport};
[, $address, $options] = $argv;
FatalTls::at('records');
// What the server really says stays in the socket, so that there is always something to receive.
$pool = new Pool($address, connectTimeout: 20, timeout: 0.4, transport: Transport::Direct, tls: json_decode($options, true));
var_dump((new Cache($pool))->get('key'));
echo current($pool->lastErrors())['message'], "\n";
PHP;
$certificates = new TestCertificates();
$server = start_memcached(['tls' => $certificates]);
echo run_script($code, [$server->address, json_encode($certificates->client_options())], FATAL_TLS_SETTINGS);
?>
--EXPECT--
NULL
the server did not reply within 400 ms
