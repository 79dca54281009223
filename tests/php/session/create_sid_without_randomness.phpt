--TEST--
create_sid() throws without system randomness, and no session starts
--EXTENSIONS--
mcpatterns
ffi
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('ffi', 'session');
if (PHP_OS_FAMILY !== 'Linux' || PHP_INT_SIZE !== 8 || !in_array(php_uname('m'), ['x86_64', 'aarch64'], true)) {
    die("skip knows a system call's number on Linux alone");
}
?>
--INI--
ffi.enable=1
session.sid_length=32
session.sid_bits_per_character=4
--FILE--
<?php
use McPatterns\{Pool, SessionHandler};

require __DIR__ . '/../../_support/session.inc';

use_sessions('127.0.0.1:1');
$handler = new SessionHandler(new Pool('127.0.0.1:1'));
echo strlen($handler->create_sid()), "\n";

/** Has getrandom(2) refused in this process, and lets it open no device in its place until what it answers is called. */
function take_randomness_away(): Closure
{
    $system = FFI::cdef('struct filter { unsigned short code; unsigned char jt, jf; unsigned int k; };
        struct program { unsigned short length; struct filter *first; };
        struct limit { unsigned long now, most; };
        int prctl(int option, unsigned long a, void *b, unsigned long c, unsigned long d);
        int getrlimit(int resource, struct limit *limit);
        int setrlimit(int resource, struct limit *limit);');
    $number = ['x86_64' => 318, 'aarch64' => 278][php_uname('m')];
    $filters = $system->new('struct filter[4]');
    // Loads the number; is it getrandom's? Then ENOSYS, else it may go on.
    foreach ([[0x20, 0, 0, 0], [0x15, 0, 1, $number], [0x06, 0, 0, 0x00050000 | 38], [0x06, 0, 0, 0x7fff0000]] as $i => [$code, $jt, $jf, $k]) {
        [$filters[$i]->code, $filters[$i]->jt, $filters[$i]->jf, $filters[$i]->k] = [$code, $jt, $jf, $k];
    }
    $program = $system->new('struct program');
    $program->length = 4;
    $program->first = FFI::addr($filters[0]);
    $limit = $system->new('struct limit');
    if ($system->getrlimit(7, FFI::addr($limit)) !== 0) {
        die('how many files there may be is not known');
    }
    $usual = $limit->now;
    $limit->now = 0;
    if ($system->prctl(38, 1, null, 0, 0) !== 0 || $system->prctl(22, 2, FFI::addr($program), 0, 0) !== 0 || $system->setrlimit(7, FFI::addr($limit)) !== 0) {
        die('could not be taken away');
    }
    return function () use ($system, $limit, $usual): void {
        $limit->now = $usual;
        $system->setrlimit(7, FFI::addr($limit));
    };
}

$open_files_again = take_randomness_away();
foreach ([$handler->create_sid(...), session_start(...), $handler->create_sid(...)] as $work) {
    try {
        echo json_encode($work()), "\n";
    } catch (Throwable $failure) {
        echo $failure->getMessage() !== '' ? 'an exception' : 'no reason', "\n";
    }
}
$open_files_again(); // for what looks for leaks when PHP ends
?>
--EXPECT--
32
an exception
an exception
an exception
