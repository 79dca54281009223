--TEST--
SIGTERM ends a php-fpm worker that waits for a slow reply
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/fpm.inc';

// A server that begins an item of a million bytes and sends one of them each 50 ms.
$fpm = start_fpm([], 2);
$socket = "$fpm->folder/drip";
$drip = stream_socket_server("unix://$socket");
$fpm->script('waits', <<<'PHP'
file_put_contents("$folder/pid", getmypid());
(new McPatterns\Cache(new McPatterns\Pool("unix://$folder/drip")))->get('key');
PHP);
$request = $fpm->send('waits');
$connection = stream_socket_accept($drip, 30);
fgets($connection);
fwrite($connection, "VALUE key 0 1000000 7\r\n");
$worker = (int) file_get_contents("$fpm->folder/pid");
$drips = 0;
$sent = function () use ($connection, &$drips): void {
    $drips += (int) @fwrite($connection, 'x');
    usleep(50_000);
};
while ($drips < 5) {
    $sent();
}
send_signal($worker, SIGNAL_TERMINATE);
var_dump($fpm->await(function () use ($sent, $worker) {
    $sent();
    return !is_running($worker);
}, 10));
?>
--EXPECT--
bool(true)
