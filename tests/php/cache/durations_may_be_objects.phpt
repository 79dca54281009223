--TEST--
Each duration accepts Time\Duration to the nanosecond, and rejects zero
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Lock, MemberSet, Pool, Semaphore, Table};
use Time\Duration;

// Before PHP 8.6 one of the same name and properties, as a polyfill has.
class_exists(Duration::class) || eval('namespace Time; final readonly class Duration {
    private function __construct(public int $seconds, public int $nanoseconds, public bool $negative = false) {}
    public static function fromSeconds(int $seconds, int $nanoseconds = 0): self { return new self($seconds, $nanoseconds); }
    public function negate(): self { return new self($this->seconds, $this->nanoseconds, !$this->negative); }
}');

Clock::freeze(1700000000.0);
$pool = new Pool('memory://durations');
$cache = new Cache($pool, 'c:', Duration::fromSeconds(50, 500_000_000), Duration::fromSeconds(7));
$cache->set('object', 1);
$cache->set('given', 1, Duration::fromSeconds(20, 250_000_000), Duration::fromSeconds(1));
$cache->remember('computed', fn () => Duration::fromSeconds(30), fn () => 1);
$cache->remember('remembered', Duration::fromSeconds(0, 1), fn () => 1);
$cache->setMultiple(['many' => 1], Duration::fromSeconds(60));
foreach (['object', 'given', 'computed', 'remembered', 'many'] as $key) {
    echo "$key: ", $cache->entry($key)->expiresIn, "\n";
}
$lock = new Lock($pool, 'lock', Duration::fromSeconds(30));
$lock->acquire();
echo 'lock: ', json_encode([ceil($lock->remaining()), $lock->refresh(Duration::fromSeconds(40)), ceil($lock->remaining())]), "\n";
$semaphore = new Semaphore($pool, 'semaphore', 2, Duration::fromSeconds(31));
$semaphore->acquire();
echo 'semaphore: ', json_encode($semaphore->isHeld()), "\n";
new Counter($pool, 'counter', ttl: Duration::fromSeconds(60));
new Table($pool, 'table', Duration::fromSeconds(60));
new MemberSet($pool, 'set', Duration::fromSeconds(60));

foreach ([
    fn () => $cache->set('k', 1, Duration::fromSeconds(0)),
    fn () => $cache->set('k', 1, Duration::fromSeconds(5)->negate()),
    fn () => new Lock($pool, 'lock', Duration::fromSeconds(0)),
    fn () => $cache->set('k', 1, Duration::fromSeconds(1_700_000_000)), // 54 years, which is no date
] as $call) {
    try {
        var_dump($call());
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
object: 50.5
given: 20.25
computed: 30
remembered: 0.001
many: 60
lock: [30,true,40]
semaphore: true
ValueError: McPatterns\Cache::set(): Argument #3 ($ttl) must not be a DateInterval or Time\Duration of 0 seconds: a TTL of 0 never expires
ValueError: McPatterns\Cache::set(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: McPatterns\Lock::__construct(): Argument #3 ($ttl) must be greater than 0
bool(true)
