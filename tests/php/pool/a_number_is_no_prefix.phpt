--TEST--
A number as $prefix throws a TypeError, a string of digits works
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$port = 22122;
$calls = [
    fn () => new Pool('127.0.0.1', 22122),
    fn () => new Pool('127.0.0.1', $port),
    fn () => new Pool(prefix: 1.5),
    fn () => new Cache(new Pool('memory://numbers'), 60),
    fn () => new Cache(new Pool('memory://numbers'), prefix: 0.5),
];
foreach ($calls as $call) {
    try {
        $call();
        echo "accepted\n";
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
$digits = new Cache(new Pool('memory://numbers', '7'), '60');
$digits->set('key', 'value');
echo $digits->get('key'), ', ', (new Cache(new Pool('memory://numbers', prefix: '76')))->get('0key'), "\n";
?>
--EXPECT--
McPatterns\Pool::__construct(): Argument #2 ($prefix) must be of type string, int given; specify the port in $servers, as in "127.0.0.1:11211"
McPatterns\Pool::__construct(): Argument #2 ($prefix) must be of type string, int given; specify the port in $servers, as in "127.0.0.1:11211"
McPatterns\Pool::__construct(): Argument #2 ($prefix) must be of type string, float given; specify the port in $servers, as in "127.0.0.1:11211"
McPatterns\Cache::__construct(): Argument #2 ($prefix) must be of type string, int given; pass a TTL as ttl:
McPatterns\Cache::__construct(): Argument #2 ($prefix) must be of type string, float given; pass a TTL as ttl:
value, value
