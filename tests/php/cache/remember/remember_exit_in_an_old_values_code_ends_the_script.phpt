--TEST--
exit() while decoding a staleOnError value ends the script (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

class Exiting
{
    public function __wakeup(): void
    {
        echo "exits\n";
        exit;
    }
}

Clock::freeze(1_000_000);
$cache = new Cache(new Pool('memory://exit'), ttl: 10, staleOnError: true);
$fail = fn () => throw new DomainException('not seen');
$cache->set('k', new Exiting);
Clock::advance(11);
register_shutdown_function(function () use ($cache, $fail): void {
    $cache->abandon('k');
    $cache->expire('k');
    $cache->rememberMany(['k'], null, $fail);
    echo "not reached\n";
});
try {
    $cache->remember('k', null, $fail);
} catch (DomainException) {
    echo "not reached either\n";
}
?>
--EXPECT--
exits
exits
