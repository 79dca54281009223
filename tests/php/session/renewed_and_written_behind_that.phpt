--TEST--
A wrapping handler that renews or rewrites merges with other requests (E11, E13)
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
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
const CODE = <<<'CODE'
ob_start();
ini_set('session.serialize_handler', 'php_serialize');
class Twice extends SessionHandler {
    public static ?Closure $between = null;
    public static string $first = '';
    public function read(string $id): string|false {
        return self::$first = parent::read($id);
    }
    public function write(string $id, string $data): bool {
        if (self::$between === null) {
            return parent::write($id, $data);
        }
        $is_first = parent::write($id, self::$first);
        (self::$between)($id);
        return parent::write($id, $data) && $is_first;
    }
}
session_set_save_handler(new Twice);
require $argv[2];
function empty_it() {
    speak($GLOBALS['argv'][1], "flush_all\r\n", 10.0) === "OK\r\n" || print "it is not empty\n";
}
$other = new McPatterns\SessionHandler(new McPatterns\Pool($argv[1], timeout: 10), McPatterns\Locking::Merge, format: 'php_serialize');
$changes = function (string $id) use ($other) {
    $theirs = unserialize($other->read($id));
    unset($theirs['b']);
    $other->write($id, serialize(['a' => 2, 'd' => 1] + $theirs));
};
$begins_anew = fn (string $id) => $other->write($id, serialize(['e' => 1]));
$works = [
    'changed' => $changes,
    'destroyed' => $other->destroy(...),
    'destroyed and begun anew' => fn (string $id) => $other->destroy($id) && $begins_anew($id),
    'lost and begun anew' => function (string $id) use ($begins_anew) {
        empty_it();
        $begins_anew($id);
    },
];
foreach ($works as $name => $work) {
    foreach (['renewed' => null, 'written' => serialize(['a' => 1, 'b' => 1, 'x' => 1])] as $first => $written) {
        empty_it();
        session_id('s');
        session_start();
        $_SESSION = ['a' => 1, 'b' => 1];
        session_write_close();
        session_id('s');
        session_start();
        Twice::$first = $written ?? Twice::$first;
        $_SESSION = ['a' => 1, 'b' => 1, 'c' => 1];
        Twice::$between = $work;
        $told = 'nothing';
        set_error_handler(function (int $level, string $text) use (&$told): bool {
            $told = preg_match('/mcpatterns: (.*)/', $text, $found) ? $found[1] : $told;
            return true;
        });
        session_write_close();
        restore_error_handler();
        Twice::$between = null;
        session_id('s');
        session_start();
        echo "$first, $name: ", json_encode($_SESSION), ", told: $told\n";
        session_abort();
        $other->close();
    }
}
CODE;

foreach (['lock', 'merge', 'none'] as $locking) {
    echo "$locking\n", preg_replace('/^(?=.)/m', '  ', run_script(CODE, [$server->address, __DIR__ . '/../../_support/memcached.inc'], session_settings($server->address, ['mcpatterns.session_locking' => $locking])));
}
?>
--EXPECT--
lock
  renewed, changed: {"a":2,"d":1,"c":1}, told: nothing
  written, changed: {"a":2,"d":1,"c":1}, told: nothing
  renewed, destroyed: [], told: nothing
  written, destroyed: [], told: nothing
  renewed, destroyed and begun anew: {"e":1}, told: nothing
  written, destroyed and begun anew: {"e":1}, told: nothing
  renewed, lost and begun anew: {"e":1}, told: the server lost the session while this request ran, and another request started it again
  written, lost and begun anew: {"e":1}, told: the server lost the session while this request ran, and another request started it again
merge
  renewed, changed: {"a":2,"d":1,"c":1}, told: nothing
  written, changed: {"a":2,"d":1,"c":1}, told: nothing
  renewed, destroyed: [], told: nothing
  written, destroyed: [], told: nothing
  renewed, destroyed and begun anew: {"e":1}, told: nothing
  written, destroyed and begun anew: {"e":1}, told: nothing
  renewed, lost and begun anew: {"e":1}, told: the server lost the session while this request ran, and another request started it again
  written, lost and begun anew: {"e":1}, told: the server lost the session while this request ran, and another request started it again
none
  renewed, changed: {"a":1,"b":1,"c":1}, told: nothing
  written, changed: {"a":1,"b":1,"c":1}, told: nothing
  renewed, destroyed: [], told: nothing
  written, destroyed: [], told: nothing
  renewed, destroyed and begun anew: {"e":1}, told: nothing
  written, destroyed and begun anew: {"e":1}, told: nothing
  renewed, lost and begun anew: {"e":1}, told: the server lost the session while this request ran, and another request started it again
  written, lost and begun anew: {"e":1}, told: the server lost the session while this request ran, and another request started it again
