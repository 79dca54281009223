--TEST--
SessionHandler works with session_set_save_handler(), and with only read() and write()
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Locking, LockTimeoutException, Pool, ServerException, SessionHandler, StoredValueException, TooLargeException};

require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);

function told(callable $work): string
{
    try {
        return json_encode($work());
    } catch (McPatterns\Exception | Error $failure) {
        return get_class($failure) . ': ' . preg_replace('/by \S+ \(pid \d+\) for \d+\.\d s \(\S+\)/', 'by HOST (pid PID) for TIME (PATH)', hide_servers($failure->getMessage(), 'SERVER'));
    }
}

echo "Behind PHP\n";
echo run_script(<<<'PHP'
    ob_start();
    ini_set('session.use_strict_mode', '1');
    session_set_save_handler(new McPatterns\SessionHandler(new McPatterns\Pool($argv[1], timeout: 10)), $argv[2] === 'registered');
    session_start();
    $id = session_id();
    $_SESSION['a'] = 1;
    session_write_close();
    session_id($id);
    session_start();
    echo json_encode([session_id() === $id, $_SESSION, strlen($id)]);
    session_regenerate_id(true);
    $_SESSION['b'] = 2;
    session_reset();
    echo json_encode([session_id() !== $id, $_SESSION]);
    $_SESSION['c'] = 3;
    file_put_contents($argv[3], session_id());
    exit("\n");
    PHP, [$server->address, 'not registered', $file = tempnam(sys_get_temp_dir(), 'id')], session_settings('', ['session.save_handler' => 'files']));
$next = new SessionHandler($pool, lockWait: 0);
echo $next->read(file_get_contents($file)), "\n"; // written at PHP's own end, and the lock was given back
unlink($file);
unset($next);

echo "Alone\n";
$first = new SessionHandler($pool, lockWait: 0, format: 'php_serialize');
$second = new SessionHandler($pool, lockWait: 0, format: 'php_serialize');
echo told(fn () => $first->read('one')), told(fn () => $first->write('one', serialize(['a' => 1]))), told(fn () => $first->holder('one')), "\n";
echo told(fn () => $first->read('one')), told(fn () => explode(' ', $first->holder('one'))[1] === (string) getmypid()), "\n";
echo told(fn () => $second->read('one')), "\n"; // of one thread: they share the hold
unset($first);
echo told(fn () => $second->holder('one') !== null), told(fn () => $second->close()), told(fn () => $second->holder('one')), "\n";
echo told(fn () => $second->write('one', serialize(['b' => 2]))), told(fn () => $second->write('one', serialize(['b' => 3]))), told(fn () => $second->read('one')), "\n";
echo told(fn () => $second->updateTimestamp('one', $second->read('one'))), told(fn () => $second->destroy('one')), told(fn () => $second->destroy('never')),
    told(fn () => $second->read('one')), told(fn () => $second->validateId('never2')), told(fn () => $second->gc(1)), strlen($second->create_sid()) > 20, "\n";
$second->close();

echo "A year\n";
$year = new SessionHandler($pool, ttl: 31_536_000, format: 'php_serialize');
echo told(fn () => $year->write('year', 'a:0:{}')), told(fn () => $year->read('year')), (int) preg_replace('/\D+/', '', $server->raw('mg sess:year t')) >= 31_535_000 ? ' lives as long' : ' ends', "\n";
$year->close();

echo "What it refuses\n";
$second->write('one', serialize(['a' => 1]));
echo told(fn () => (new SessionHandler($pool, format: 'igbinary'))->read('one')), "\n";
echo told(fn () => $second->write('one', serialize(['large' => random_bytes(1_200_000)]))), "\n";
echo told(fn () => $second->read('one')), "\n";
$second->close();
$server->raw("set sess:one:lock 0 0 5\r\nother");
echo told(fn () => $second->read('one')), "\n";
$server->raw('delete sess:one:lock');
foreach ([fn () => new SessionHandler($pool, lockWait: -1), fn () => new SessionHandler($pool, lockExpire: 0), fn () => new SessionHandler($pool, ttl: 0), fn () => new SessionHandler($pool, ttl: 10_000_000_001),
    fn () => new SessionHandler($pool, format: 'json'), fn () => new SessionHandler($pool, format: "php\0"), fn () => new SessionHandler($pool, foreignPrefix: "memc\0"), fn () => new SessionHandler($pool, mergeDepth: 9), fn () => $second->read(''),
    fn () => clone $second, fn () => serialize($second), fn () => (new ReflectionClass(SessionHandler::class))->newInstanceWithoutConstructor()->close()] as $wrong) {
    try {
        $wrong();
    } catch (Throwable $failure) {
        echo get_class($failure), ': ', $failure->getMessage(), "\n";
    }
}
$server->kill();
echo told(fn () => $second->validateId('one')), ' ', told(fn () => $second->read('one')), "\n";
?>
--EXPECT--
Behind PHP
[true,{"a":1},32][true,[]]
c|i:3;
Alone
""truenull
"a:1:{s:1:\"a\";i:1;}"true
"a:1:{s:1:\"a\";i:1;}"
truetruenull
truetrue"a:2:{s:1:\"a\";i:1;s:1:\"b\";i:3;}"
truetruetrue""false01
A year
true"a:0:{}" lives as long
What it refuses
McPatterns\StoredValueException: The session was written by serialize_handler php_serialize, and session.serialize_handler is igbinary; the stored session was kept
McPatterns\TooLargeException: The session has 1200099 bytes, the limit is 1048064 (largest: "large", 1200013); the stored session was kept
"a:1:{s:1:\"a\";i:1;}"
McPatterns\LockTimeoutException: The session is locked by other (pid -) for 0.0 s (-); gave up after 0 s
ValueError: McPatterns\SessionHandler::__construct(): Argument #3 ($lockWait) must be greater than or equal to 0
ValueError: McPatterns\SessionHandler::__construct(): Argument #4 ($lockExpire) must be greater than 0
ValueError: McPatterns\SessionHandler::__construct(): Argument #5 ($ttl) must be between 1 and 10000000000 seconds
ValueError: McPatterns\SessionHandler::__construct(): Argument #5 ($ttl) must be between 1 and 10000000000 seconds
ValueError: McPatterns\SessionHandler::__construct(): Argument #6 ($format) must be php, php_serialize, php_binary, igbinary or msgpack
ValueError: McPatterns\SessionHandler::__construct(): Argument #6 ($format) must be php, php_serialize, php_binary, igbinary or msgpack
ValueError: McPatterns\SessionHandler::__construct(): Argument #8 ($foreignPrefix) must be at most 250 bytes without spaces or control characters
ValueError: McPatterns\SessionHandler::__construct(): Argument #7 ($mergeDepth) must be between 1 and 8
ValueError: McPatterns\SessionHandler::read(): Argument #1 ($id) must not be empty
Error: Trying to clone an uncloneable object of class McPatterns\SessionHandler
Exception: Serialization of 'McPatterns\SessionHandler' is not allowed
ReflectionException: Class McPatterns\SessionHandler is an internal class marked as final that cannot be instantiated without invoking its constructor
true McPatterns\ServerException: The session could not be read on SERVER: the server could not be reached: connection refused, nothing listens there
