--TEST--
Pools work in destructors, shutdown functions and session handlers at script end
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

ini_set('mcpatterns.servers', 'memory://m');

final class Keeper
{
    public function __construct(private Pool $pool) {}
    public function __destruct()
    {
        echo 'destructor: ', $this->pool->serverFor('k'), ' ', Pool::default()->serverFor('k'), "\n";
    }
}

$keeper = new Keeper(new Pool('memory://own', persistent: false));
$loop = new stdClass();
$loop->self = $loop;
$loop->keeper = $keeper;
register_shutdown_function(function () use ($keeper) {
    echo 'shutdown function: ', Pool::default()->serverFor('k'), "\n";
});
ob_start(function (string $output) {
    return $output . 'output handler: ' . Pool::default()->serverFor('k') . "\n";
});
?>
--EXPECT--
shutdown function: memory://m
destructor: memory://own memory://m
output handler: memory://m
