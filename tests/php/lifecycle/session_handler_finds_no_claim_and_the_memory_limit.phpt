--TEST--
A session handler after the request sees released claims and memory_limit
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
skip_without_extensions('session');
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

putenv('USE_ZEND_ALLOC=1'); // valgrind's runs are without it, and then there is no memory limit
$code = <<<'PHP'
use McPatterns\{Cache, Pool};

final class Handler extends SessionHandler
{
    public function __construct(private Cache $cache) {}
    public function write(string $id, string $data): bool
    {
        echo 'published: ', json_encode($this->cache->publish('k', 'under a claim that was given back')), ', ';
        echo $this->cache->lookup('k')->status->name, ', ', $this->cache->peek('k'), "\n";
        $large = str_repeat('x', 64_000_000);
        echo "memory without a limit\n";
        return true;
    }
}
$cache = new Cache(new Pool('memory://m'), ttl: 100, lease: 300);
$cache->set('k', 'old');
$cache->expire('k');
$cache->lookup('k'); // is elected
session_set_save_handler(new Handler($cache), false); // false: written when all shutdown functions are over
session_start();
$_SESSION['x'] = 1;
PHP;
$settings = ['memory_limit' => '32M', 'session.use_cookies' => '0', 'session.cache_limiter' => '', 'session.save_path' => sys_get_temp_dir(), 'fatal_error_backtraces' => '0'];
// A debug build also says where in the engine. PHP 8.6 also says that it does not call the handler again.
echo preg_replace('/ at \S+:\d+| \(tried.*| in \S+ on line \d+|\n\nWarning: PHP Request Shutdown: Cannot call session .* on line 0/', '', run_script($code, [], $settings));
?>
--EXPECT--
published: false, Elected, old

Fatal error: Allowed memory size of 33554432 bytes exhausted
