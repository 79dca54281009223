--TEST--
A guarded Cache rejects copies, failover and invalid holdoff values
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$one = new Pool('127.0.0.1:1');
$two = ['127.0.0.1:1', '127.0.0.1:2'];
foreach ([
    fn () => new Cache(new Pool($two), copies: 2, guarded: true),
    fn () => new Cache(new Pool($two, failover: true), guarded: true),
    fn () => new Cache($one, guarded: true, holdoff: 0),
    fn () => new Cache($one, holdoff: -1),
    fn () => new Cache($one, holdoff: NAN),
    fn () => new Cache($one, guarded: true, holdoff: '10 seconds'),
] as $wrong) {
    try {
        $wrong();
        echo "taken\n";
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
new Cache(new Pool($two), copies: 2, guarded: false, holdoff: 1);
new Cache(new Pool($two, failover: true), holdoff: 1);
ob_start();
var_dump(new Cache($one, guarded: true, holdoff: 2.5));
preg_match('/\["guarded"\]=>\s+\S+\s+\["holdoff"\]=>\s+\S+/', ob_get_clean(), $found);
echo $found[0], "\n";
?>
--EXPECT--
LogicException: a guarded Cache has a single copy of each key: $copies must be 1
LogicException: a guarded Cache uses only each key's own server: the Pool must not fail over
ValueError: McPatterns\Cache::__construct(): Argument #16 ($holdoff) must be greater than 0
ValueError: McPatterns\Cache::__construct(): Argument #16 ($holdoff) must be greater than 0
ValueError: McPatterns\Cache::__construct(): Argument #16 ($holdoff) must be a finite number of seconds
TypeError: McPatterns\Cache::__construct(): Argument #16 ($holdoff) must be of type int|float, string given
["guarded"]=>
  bool(true)
  ["holdoff"]=>
  float(2.5)
