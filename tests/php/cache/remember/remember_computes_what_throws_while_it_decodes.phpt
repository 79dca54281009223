--TEST--
remember() and rememberMany() elect 1 caller if decoding a value throws (C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

class Deployed
{
    public static string $code = 'old';
    public function __construct(public string $name) {}
    public function __unserialize(array $data): void
    {
        if (self::$code === 'new') {
            throw new DomainException("$data[name] is of an older release");
        }
        $this->name = $data['name'];
    }
    public function __serialize(): array { return ['name' => $this->name]; }
}
/** An exception with all its causes. */
function tell(callable $work): string
{
    try {
        return json_encode($work());
    } catch (Throwable $thrown) {
        for ($told = []; $thrown; $thrown = $thrown->getPrevious()) {
            $told[] = get_class($thrown) . ': ' . $thrown->getMessage();
        }
        return implode(' < ', $told);
    }
}
Clock::freeze(1_700_000_000);
$pool = new Pool('memory://decode');
$cache = new Cache($pool, ttl: 100, staleOnError: true);
$other = new Cache($pool, ttl: 100);
$fail = fn () => throw new LogicException('no database');
$store = function (string ...$keys) use ($cache) {
    Deployed::$code = 'old';
    foreach ($keys as $key) {
        $cache->set($key, new Deployed($key));
    }
    Deployed::$code = 'new';
};

foreach (['fresh' => 0, 'old' => 100] as $age => $seconds) {
    echo "$age\n";
    $store('k', 'l');
    Clock::advance($seconds);
    echo 'peek: ', tell(fn () => $cache->peek('k')), "\n";
    echo 'remember that fails: ', tell(fn () => $cache->remember('k', null, $fail)), "\n";
    Clock::advance(1); // the pause after a failure
    echo 'rememberMany that fails: ', tell(fn () => $cache->rememberMany(['l'], null, $fail)), "\n";
    Deployed::$code = 'old';
    echo 'hosts that can read it: ', $other->peek('k')->name, ' ', $other->peek('l')->name, "\n";
    Deployed::$code = 'new';
    Clock::advance(1);
    $before = $cache->stats();
    $calls = 0;
    foreach ([$cache, $other] as $host) {
        $one = function () use (&$calls) { $calls++; return 'computed'; };
        $many = function (array $keys) use (&$calls) { $calls++; return array_fill_keys($keys, 'computed'); };
        echo tell(fn () => $host->remember('k', null, $one)), ' ', tell(fn () => $host->rememberMany(['l', 'm'], null, $many)), "\n";
        $host->delete('m');
    }
    echo "calls: $calls, unreadable: ", $cache->stats()['unreadable'] - $before['unreadable'], "\n";
}

echo "asking for itself\n";
$store('k');
echo tell(fn () => $cache->remember('k', null, fn () => $cache->remember('k', null, $fail))), "\n";

echo "an error handler that throws\n";
set_error_handler(fn ($level, $message) => throw new ErrorException($message));
class Complains
{
    public function __wakeup(): void { trigger_error('refused', E_USER_WARNING); }
}
$cache->set('loud', new Complains);
echo tell(fn () => $cache->get('loud')), ', ', tell(fn () => $cache->remember('loud', null, fn () => 'computed')), "\n";

echo "a cause that never ends\n";
class Circle
{
    public static ?Exception $thrown = null;
    public function __unserialize(array $data): void { throw self::$thrown; }
}
[$one, $two] = [new Exception('one'), new Exception('two')];
foreach ([[$one, $two], [$two, $one]] as [$of, $previous]) {
    (new ReflectionProperty(Exception::class, 'previous'))->setValue($of, $previous);
}
Circle::$thrown = $one;
$cache->set('circle', new Circle);
try {
    $cache->remember('circle', null, $fail);
} catch (LogicException $exception) {
    echo $exception->getMessage(), ' ', get_debug_type($exception->getPrevious()), "\n";
}
?>
--EXPECT--
fresh
peek: null
remember that fails: LogicException: no database < DomainException: k is of an older release
rememberMany that fails: LogicException: no database < DomainException: l is of an older release
hosts that can read it: k l
"computed" {"l":"computed","m":"computed"}
"computed" {"l":"computed","m":"computed"}
calls: 3, unreadable: 2
old
peek: null
remember that fails: LogicException: no database < DomainException: k is of an older release
rememberMany that fails: LogicException: no database < DomainException: l is of an older release
hosts that can read it: k l
"computed" {"l":"computed","m":"computed"}
"computed" {"l":"computed","m":"computed"}
calls: 3, unreadable: 0
asking for itself
LogicException: The computation of "k" reads "k" itself, and no stale value exists < DomainException: k is of an older release < DomainException: k is of an older release
an error handler that throws
null, "computed"
a cause that never ends
no database null
