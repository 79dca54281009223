--TEST--
Each documented worker loop ends its requests and their claims
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!is_file(__DIR__ . '/../../../../docs/classes/long-running-workers.md')) {
    die('skip needs the source');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

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
    private Cache $cache;
    public function __construct(Pool $pool)
    {
        $this->cache = new Cache($pool, ttl: 600, lease: 600);
        $this->cache->set('page', 'old');
        $this->cache->expire('page');
    }
    public function handle(?object $request = null): string
    {
        return $this->cache->lookup('page')->status === Status::Elected ? 'elected' : 'still taken';
    }
}
$pool = new Pool('memory://workers');
$loops = examples_of(__DIR__ . '/../../../../docs/classes/long-running-workers.md', 'php worker', 'Loops');
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
elected elected elected 
elected elected elected 
{"enable_coroutine":false} elected elected elected 
