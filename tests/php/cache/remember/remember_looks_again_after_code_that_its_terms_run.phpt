--TEST--
remember() reads again after an autoloader ran while validating its options
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10, transport: Transport::Direct), ttl: 100, grace: 100);
$other = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
$expire = function (string $text) use ($cache): void {
    $cache->set('k', str_repeat($text, 5000));
    $cache->expire('k');
};
$between = null;
$asked = 0;
spl_autoload_register(function (string $class) use (&$between, &$asked, $cache): void {
    $asked++;
    $cache->set('large', random_bytes(500_000));
    $cache->get('large');
    $between();
    eval("class $class { static function ttl() { return 50; } }");
});
/* A PHP with assertions asks it before the call, too. */
$told = function () use (&$asked): string {
    [$count, $asked] = [$asked, 0];
    return match (true) { $count === 0 => '', $count === 1, (bool) PHP_DEBUG => 'the autoloader: ', default => "the autoloader, $count times: " };
};
$show = fn (mixed $value): string => substr((string) $value, 0, 12);
$cases = [
    'nothing' => fn () => null, 'deleted' => fn () => $other->delete('k'), 'set' => fn () => $other->set('k', 'by another'),
    'claimed' => fn () => $other->lookup('k'), 'restarted' => function () use ($server): void { $server->kill(); $server->start(); },
];
foreach (array_keys($cases) as $number => $name) {
    $between = $cases[$name];
    $expire('old');
    $answer = $cache->remember('k', "Terms$number::ttl", fn () => 'computed');
    echo $told(), "$name: ", $show($answer), ', ', $show($cache->peek('k')), ' for ', max(0, round($cache->entry('k')->expiresIn, -1)), "\n";
}
echo "where it throws\n";
$between = fn () => throw new DomainException('of the autoloader');
foreach (['cold', 'k'] as $key) {
    try {
        $cache->delete('cold');
        $expire('old');
        $cache->remember($key, ["Missing", 'ttl'], fn () => print("computed\n"));
    } catch (Throwable $thrown) {
        echo $told(), $thrown::class, ': ', $thrown->getMessage(), "\n";
    }
}
echo $cache->remember('k', 60, fn () => 'the next one', wait: 0), ', waited ', $cache->stats()['waited'], "\n";
?>
--EXPECT--
the autoloader: nothing: computed, computed for 50
the autoloader: deleted: computed, computed for 50
the autoloader: set: by another, by another for 100
the autoloader: claimed: oldoldoldold, oldoldoldold for 0
the autoloader: restarted: computed, computed for 50
where it throws
the autoloader: DomainException: of the autoloader
the autoloader: DomainException: of the autoloader
the next one, waited 0
