--TEST--
Each worker's loop in docs/classes/pool.md ends each of its requests: the next one finds the lock free that the one before has forgotten
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!is_file(__DIR__ . '/../../../../docs/classes/pool.md')) {
    die('skip needs the source');
}
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../../_support/examples.inc';

/** What FrankenPHP, RoadRunner and Swoole have of these names, for three requests. */
function frankenphp_handle_request(callable $handler): bool
{
    static $left = 3;
    $left-- > 0 && $handler();
    return $left >= 0;
}
final class Turns
{
    private int $left = 3;
    private ?Closure $handler = null;
    public function waitRequest(): ?object { return $this->left-- > 0 ? $this : null; }
    public function respond(string $answer): void { echo "$answer "; }
    public function end(string $answer): void { echo "$answer "; }
    public function set(array $settings): void { echo json_encode($settings), ' '; }
    public function on(string $event, Closure $handler): void { $this->handler = $handler; }
    public function start(): void { while ($this->handler !== null && $this->left-- > 0) { ($this->handler)($this, $this); } }
}
final class Application
{
    private array $locks = [];
    public function __construct(private Pool $pool) {}
    public function handle(?object $request = null): string
    {
        $this->locks[] = $lock = new Lock($this->pool, 'page', ttl: 600);
        return $lock->acquire() ? 'acquired' : 'still taken';
    }
}
$pool = new Pool('memory://workers');
$loops = examples_of(__DIR__ . '/../../../../docs/classes/pool.md', 'php worker', 'Workers that serve many requests');
foreach ($loops as $loop) {
    $application = new Application($pool);
    $handler = function () use ($application): void { echo $application->handle(), ' '; };
    $server = $worker = new Turns();
    eval($loop);
    $server->start();
    echo "\n";
    Pool::endRequest();
}
?>
--EXPECT--
acquired acquired acquired 
acquired acquired acquired 
{"enable_coroutine":false} acquired acquired acquired 
