--TEST--
Refresh::AfterResponse rebuilds immediately on the command line (C11)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Refresh};

$cache = new Cache(new Pool('memory://cli'));
$ask = function (string $key, string $new) use ($cache) {
    $cache->set($key, 'old');
    $cache->expire($key);
    return $cache->remember($key, 100, fn () => $new, refresh: Refresh::AfterResponse);
};
echo $ask('k', 'computed at once'), "\n";
echo $cache->remember('cold', 100, fn () => 'computed at once, cold', refresh: Refresh::AfterResponse), "\n";
echo $cache->remember('k', 100, fn () => 'never', refresh: Refresh::AfterResponse), "\n";
// Nobody is fooled by a function of the application that only has the name.
function fastcgi_finish_request() { echo "called\n"; }
echo $ask('k', 'computed at once again'), ', after_response: ', $cache->stats()['after_response'], "\n";
try {
    $cache->set('k', 'old');
    $cache->expire('k');
    $cache->remember('k', 100, fn () => throw new DomainException('reaches its caller'), refresh: Refresh::AfterResponse);
} catch (DomainException $exception) {
    echo $exception->getMessage(), "\n";
}
register_shutdown_function(function () use ($ask) {
    echo $ask('s', 'computed in a shutdown function'), "\n";
});
$GLOBALS['last'] = new class($ask) {
    public function __construct(private Closure $ask) {}
    public function __destruct() { echo ($this->ask)('d', 'computed in a destructor'), "\n"; }
};
?>
--EXPECT--
computed at once
computed at once, cold
computed at once
computed at once again, after_response: 0
reaches its caller
computed in a shutdown function
computed in a destructor
