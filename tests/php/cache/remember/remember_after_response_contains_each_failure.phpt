--TEST--
Postponed rebuilds run in order, and log their failures separately (C11)
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

$cache = new Cache(new Pool($_GET['server'], timeout: 10, compression: McPatterns\Compression::None), ttl: 100, lease: 1000);
$note = fn (string $what) => file_put_contents("$folder/order", "$what\n", FILE_APPEND);
$later = function (string $key, callable $compute, int|callable $ttl = 100) use ($cache, $note) {
    echo $cache->remember($key, $ttl, function () use ($key, $compute, $note) {
        $note($key);
        return $compute();
    }, staleOnError: true, refresh: Refresh::AfterResponse), ' ';
};
class Late
{
    public function __construct(private string $text) {}
    public function __destruct() { throw new RuntimeException("destructor $this->text"); }
}
$later('a', fn () => 'new a');
$later('b', fn () => throw new DomainException('no database'));
$later('c', fn () => 'new c');
$later('d', fn () => exit('nobody sees it'));
$later('e', fn () => 'new e', fn ($value) => -1);
$later('f', fn () => 'new f', fn ($value) => null);
$later('g', fn () => fn () => 1);
$later('h', fn () => str_repeat('x', 2_000_000));
$later('i', function () { new Late('i'); return 'new i'; });
$later('j', fn () => $cache->remember('inner', 50, fn () => 'computed inline', refresh: Refresh::AfterResponse));
$later('k', fn () => 'asks itself: ' . $cache->remember('k', 100, fn () => 'never', refresh: Refresh::AfterResponse));
$later('l', fn () => 'last ' . $cache->stats()['after_response']);
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10, compression: McPatterns\Compression::None), ttl: 100);
$keys = [...range('a', 'l'), 'inner'];
foreach ($keys as $key) {
    $cache->set($key, "old $key");
    $cache->expire($key);
}
echo $fpm->ask('page', 'server=' . urlencode($server->address)), "\n";
$fpm->await(fn () => str_starts_with($cache->peek('l'), 'last'));
echo str_replace("\n", ' ', file_get_contents("$fpm->folder/order")), "\n";
foreach ($keys as $key) {
    $envelope = get_envelope($server, $key);
    echo $key, ': ', $cache->peek($key), $envelope['claim'] ? ', claimed' : '', match ($envelope['failure'][0] ?? null) { null => '', 0 => ', marked', default => ", {$envelope['failure'][0]} failure" }, "\n";
}
echo $fpm->log();
?>
--EXPECT--
old a old b old c old d old e old f old g old h old i old j old k old l 
a b c d e f g h i j k l 
a: new a
b: old b, 1 failure
c: new c
d: old d
e: old e, 1 failure
f: old f
g: old g, marked
h: old h, marked
i: old i, 1 failure
j: computed inline
k: asks itself: old k
l: last 12
inner: computed inline
mcpatterns: computing "b" after the response failed: DomainException: no database
mcpatterns: computing "e" after the response failed: ValueError: McPatterns\Cache::remember(): Argument #2 ($ttl) must return between 0 and 10000000000 seconds, -1 returned
mcpatterns: computing "g" after the response failed: McPatterns\NotSerializableException: Cannot store the value of "g": not serializable: Serialization of 'Closure' is not allowed
mcpatterns: computing "h" after the response failed: McPatterns\TooLargeException: Cannot store the value of "h": it is larger than memcached's limit of 1 MiB
mcpatterns: computing "i" after the response failed: RuntimeException: destructor i
