--TEST--
A postponed rebuild runs only if its claim is still the newest (C11)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/fpm.inc';

$server = start_memcached();
$fpm = start_fpm();
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

$pool = new Pool($_GET['server'], timeout: 10);
$cache = new Cache($pool, ttl: 100, lease: 0.05);
$other = new Cache($pool, ttl: 100);
$cache->remember('k', 100, function () use ($folder, $cache) {
    touch("$folder/running");
    for ($i = 0; $i < 5000 && !file_exists("$folder/go on"); $i++, clearstatcache()) {
        usleep(2000);
    }
    file_put_contents("$folder/ran", $_GET['meanwhile']);
    return 'rebuilt';
}, refresh: Refresh::AfterResponse);
usleep(60_000); // the lease is over by now
match ($_GET['meanwhile']) {
    'nothing' => null,
    'delete' => $other->delete('k'),
    'expire' => $other->expire('k'),
    'set' => $other->set('k', 'set'),
    'another elected' => $other->lookup('k'),
    'another stored' => $other->lookup('k') && $other->publish('k', 'stored'),
    'own set' => $cache->set('k', 'own'),
    'own abandon' => $cache->abandon('k'),
};
$cache->remember('end', 100, fn () => 'end', refresh: Refresh::AfterResponse);
echo json_encode(get_object_vars($other->entry('k'))['value']);
$GLOBALS['kept'] = [$cache, $other];
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
$run = function (string $meanwhile) use ($fpm, $server, $cache): ?array {
    @unlink("$fpm->folder/ran");
    @unlink("$fpm->folder/running");
    foreach (['k', 'end'] as $key) {
        $cache->set($key, 'old');
        $cache->expire($key);
    }
    $fpm->ask('page', http_build_query(['meanwhile' => $meanwhile, 'server' => $server->address]));
    $fpm->await(fn () => file_exists("$fpm->folder/running") || $cache->peek('end') === 'end');
    $envelope = get_envelope($server, 'k');
    touch("$fpm->folder/go on");
    $fpm->await(fn () => $cache->peek('end') === 'end');
    unlink("$fpm->folder/go on");
    echo $meanwhile, ': ', file_exists("$fpm->folder/ran") ? 'ran' : 'skipped', ', ', $cache->peek('k', 'gone'), "\n";
    return $envelope;
};
$run('nothing');
foreach (['delete', 'expire', 'set', 'another elected', 'another stored', 'own set', 'own abandon'] as $meanwhile) {
    $run($meanwhile);
}

echo "re-armed: while it runs its claim ends later than the one it was elected with\n";
$fpm->script('claim', <<<'PHP'
require $_GET['support'];
$server = new class($_GET['server']) {
    public function __construct(private string $address) {}
    public function raw(string $command): string { return speak($this->address, "$command\r\n", 5.0); }
};
$read = fn () => read_envelope(preg_replace('/^VALUE [^\r]+\r\n|\r\nEND\r\n$/', '', $server->raw('get k')))['claim'];
$cache = new McPatterns\Cache(new McPatterns\Pool($_GET['server'], timeout: 10), ttl: 100, lease: 5);
$cache->remember('k', 100, function () use ($read, &$before) {
    $after = $read();
    return ['same token' => $after[0] === $before[0], 'same lease' => $after[2] === $before[2], 'later by ms' => $after[1] - $before[1]];
}, refresh: McPatterns\Refresh::AfterResponse);
$before = $read();
usleep(50_000);
PHP);
$cache->set('k', 'old');
$cache->expire('k');
$fpm->ask('claim', http_build_query(['server' => $server->address, 'support' => realpath(__DIR__ . '/../../../_support/envelope.inc')]));
$fpm->await(fn () => is_array($cache->peek('k')));
$seen = $cache->peek('k');
var_dump($seen['same token'], $seen['same lease'], $seen['later by ms'] >= 50 && $seen['later by ms'] < 4000);
echo $fpm->log();
?>
--EXPECT--
nothing: ran, rebuilt
delete: skipped, gone
expire: skipped, old
set: skipped, set
another elected: skipped, old
another stored: skipped, stored
own set: skipped, own
own abandon: ran, rebuilt
re-armed: while it runs its claim ends later than the one it was elected with
bool(true)
bool(true)
bool(true)
