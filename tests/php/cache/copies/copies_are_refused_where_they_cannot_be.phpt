--TEST--
Cache rejects more copies than servers or 8, and running numbers
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$refuse = function (callable $ask) {
    try {
        $ask();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
};
$two = new Pool(['memory://refused.a', 'memory://refused.b']);
$refuse(fn () => new Cache($two, copies: 2));
$refuse(fn () => new Cache($two, copies: 3));
$refuse(fn () => new Cache($two, copies: 0));
$refuse(fn () => new Cache($two, copies: 9));
$refuse(fn () => new Cache(new Pool('memory://refused.a'), copies: 2));
$refuse(fn () => new Cache($two, copies: 2, clearable: true));
$refuse(fn () => new Cache($two, copies: 2, foreign: true));
$cache = new Cache($two, copies: 2);
$cache->set('n', 5);
$refuse(fn () => $cache->tagged('t'));
$refuse(fn () => $cache->increment('n'));
$refuse(fn () => $cache->decrement('n'));
echo $cache->update('n', fn (int $n) => $n + 1), "\n";
ob_start();
var_dump($cache);
preg_match('/\["copies"\]=>\s+int\(\d\)/', ob_get_clean(), $found);
echo preg_replace('/\s+/', ' ', $found[0]), "\n";
?>
--EXPECT--
accepted
ValueError: McPatterns\Cache::__construct(): Argument #11 ($copies) must be at most the number of different servers in the Pool, 2
ValueError: McPatterns\Cache::__construct(): Argument #11 ($copies) must be between 1 and 8
ValueError: McPatterns\Cache::__construct(): Argument #11 ($copies) must be between 1 and 8
ValueError: McPatterns\Cache::__construct(): Argument #11 ($copies) must be at most the number of different servers in the Pool, 1
ValueError: McPatterns\Cache::__construct(): Argument #13 ($clearable) must be false for a Cache with several copies
ValueError: McPatterns\Cache::__construct(): Argument #14 ($foreign) must be false for a Cache with several copies
ValueError: a Cache with several copies cannot have tags
LogicException: a Cache with several copies cannot increment or decrement; use update()
LogicException: a Cache with several copies cannot increment or decrement; use update()
6
["copies"]=> int(2)
