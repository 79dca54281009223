--TEST--
Each session mode and transport costs its documented round trips (E22)
--EXTENSIONS--
mcpatterns
session
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session', 'pcntl');
?>
--FILE--
<?php
use McPatterns\{Lock, Pool, Transport};

require __DIR__ . '/../../_support/session.inc';
require __DIR__ . '/../../_support/round_trips.inc';

$lines = []; // printed at the end: a session begins before any output
foreach (['lock', 'merge', 'none'] as $locking) {
    $counted = count_round_trips_by_both([start_memcached()], function (array $addresses, callable $mark, Transport $transport) use ($locking) {
        use_sessions($addresses[0], ['mcpatterns.session_locking' => $locking, 'mcpatterns.transport' => strtolower($transport->name)]);
        ask_for_proofs(new Pool($addresses[0], transport: $transport, timeout: 10));
        begin_session('warm-up');
        $_SESSION['a'] = 1;
        session_write_close();
        $mark('-');
        begin_session('new'); $mark('start, new');
        $_SESSION['a'] = 1;
        session_write_close(); $mark('close, new');
        begin_session('new'); $mark('start');
        session_write_close(); $mark('close, unchanged');
        begin_session('new'); $mark('-');
        $_SESSION['a'] = 2;
        session_write_close(); $mark('close, changed');
        ini_set('session.use_strict_mode', '1');
        begin_session('new'); $mark('start, strict');
        session_abort(); $mark('abort');
        begin_session('unknown'); $mark('start, strict, unknown');
        session_abort();
        begin_session('new'); $mark('-');
        session_regenerate_id(); $mark('regenerate_id');
        session_destroy(); $mark('destroy');
        begin_session('new', ['read_and_close' => true]); $mark('read_and_close');
        begin_session('', ['read_and_close' => true]); $mark('read_and_close, new id');
        ini_set('session.use_strict_mode', '0');
    });
    unset($counted['-']);
    foreach ($counted as $name => $trips) {
        $lines[] = "$locking, $name: $trips\n";
    }
}
echo implode($lines);
?>
--EXPECT--
lock, start, new: 2, 1 by Direct
lock, close, new: 2, 1 by Direct
lock, start: 2, 1 by Direct
lock, close, unchanged: 2, 1 by Direct
lock, close, changed: 2, 1 by Direct
lock, start, strict: 2, 1 by Direct
lock, abort: 1
lock, start, strict, unknown: 5, 3 by Direct
lock, regenerate_id: 4, 2 by Direct
lock, destroy: 2, 1 by Direct
lock, read_and_close: 3, 2 by Direct
lock, read_and_close, new id: 4, 2 by Direct
merge, start, new: 1
merge, close, new: 1
merge, start: 1
merge, close, unchanged: 1, 0 by Direct
merge, close, changed: 1
merge, start, strict: 1
merge, abort: 0
merge, start, strict, unknown: 3, 2 by Direct
merge, regenerate_id: 3, 1 by Direct
merge, destroy: 1
merge, read_and_close: 1
merge, read_and_close, new id: 2, 1 by Direct
none, start, new: 1
none, close, new: 1
none, start: 1
none, close, unchanged: 1, 0 by Direct
none, close, changed: 1
none, start, strict: 1
none, abort: 0
none, start, strict, unknown: 3, 2 by Direct
none, regenerate_id: 3, 1 by Direct
none, destroy: 1
none, read_and_close: 1
none, read_and_close, new id: 2, 1 by Direct
