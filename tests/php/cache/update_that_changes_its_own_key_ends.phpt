--TEST--
Cache::update() ends if $change changes the key each time, and the exception says so
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, ServerException};

$cache = new Cache(new Pool('memory://own'), ttl: 10);
try {
    $cache->update('k', function (mixed $old) use ($cache): int {
        $cache->set('k', 'its own');
        return 1;
    });
} catch (ServerException $failure) {
    echo $failure->getMessage(), "\n";
}
var_dump($cache->get('k'), $cache->stats()['gave_up']);
?>
--EXPECT--
Cannot update "k": contention: other clients, or $change itself, changed it 1000 times in a row
string(7) "its own"
int(1)
