--TEST--
Each callable that remember() accepts can be called after the response
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/fpm.inc';

$server = start_memcached();
$fpm = start_fpm();
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

error_reporting(E_ALL & ~E_DEPRECATED); // 8.2 wants other words for parent:: in callables
function load() { return 'function'; }
class Base
{
    protected function load() { return 'parent of ' . static::class; }
}
class Page extends Base
{
    public function __construct(private string $name) {}
    private function hidden() { return "private of $this->name"; }
    private static function helper() { return 'private static'; }
    private function lifetime($value) { return strlen($value); }
    public function __call($method, $arguments) { return $method === 'seconds' ? 1000 : "__call $method with " . count($arguments); }
    public static function __callStatic($method, $arguments) { return "__callStatic $method"; }
    public function __invoke() { return "__invoke of $this->name"; }
    public function remember(Cache $cache)
    {
        $callables = [
            'array' => [$this, 'hidden'], 'self' => 'self::helper', 'parent' => [$this, 'parent::load'], 'string' => [self::class, 'helper'],
            'magic' => [$this, 'magic'], 'static magic' => 'Page::magic', 'invokable' => $this, 'first class' => $this->hidden(...),
            'function' => 'load', 'internal' => 'pi', 'magic first class' => $this->magic(...), 'static closure' => static fn () => 'static closure',
        ];
        foreach ($callables as $key => $callable) {
            $cache->remember($key, [$this, 'lifetime'], $callable, refresh: Refresh::AfterResponse);
        }
        $cache->remember('last', [$this, 'seconds'], fn () => 'lifetime by __call', refresh: Refresh::AfterResponse);
    }
}
(new Page('page'))->remember(new Cache(new Pool($_GET['server'], timeout: 10)));
(new Page('cold'))->remember(new Cache(new Pool($_GET['server'], timeout: 10), 'cold:'));
gc_collect_cycles();
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10));
$keys = ['array', 'self', 'parent', 'string', 'magic', 'static magic', 'invokable', 'first class', 'function', 'internal', 'magic first class', 'static closure', 'last'];
foreach ($keys as $key) {
    $cache->set($key, 'old');
    $cache->expire($key);
}
echo $fpm->ask('page', 'server=' . urlencode($server->address)), "\n";
$fpm->await(fn () => $cache->peek('last') !== 'old');
foreach ($keys as $key) {
    $entry = $cache->entry($key);
    echo $key, ': ', $entry->value, ', for ', round($entry->expiresIn + $entry->age), " s\n";
}
echo $fpm->log();
?>
--EXPECT--

array: private of page, for 15 s
self: private static, for 14 s
parent: parent of Page, for 14 s
string: private static, for 14 s
magic: __call magic with 0, for 19 s
static magic: __callStatic magic, for 18 s
invokable: __invoke of page, for 16 s
first class: private of page, for 15 s
function: function, for 8 s
internal: 3.1415926535898, for 15 s
magic first class: __call magic with 0, for 19 s
static closure: static closure, for 14 s
last: lifetime by __call, for 1000 s
