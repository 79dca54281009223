--TEST--
A killed request's session is available immediately on its host (E12)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
// A lock that is not taken over would be waited for, and the start fail.
$settings = ['mcpatterns.session_lock_expire' => '3600', 'mcpatterns.session_lock_wait' => '1'];
function start(string $id): string
{
    session_id($id);
    $is_started = @session_start();
    $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
    $is_started && session_write_close();
    return $is_started ? "visit $_SESSION[visits]" : 'not started';
}
foreach (['libmemcached', 'direct'] as $transport) {
    use_sessions($server->address, $settings + ['mcpatterns.transport' => $transport]);
    $request = fn (callable $inside) => new Workers(1, function () use ($transport, $inside) {
        session_id("killed-$transport");
        session_start();
        $inside();
    });
    $killed = $request(fn () => send_signal(getmypid(), SIGNAL_STOP));
    $killed->release();
    wait_for_state($killed->pids[0], 'T');
    echo 'stopped: ', start("killed-$transport"), "\n";
    $killed->kill(0);
    wait_for_state($killed->pids[0], 'Z');
    echo 'killed: ', start("killed-$transport"), ', ', start("killed-$transport"), "\n";

    ini_set('mcpatterns.timeout', '0.3');
    $sender = new Actor(start(...));
    while (!str_starts_with($sender->ask('another'), 'visit')) {
    }
    $server->freeze();
    echo 'frozen: ', $sender->ask("frozen-$transport"), "\n";
    $server->thaw();
    while (!str_contains($server->raw("get sess:frozen-$transport:lock"), 'VALUE')) {
        usleep(1000);
    }
    echo 'it goes on: ', start("frozen-$transport"), ', ', start("frozen-$transport"), "\n";
}
?>
--EXPECT--
stopped: not started
killed: visit 1, visit 2
frozen: not started
it goes on: visit 1, visit 2
stopped: not started
killed: visit 1, visit 2
frozen: not started
it goes on: visit 1, visit 2
