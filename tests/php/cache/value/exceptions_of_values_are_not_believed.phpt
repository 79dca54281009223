--TEST--
A forged exception trace never changes how a decoding failure is classified
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

/** Throws what is stored in it. */
class Carrier
{
    public mixed $thrown = null;

    public function __wakeup(): void
    {
        throw $this->thrown;
    }
}

/** Throws an exception whose trace is what the test wants it to be. */
class Forger
{
    public static mixed $trace = [];

    public function __unserialize(array $data): void
    {
        $exception = new DomainException('forged');
        (new ReflectionProperty(Exception::class, 'trace'))->setValue($exception, self::$trace);
        throw $exception;
    }
}

/** Makes the engine throw below user code, and catches it or not. */
class Nester
{
    public static bool $catches = true;

    public function __unserialize(array $data): void
    {
        global $cache;
        try {
            $cache->get('');
        } catch (ValueError $error) {
            if (!self::$catches) {
                throw $error;
            }
        }
    }
}

class Strict
{
    public int $number = 1;
}

$server = start_memcached();
$cache = new Cache(new Pool($server->address));
function read(string $payload, string $method = 'get'): string
{
    global $server, $cache;
    put_raw($server, 'k', make_envelope('k', $payload), envelope_flags(4));
    $thrown = null;
    $pool = new Pool($server->address);
    $pool->onError(function (string $message, array $context) use (&$thrown) { $thrown = $context['exception'] ?? null; });
    $cache = new Cache($pool);
    $answer = $cache->$method('k', 'a miss');
    return get_debug_type($answer) . ', ' . ($thrown ? get_class($thrown) . ': ' . $thrown->getMessage() : 'nothing thrown');
}
function carrier(string $trace): string
{
    $exception = 'O:15:"DomainException":2:{s:10:"' . "\0*" . '\0message";';
    $exception = 'O:15:"DomainException":2:{s:10:"' . "\0*\0" . 'message";s:6:"stored";s:16:"' . "\0Exception\0" . "trace\";$trace}";
    return "O:7:\"Carrier\":1:{s:6:\"thrown\";$exception}";
}
echo "traces from the bytes\n";
$ours = 's:8:"function";s:3:"get";s:5:"class";s:16:"McPatterns\Cache";';
foreach (['a:0:{}', 'a:1:{i:0;i:1;}', 'a:1:{i:0;a:0:{}}', 'a:1:{i:0;a:2:{s:8:"function";i:1;s:5:"class";i:2;}}',
    'a:2:{i:0;a:2:{s:8:"function";s:1:"f";s:5:"class";a:0:{}}i:1;i:7;}', "a:1:{i:0;a:2:{{$ours}}}"] as $trace) {
    echo read(carrier($trace)), "\n";
}
echo "traces from reflection\n";
foreach ([[], [1], ['x'], [null], [['function' => 1, 'class' => 2]], [['class' => []]], [['class' => 'DateTime'], 5],
    [['function' => 'get', 'class' => Cache::class]], [['class' => 'DateTime'], ['function' => 'get', 'class' => Cache::class]]] as Forger::$trace) {
    echo read('O:6:"Forger":0:{}'), "\n";
}
echo "below user code\n";
echo read('O:6:"Nester":0:{}'), "\n";
Nester::$catches = false;
echo read('O:6:"Nester":0:{}'), "\n";
echo "the engine's own\n";
echo read('O:6:"Strict":1:{s:6:"number";s:3:"abc";}'), "\n";
echo read('O:8:"DateTime":1:{s:4:"date";s:3:"abc";}'), "\n";
echo read('O:7:"Closure":0:{}'), "\n";
echo read('O:11:"ArrayObject":1:{i:0;i:1;}'), "\n";
echo read('O:6:"Strict":1:{s:6:"number";s:3:"abc";}', 'pull'), "\n";
echo "and remember() still computes\n";
put_raw($server, 'k', make_envelope('k', 'O:6:"Strict":1:{s:6:"number";s:3:"abc";}'), envelope_flags(4));
var_dump($cache->remember('k', null, fn () => 'computed'));

echo "what __serialize() throws in the engine's words stays as it is\n";
class Refuser
{
    public function __serialize(): array
    {
        throw new Exception("Serialization of 'X' is not allowed");
    }
}
try {
    $cache->set('k', new Refuser);
} catch (Throwable $thrown) {
    echo get_class($thrown), ': ', $thrown->getMessage(), "\n";
}
?>
--EXPECT--
traces from the bytes
string, DomainException: stored
string, DomainException: stored
string, DomainException: stored
string, DomainException: stored
string, DomainException: stored
string, DomainException: stored
traces from reflection
string, DomainException: forged
string, DomainException: forged
string, DomainException: forged
string, DomainException: forged
string, DomainException: forged
string, DomainException: forged
string, DomainException: forged
string, DomainException: forged
string, DomainException: forged
below user code
Nester, nothing thrown
string, ValueError: McPatterns\Cache::get(): Argument #1 ($key) must not be empty
the engine's own
string, nothing thrown
string, nothing thrown
string, nothing thrown
string, nothing thrown
string, nothing thrown
and remember() still computes
string(8) "computed"
what __serialize() throws in the engine's words stays as it is
Exception: Serialization of 'X' is not allowed
