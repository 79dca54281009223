--TEST--
Pool::onError() reports the first error of an operation
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool, ServerException};

require __DIR__ . '/../../../_support/process.inc';
require __DIR__ . '/../../../_support/told.inc';

// Lets two questions begin, answers none, and is gone.
$path = make_temporary_folder('leaving-server') . '/socket';
$listener = stream_socket_server("unix://$path");
$pid = pcntl_fork();
if ($pid === 0) {
    pcntl_alarm(60);
    for ($i = 0; $i < 2; $i++) {
        $client = stream_socket_accept($listener, 60);
        fgets($client);
        $i === 0 || unlink($path);
        fclose($client);
    }
    send_signal(getmypid(), SIGKILL);
}
fclose($listener);
$pool = new Pool("unix://$path", retryAfter: 0);
$pool->onError(show_what_is_told(["unix://$path" => 'server']));
try {
    (new Lock($pool, 'l'))->acquire();
} catch (ServerException $exception) {
    echo str_replace("unix://$path", 'server', $exception->getMessage()), "\n";
}
echo $pool->lastErrors()["unix://$path"]['message'], "\n";
pcntl_waitpid($pid, $status);
remove_folder(dirname($path));
?>
--EXPECT--
  told: server: outcome unknown: the server closed the connection without a reply
Cannot acquire the lock "l" on server: outcome unknown: the server could not be reached: no such file
the server could not be reached: no such file
