--TEST--
rememberMany() releases all claims and stores nothing if its callback fails (C6, C12)
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/script.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10, compression: McPatterns\Compression::None);
$reset = function () use ($pool) {
    $cache = new Cache($pool);
    $cache->deleteMultiple(['hot', 'cold', 'fresh', 'last']);
    $cache->setMultiple(['hot' => 'old', 'fresh' => 'fresh', 'last' => 'old last']);
    $cache->expire('hot');
    $cache->expire('last');
};
$tell = function (array $keys) use ($server) {
    foreach ($keys as $key) {
        $envelope = get_envelope($server, $key);
        $said[] = "$key " . ($envelope['claim'] ? 'claimed' : 'free') . ($envelope['failure'] ? ($envelope['failure'][0] ? ', pause' : ', mark') : '') . ', ' . ($envelope['has_value'] ? $envelope['payload'] : 'no value');
    }
    return implode('; ', $said);
};
$attempt = function (string $name, callable $compute, array $keys = ['hot', 'cold', 'fresh', 'last'], bool $staleOnError = false) use ($pool, $reset, $tell) {
    $reset();
    $cache = new Cache($pool, lease: 1000, staleOnError: $staleOnError);
    try {
        $values = $cache->rememberMany($keys, 100, $compute);
        $answer = json_encode(array_map(fn ($value) => match (true) { $value instanceof Closure => 'a closure', strlen($value) > 1000 => 'a long one', default => $value }, $values));
    } catch (Throwable $exception) {
        $answer = get_class($exception) . ': ' . $exception->getMessage();
    }
    echo "$name: $answer\n    ", $tell($keys), "\n";
};
$attempt('throws', fn () => throw new DomainException('no database'));
$attempt('returns no array', fn () => 'text');
$attempt('returns null', fn () => null);
$attempt('returns an object', fn () => new ArrayObject(['hot' => 1]));
$attempt('too large', fn () => ['hot' => 'new', 'cold' => str_repeat('x', 2_000_000), 'last' => 'new last']);
$attempt('cannot be stored', fn () => ['hot' => fn () => 1, 'cold' => 'new', 'last' => 'new last']);
$attempt('staleOnError, all keys have an old value', fn () => throw new DomainException('no database'), ['hot', 'fresh', 'last'], true);
$attempt('staleOnError, one has none', fn () => throw new DomainException('no database'), ['hot', 'cold', 'last'], true);
$attempt('staleOnError, no array', fn () => 1, ['hot', 'last'], true);
$attempt('sets a key itself', function () use ($pool) {
    (new Cache($pool))->set('hot', 'set meanwhile');
    (new Cache($pool))->delete('last');
    return ['hot' => 'new', 'cold' => 'new', 'last' => 'new last'];
}, ['hot', 'cold', 'fresh']);

foreach (['exit' => 'exit', 'fatal' => 'eval("class Broken implements Countable {}")', 'user error' => 'trigger_error("user error", E_USER_ERROR)'] as $name => $end) {
    $reset();
    run_script('$cache = new McPatterns\Cache(new McPatterns\Pool($argv[1], timeout: 10), lease: 1000);
        $cache->rememberMany(["hot", "cold", "last"], 100, function () { ' . $end . '; });', [$server->address]);
    echo "$name: ", $tell(['hot', 'cold', 'last']), "\n";
}

echo "what is wrong with the arguments is said before anything is asked for\n";
$cache = new Cache($pool);
foreach ([[[''], 1], [[null], 1], [[[]], 1], [['a'], -1], [['a'], NAN]] as [$keys, $ttl]) {
    try {
        $cache->rememberMany($keys, $ttl, fn () => print('called'));
    } catch (TypeError | ValueError $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
throws: DomainException: no database
    hot free, pause, old; cold free, pause, no value; fresh free, fresh; last free, pause, old last
returns no array: TypeError: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array, string returned
    hot free, pause, old; cold free, pause, no value; fresh free, fresh; last free, pause, old last
returns null: TypeError: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array, null returned
    hot free, pause, old; cold free, pause, no value; fresh free, fresh; last free, pause, old last
returns an object: TypeError: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array, ArrayObject returned
    hot free, pause, old; cold free, pause, no value; fresh free, fresh; last free, pause, old last
too large: {"hot":"new","cold":"a long one","fresh":"fresh","last":"new last"}
    hot free, new; cold free, mark, no value; fresh free, fresh; last free, new last
cannot be stored: {"hot":"a closure","cold":"new","fresh":"fresh","last":"new last"}
    hot free, mark, old; cold free, new; fresh free, fresh; last free, new last
staleOnError, all keys have an old value: {"hot":"old","fresh":"fresh","last":"old last"}
    hot free, pause, old; fresh free, fresh; last free, pause, old last
staleOnError, one has none: DomainException: no database
    hot free, pause, old; cold free, pause, no value; last free, pause, old last
staleOnError, no array: {"hot":"old","last":"old last"}
    hot free, pause, old; last free, pause, old last
sets a key itself: {"hot":"new","cold":"new","fresh":"fresh"}
    hot free, set meanwhile; cold free, new; fresh free, fresh
exit: hot free, old; cold free, no value; last free, old last
fatal: hot free, old; cold free, no value; last free, old last
user error: hot free, old; cold free, no value; last free, old last
what is wrong with the arguments is said before anything is asked for
ValueError: McPatterns\Cache::rememberMany(): Argument #1 ($keys) must not contain an empty key
TypeError: McPatterns\Cache::rememberMany(): Argument #1 ($keys) must be a list of strings, null found
TypeError: McPatterns\Cache::rememberMany(): Argument #1 ($keys) must be a list of strings, array found
ValueError: McPatterns\Cache::rememberMany(): Argument #2 ($ttl) must be greater than or equal to 0
ValueError: McPatterns\Cache::rememberMany(): Argument #2 ($ttl) must be a number of seconds or INF
