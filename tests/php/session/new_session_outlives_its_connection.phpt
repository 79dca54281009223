--TEST--
A new session is stored although its connection ended meanwhile (E17)
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
use McPatterns\Transport;

require __DIR__ . '/../../_support/session.inc';

/** A request that waits until its connection has ended. */
const WORK = <<<'PHP'
    require $argv[1];
    ob_start();
    set_error_handler(function (int $level, string $text): bool { echo $text, ' '; return true; });
    session_id('s');
    session_start();
    $_SESSION['before'] = count($_SESSION);
    touch($argv[2]);
    while (file_exists($argv[2])) { usleep(1000); }
    $_SESSION['after'] = 1;
    echo json_encode(session_write_close());
    PHP;

by_each_transport(function (Transport $transport): void {
    foreach (['lock', 'merge', 'none'] as $locking) {
        $server = start_memcached();
        $settings = session_settings($server->address, ['mcpatterns.transport' => strtolower($transport->name), 'mcpatterns.session_locking' => $locking]);
        $flag = $server->path('read');
        $script = start_script(WORK, [__DIR__ . '/../../_support/process.inc', $flag], $settings, $log);
        while (!file_exists($flag)) {
            usleep(1000);
        }
        $server->restart(); // as by idle_timeout, it ends the connection
        unlink($flag);
        proc_close($script);
        $said = file_get_contents($log);
        unlink($log);
        echo "$locking: $said ", run_script('ob_start(); session_id("s"); session_start(); echo json_encode($_SESSION);', [], $settings), "\n";
        $server->kill();
    }
});
?>
--EXPECT--
lock: true {"before":0,"after":1}
merge: true {"before":0,"after":1}
none: true {"before":0,"after":1}
