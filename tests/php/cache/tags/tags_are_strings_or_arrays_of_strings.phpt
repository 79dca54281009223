--TEST--
Tags other than strings throw a TypeError and invalidate nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

final class Name
{
    public function __toString(): string
    {
        return 'a';
    }
}

$cache = new Cache(new Pool('memory://types'), ttl: 60);
$cache->tagged('a', '1')->set('k', 'value');
$wrong = [true, 1, 1.5, null, new Name(), ['a', 1], ['a', ['1']], [new Name()]];
foreach (['tagged', 'invalidateTags', 'deleteTags'] as $method) {
    foreach ($wrong as $number => $tag) {
        try {
            $cache->$method('a', $tag);
            echo "$method takes $number\n";
        } catch (TypeError $error) {
            echo $method === 'deleteTags' ? $error->getMessage() . "\n" : '';
        }
    }
    foreach ([['tags' => 'a'], ['a', 'strict' => true], ['a', 'b' => '1']] as $named) {
        try {
            $cache->$method(...$named);
            echo "$method takes ", json_encode($named), "\n";
        } catch (ArgumentCountError $error) {
            echo preg_replace('/^Internal function (.*) named variadic arguments$/', '$1 unknown named parameters', $error->getMessage()), "\n"; // PHP 8.6
        }
    }
}
$tag = 'a';
$list = ['x', &$tag];
echo $cache->get('k'), ', ', $cache->tagged(['x' => 'a'], '1')->get('k'), "\n";
var_dump($cache->deleteTags($list), $cache->get('k'));
?>
--EXPECT--
McPatterns\Cache::tagged() expects at least 1 argument, 0 given
McPatterns\Cache::tagged() does not accept unknown named parameters
McPatterns\Cache::tagged() does not accept unknown named parameters
McPatterns\Cache::invalidateTags() expects at least 1 argument, 0 given
McPatterns\Cache::invalidateTags() does not accept unknown named parameters
McPatterns\Cache::invalidateTags() does not accept unknown named parameters
McPatterns\Cache::deleteTags(): Argument #2 must be of type array|string, bool given
McPatterns\Cache::deleteTags(): Argument #2 must be of type array|string, int given
McPatterns\Cache::deleteTags(): Argument #2 must be of type array|string, float given
McPatterns\Cache::deleteTags(): Argument #2 must be of type array|string, null given
McPatterns\Cache::deleteTags(): Argument #2 must be of type array|string, Name given
McPatterns\Cache::deleteTags(): Argument #2 must be an array of strings, int found
McPatterns\Cache::deleteTags(): Argument #2 must be an array of strings, array found
McPatterns\Cache::deleteTags(): Argument #2 must be an array of strings, Name found
McPatterns\Cache::deleteTags() expects at least 1 argument, 0 given
McPatterns\Cache::deleteTags() does not accept unknown named parameters
McPatterns\Cache::deleteTags() does not accept unknown named parameters
value, value
bool(true)
NULL
