--TEST--
Lock rejects invalid names, TTLs and owners by the parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool};

$pool = new Pool('memory://m');
$attempts = [
    fn () => new Lock($pool, ''),
    fn () => new Lock($pool, 'a', ttl: 0),
    fn () => new Lock($pool, 'a', ttl: -1),
    fn () => new Lock($pool, 'a', ttl: NAN),
    fn () => new Lock($pool, 'a', ttl: -INF),
    fn () => new Lock($pool, 'a', skew: -1),
    fn () => new Lock($pool, 'a', skew: NAN),
    fn () => Lock::restore($pool, 'a', 'o', skew: -0.1),
    fn () => new Lock($pool, 'a', owner: ''),
    fn () => new Lock($pool, 'a', owner: str_repeat('o', 256)),
    fn () => new Lock($pool, 'a', ttl: 'long'),
    fn () => Lock::restore($pool, '', 'o'),
    fn () => Lock::restore($pool, 'a', ''),
    fn () => Lock::restore($pool, 'a', 'o', 0),
    fn () => (new Lock($pool, 'a'))->acquire(-1),
    fn () => (new Lock($pool, 'a'))->acquire(NAN),
    fn () => (new Lock($pool, 'a'))->run(fn () => 1, -INF),
    fn () => (new Lock($pool, 'a'))->run('no function'),
    fn () => (new Lock($pool, 'a'))->refresh(0),
    fn () => (new Lock($pool, 'a'))->refresh(-0.5),
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (TypeError | ValueError $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
$lock = new Lock($pool, "any \n bytes \0", ttl: 0.001, owner: str_repeat('o', 255));
var_dump(strlen($lock->owner()), preg_match('/^[0-9a-f]{32}$/', (new Lock($pool, 'a'))->owner()));
?>
--EXPECT--
ValueError: Lock::__construct(): Argument #2 ($name) must not be empty
ValueError: Lock::__construct(): Argument #3 ($ttl) must be greater than 0
ValueError: Lock::__construct(): Argument #3 ($ttl) must be greater than 0
ValueError: Lock::__construct(): Argument #3 ($ttl) must be a number of seconds or INF
ValueError: Lock::__construct(): Argument #3 ($ttl) must be a number of seconds or INF
ValueError: Lock::__construct(): Argument #6 ($skew) must be greater than or equal to 0
ValueError: Lock::__construct(): Argument #6 ($skew) must be a number of seconds or INF
ValueError: Lock::restore(): Argument #5 ($skew) must be greater than or equal to 0
ValueError: Lock::__construct(): Argument #4 ($owner) must be between 1 and 255 bytes long
ValueError: Lock::__construct(): Argument #4 ($owner) must be between 1 and 255 bytes long
TypeError: Lock::__construct(): Argument #3 ($ttl) must be of type DateInterval|Time\Duration|int|float, string given
ValueError: Lock::restore(): Argument #2 ($name) must not be empty
ValueError: Lock::restore(): Argument #3 ($owner) must be between 1 and 255 bytes long
ValueError: Lock::restore(): Argument #4 ($ttl) must be greater than 0
ValueError: Lock::acquire(): Argument #1 ($wait) must be greater than or equal to 0
ValueError: Lock::acquire(): Argument #1 ($wait) must be a number of seconds or INF
ValueError: Lock::run(): Argument #2 ($wait) must be a number of seconds or INF
TypeError: Lock::run(): Argument #1 ($work) must be a valid callback, function "no function" not found or invalid function name
ValueError: Lock::refresh(): Argument #1 ($ttl) must be greater than 0
ValueError: Lock::refresh(): Argument #1 ($ttl) must be greater than 0
int(255)
int(1)
