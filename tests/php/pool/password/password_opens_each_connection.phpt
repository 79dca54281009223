--TEST--
A Pool's password authenticates each connection over TCP and unix sockets
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.transport=direct
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$unix = start_memcached(['password' => 'alice:s:c@ret%']);
$tcp = start_memcached(['password' => 'alice:s:c@ret%', 'tcp' => true]);
$open = start_memcached();

function works(string $how, Pool $pool): void
{
    $cache = new Cache($pool);
    $is_set = $cache->set('key', 'value') && $cache->get('key') === 'value';
    $pool->close();
    echo "$how: ", $is_set && $cache->get('key') === 'value' ? 'works' : json_encode($pool->lastErrors()), "\n";
}

$secret = ['user' => 'alice', 'password' => 's:c@ret%'];
works('unix', new Pool($unix->address, transport: Transport::Direct, user: 'alice', password: 's:c@ret%'));
works('tcp', new Pool($tcp->address, transport: Transport::Direct, user: 'alice', password: 's:c@ret%'));
works('several', new Pool([$unix->address, $tcp->address, $open->address], transport: Transport::Direct, user: 'alice', password: 's:c@ret%'));
works('its own', new Pool(str_replace('unix://', 'unix://alice:s:c%40ret%25@', $unix->address), transport: Transport::Direct));
works('its own first', new Pool(str_replace('unix://', 'unix://alice:s:c%40ret%25@', $unix->address), transport: Transport::Direct, user: 'bob', password: 'other'));
works('not persistent', new Pool($unix->address, transport: Transport::Direct, persistent: false, user: 'alice', password: 's:c@ret%'));
ini_set('mcpatterns.servers', $unix->address);
ini_set('mcpatterns.user', 'alice');
ini_set('mcpatterns.password', 's:c@ret%');
works('settings', Pool::default());
echo 'nothing is kept: ', json_encode($open->raw('get mcpatterns:auth')), "\n";
?>
--EXPECT--
unix: works
tcp: works
several: works
its own: works
its own first: works
not persistent: works
settings: works
nothing is kept: "END\r\n"
