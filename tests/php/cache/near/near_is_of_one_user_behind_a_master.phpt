--TEST--
Users behind one php-fpm master never share near values, but see deletes (P5, P2)
--EXTENSIONS--
mcpatterns
posix
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
if (posix_geteuid() !== 0 || !posix_getpwnam('www-data') || !posix_getpwnam('nobody') || !posix_getpwnam('daemon')) {
    die('skip needs root, and the users www-data, nobody and daemon');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/fpm.inc';

$own = start_memcached();
$open = start_memcached();
chown($own->host, 'www-data');
chmod($own->host, 0700);
chmod($open->host, 0777);
let_others_pass($own->host);
let_others_pass($open->host);
foreach ([$own, $open] as $server) {
    foreach ([null, 'secret'] as $key) {
        (new Cache(new Pool($server->address, prefix: "a$key.", signingKey: $key)))->set('k', "a's own");
    }
}
$fpm = start_fpm(['user' => 'www-data', 'group' => 'www-data'], 1, [
    'same' => ['user' => 'www-data', 'group' => 'www-data'],
    'other' => ['user' => 'nobody', 'group' => 'nogroup'],
    'group' => ['user' => 'www-data', 'group' => 'daemon'],
]);
$fpm->script('read', <<<'PHP'
    $pool = new McPatterns\Pool($_GET['server'], prefix: "a$_GET[key].", signingKey: $_GET['key'] ?: null);
    $cache = new McPatterns\Cache($pool, near: 60);
    isset($_GET['delete']) && $cache->delete('k');
    $value = $cache->get('k');
    echo json_encode($value), $cache->stats()['near_shared'] > 0 ? ' near' : ' asked',
        current($pool->lastErrors()) === null ? '' : ', and was refused';
    PHP);
$ask = fn (string $pool, object $server, string $key = '', string $and = ''): string =>
    $fpm->ask('read', 'server=' . urlencode($server->address) . "&key=$key$and", pool: $pool);

foreach (['' => 'plain', 'secret' => 'signed'] as $key => $name) {
    echo "$name\n";
    echo '  his own socket: ', $ask('fpm', $own, $key), ', ', $ask('same', $own, $key), "\n";
    echo '  another user names it: ', $ask('other', $own, $key), "\n";
    echo '  another group: ', $ask('group', $own, $key), "\n";
}
echo "a server that is open to all\n";
echo '  one: ', $ask('fpm', $open), ', ', $ask('same', $open), "\n";
echo '  another: ', $ask('other', $open), ', ', $ask('other', $open), "\n";
echo '  another deletes: ', $ask('other', $open, and: '&delete'), ', so the first has ', $ask('fpm', $open), "\n";
?>
--EXPECT--
plain
  his own socket: "a's own" asked, "a's own" near
  another user names it: null asked, and was refused
  another group: "a's own" asked
signed
  his own socket: "a's own" asked, "a's own" near
  another user names it: null asked, and was refused
  another group: "a's own" asked
a server that is open to all
  one: "a's own" asked, "a's own" near
  another: "a's own" asked, "a's own" near
  another deletes: null asked, so the first has null asked
