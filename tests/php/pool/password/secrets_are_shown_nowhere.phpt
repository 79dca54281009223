--TEST--
Passwords and passphrases appear in no message, trace, dump or metric
--EXTENSIONS--
mcpatterns
--INI--
zend.exception_ignore_args=0
zend.exception_string_param_max_len=200
mcpatterns.shared_memory=1M
mcpatterns.servers="unix://u:hunter2-own@/nowhere/socket,127.0.0.1:1"
mcpatterns.transport=direct
mcpatterns.user=alice
mcpatterns.password=hunter2-setting
mcpatterns.tls_passphrase=hunter2-passphrase
--FILE--
<?php
use McPatterns\{Cache, Counter, Metrics, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/wrong_server.inc';

$server = start_memcached(['password' => 'alice:hunter2']);
$liar = start_wrong_server("SERVER_ERROR alice hunter2-liar\r\n");
ob_start();
$pools = [
    new Pool($server->address, transport: Transport::Direct, user: 'alice', password: 'hunter2'),
    new Pool($server->address, transport: Transport::Direct, user: 'alice', password: 'hunter2-wrong'),
    new Pool($liar, transport: Transport::Direct, user: 'alice', password: 'hunter2-liar'),
    new Pool('tls://u:hunter2-own@127.0.0.1:1', transport: Transport::Direct, tls: ['passphrase' => 'hunter2-passphrase']),
    Pool::default(),
];
foreach ($pools as $pool) {
    $cache = new Cache($pool, near: 5);
    $cache->set('key', 'value');
    $cache->get('key');
    try {
        (new Counter($pool, 'visits'))->increment();
    } catch (Exception $exception) {
        echo $exception, "\n";
    }
    var_dump($pool, $pool->servers(), $pool->lastErrors(), $pool->ping(), $pool->stats(), $pool->serverFor('key'));
    print_r($pool);
    var_export($pool);
}
foreach ([
    ['u:hunter2@127.0.0.1'], ['tcp://u:hunter2@127.0.0.1'], ['tls://hunter2@127.0.0.1'], ['tls://u:hunter2@127.0.0.1:x'],
    ['tls://u:hunter 2@127.0.0.1'], [['tls://u:hunter2@a', 'tls://u:hunter2@a']], ['unix://u:hunter2@relative'], ['unix://u:hunter2@/a:0'],
    ['memory://u:hunter2@a'], ['memory://u:hunter2@a:0'],
    ['tls://u:hunter2@a', 'transport' => Transport::Libmemcached], ['a', 'user' => 'u', 'password' => 'hunter2', 'transport' => Transport::Libmemcached],
    ['a', 'password' => 'hunter2', 'transport' => Transport::Direct], ['a', 'user' => 'u', 'password' => 'hunter 2', 'transport' => Transport::Direct],
    ['a', 'tls' => ['passphrase' => ['hunter2']], 'transport' => Transport::Direct],
    ['a', 'tls' => ['passphrase' => 'hunter2', 'nonsense' => 1], 'transport' => Transport::Direct],
] as $arguments) {
    try {
        new Pool(...$arguments);
        echo "accepted\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n", $error->getTraceAsString(), "\n";
        print_r($error->getTrace()[0]['args']);
    }
}
phpinfo(INFO_MODULES);
print_r(Metrics::read());
echo Metrics::prometheus();
print_r(Metrics::trace());
$shown = ob_get_clean();

echo substr_count($shown, 'hunter'), " in what was shown, accepted ", substr_count($shown, "accepted\n"), "\n";
// The memory that processes share, as this one has it.
$found = 0;
foreach (file('/proc/self/maps') as $line) {
    if (preg_match('/^([0-9a-f]+)-([0-9a-f]+) rw-s \S+ \S+ \S+ *(.*)/', $line, $part) && !str_contains($part[3], 'opcache')) {
        $memory = fopen('/proc/self/mem', 'r');
        fseek($memory, hexdec($part[1]));
        $found += substr_count((string) fread($memory, hexdec($part[2]) - hexdec($part[1])), 'hunter2');
        $looked = true;
    }
}
echo $found, ' in the shared memory, ', isset($looked) ? 'looked at' : 'there is none', "\n";
preg_match_all('/^mcpatterns\.(?:servers|user|password|tls_passphrase) => .*/m', $shown, $settings);
echo implode("\n", $settings[0]), "\n";
?>
--EXPECT--
0 in what was shown, accepted 0
0 in the shared memory, looked at
mcpatterns.password => set => set
mcpatterns.servers => ...@/nowhere/socket,127.0.0.1:1 => ...@/nowhere/socket,127.0.0.1:1
mcpatterns.tls_passphrase => set => set
mcpatterns.user => alice => alice
