--TEST--
MC uses Pool::default() without MC::use(), and claims survive a change
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.servers=memory://default
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

var_dump(MC::set('k', 'value', false, 10), (new Cache(new Pool('memory://default')))->get('k'));
Clock::freeze();
Clock::advance(11);
var_dump(MC::get('k'), MC::get('k'));
$cache = new Cache(Pool::default());
MC::use($cache);
var_dump($cache->lookup('k')->status->name, $cache->publish('k', 'new'));
MC::use($cache);
try {
    MC::use(Pool::default());
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
class Site extends MC
{
    public static function get($key = null): mixed
    {
        return 'site: ' . parent::get($key);
    }
}
var_dump(Site::set('s', 'value'), Site::get('s'), class_exists('\MC'));
?>
--EXPECT--
bool(true)
string(5) "value"
bool(false)
string(5) "value"
string(4) "Busy"
bool(true)
McPatterns\MC::use(): Argument #1 ($cache) must be of type McPatterns\Cache, McPatterns\Pool given
bool(true)
string(11) "site: value"
bool(false)
