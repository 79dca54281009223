--TEST--
A signal handler that runs in a part written in PHP sees its file and line, may throw and call the part again
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\{Cache, Metrics, Pool};

$pool = new Pool('memory://m');
for ($i = 0; $i < 50; $i++) {
    (new Cache($pool, "c$i:"))->get('k');
}
/** Calls until the handler has run in the part once. */
function call_until(Closure $handler): void
{
    $is_done = false;
    pcntl_signal(SIGUSR1, function () use ($handler, &$is_done): void {
        $frame = current(array_filter(debug_backtrace(), fn (array $frame): bool => ($frame['file'] ?? '') === 'mcpatterns:prometheus.php'));
        if ($frame !== false && !$is_done) {
            $is_done = true;
            $handler("$frame[file]($frame[line])");
        }
    });
    pcntl_async_signals(true);
    $parent = getmypid();
    if (($child = pcntl_fork()) === 0) {
        while (posix_getppid() === $parent && posix_kill($parent, SIGUSR1)) {
            usleep(500);
        }
        posix_kill(getmypid(), SIGKILL);
    }
    try {
        while (!$is_done) {
            Metrics::prometheus();
        }
    } finally {
        pcntl_async_signals(false);
        posix_kill($child, SIGKILL);
        pcntl_waitpid($child, $status);
    }
}

call_until(function (string $place): void { echo preg_replace('/\d+/', 'N', $place), "\n"; });
try {
    call_until(fn () => throw new DomainException('of the handler'));
} catch (DomainException $exception) {
    echo $exception->getMessage(), "\n";
}
call_until(function (): void { echo strlen(Metrics::prometheus()) > 0 ? "called again\n" : ''; });
var_dump(strlen(Metrics::prometheus()) > 0);
?>
--EXPECT--
mcpatterns:prometheus.php(N)
of the handler
called again
bool(true)
