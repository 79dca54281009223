--TEST--
SessionHandler behaves like PHP's files handler in each order of calls
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

/** Runs in a process by each of the handlers; every scene has sessions of its own. */
const SCRIPT = <<<'PHP'
function begin(string $id, array $options = []): bool
{
    session_status() === PHP_SESSION_ACTIVE && session_abort();
    session_id($id);
    return session_start($options);
}
function stored(string $id): string
{
    ini_set('session.use_strict_mode', '0');
    begin($id);
    $found = json_encode($_SESSION);
    session_abort();
    return $found;
}
function show(mixed ...$values): void
{
    echo implode(' ', array_map('json_encode', $values)), ' ';
}
function scene(string $name, callable $work, array $settings = []): void
{
    static $number = 0;
    $id = 'known' . ++$number;
    begin($id);
    $_SESSION = ['a' => 1];
    session_write_close();
    $before = array_map(ini_get(...), array_combine(array_keys($settings), array_keys($settings)));
    foreach ($settings as $setting => $value) {
        ini_set($setting, $value);
    }
    echo "$name: ";
    $work($id);
    echo "\n";
    session_status() === PHP_SESSION_ACTIVE && session_abort();
    foreach ($before + ['session.use_strict_mode' => '0'] as $setting => $value) {
        ini_set($setting, $value);
    }
}
set_error_handler(function ($level, $text) { echo "[$text] "; return true; });
const STRICT = ['session.use_strict_mode' => '1'];

scene('strict, known', function ($id) { begin($id); show(session_id() === $id, $_SESSION); $_SESSION['b'] = 2; session_write_close(); echo stored($id); }, STRICT);
scene('strict, unknown', function () { begin('evil'); show(session_id() === 'evil', strlen(session_id()), $_SESSION); session_write_close(); echo stored('evil'); }, STRICT);
scene('strict, stored without data, then known', function () { begin(''); $id = session_id(); session_write_close(); begin($id); show(session_id() === $id); }, STRICT);
foreach ([[], ['read_and_close' => true]] as $options) {
    scene('strict, new, then begun twice, ' . json_encode($options), function () use ($options) {
        begin('', $options);
        $id = session_id();
        session_status() === PHP_SESSION_ACTIVE && show(session_reset(), session_id() === $id);
        begin($id, $options);
        show(session_id() === $id);
        begin($id);
        $_SESSION['user'] = 17;
        session_write_close();
        show(session_id() === $id);
        echo stored($id);
    }, STRICT);
}
scene('lax, unknown', function () { begin('fresh'); show(session_id(), $_SESSION); $_SESSION['x'] = [1, 'y' => null]; session_write_close(); echo stored('fresh'); });
scene('unchanged, lazy', function ($id) { begin($id); session_write_close(); echo stored($id); });
scene('unchanged, not lazy', function ($id) { begin($id); session_write_close(); echo stored($id); }, ['session.lazy_write' => '0']);
scene('read_and_close', function ($id) { begin($id, ['read_and_close' => true]); $_SESSION['lost'] = 1; show(session_status(), $_SESSION); echo stored($id); });
scene('read_and_close, strict, unknown', function () { begin('evil2', ['read_and_close' => true]); show(session_id() === 'evil2', session_status()); }, STRICT);
foreach (['lax' => [], 'strict' => STRICT] as $name => $settings) {
    foreach ([false, true] as $deletes) {
        scene("regenerate_id, $name, " . ($deletes ? 'deletes' : 'keeps'), function ($id) use ($deletes) {
            begin($id);
            $_SESSION['b'] = 2;
            show(session_regenerate_id($deletes));
            $new = session_id();
            $_SESSION['c'] = 3;
            session_write_close();
            show($new !== $id);
            echo stored($id), ' ', stored($new);
        }, $settings);
    }
    scene("reset, $name", function ($id) {
        begin($id);
        $_SESSION = ['a' => 'changed', 'new' => 1];
        show(session_reset(), session_id() === $id, $_SESSION);
        $_SESSION['b'] = 2;
        session_write_close();
        echo stored($id);
    }, $settings);
    scene("create_id while active, $name", function ($id) {
        begin($id);
        $other = session_create_id('pre-');
        show(substr($other, 0, 4), session_id() === $id);
        $_SESSION['b'] = 2;
        session_write_close();
        echo stored($id);
    }, $settings);
    scene("destroy, then begin anew, $name", function ($id) {
        begin($id);
        show(session_destroy(), session_status());
        begin($id);
        show(session_id() === $id);
        $_SESSION['n'] = 1;
        $new = session_id();
        session_write_close();
        echo stored($new);
    }, $settings);
}
scene('abort', function ($id) { begin($id); $_SESSION['a'] = 'changed'; show(session_abort()); echo stored($id); });
scene('unset', function ($id) { begin($id); session_unset(); session_write_close(); echo stored($id); });
scene('$_SESSION = []', function ($id) { begin($id); $_SESSION = []; session_write_close(); echo stored($id); });
scene('names that are numbers', function ($id) { begin($id); $_SESSION[5] = 1; $_SESSION['!q'] = 2; $_SESSION[''] = 3; session_write_close(); echo stored($id); });
scene('nothing but numbers', function ($id) { begin($id); $_SESSION = [5 => 1]; session_write_close(); echo stored($id); });
foreach (['php', 'php_serialize', 'php_binary'] as $format) {
    scene($format, function () use ($format) {
        begin(strtr("of-$format", "_", "-"));
        $_SESSION = [$format === 'php' ? 'a' : 'a|' => $o = new ArrayObject([1]), 'o' => $o];
        session_write_close();
        begin(strtr("of-$format", "_", "-"));
        show(array_keys($_SESSION), count(array_unique(array_map('spl_object_id', $_SESSION))));
        session_abort();
    }, ['session.serialize_handler' => $format]);
}
scene('a reference across names', function ($id) { begin($id); $_SESSION['r'] = &$_SESSION['a']; session_write_close(); begin($id); $_SESSION['r'] = 7; show($_SESSION); });
scene('a class that is not there', function ($id) { begin($id); $_SESSION['o'] = unserialize('O:1:"X":0:{}'); session_write_close(); begin($id); show(get_class($_SESSION['o'])); });
scene('what does not decode', function ($id) {
    begin($id);
    $_SESSION['s'] = [[[[1]]]];
    session_write_close();
    show(begin($id), $_SESSION, session_status());
    ini_set('unserialize_max_depth', '0');
    echo stored($id);
}, ['unserialize_max_depth' => '2']);
scene('several sessions', function () { foreach (['x', 'y', 'x'] as $n => $id) { begin($id); $_SESSION["n$n"] = $n; session_write_close(); } echo stored('x'), stored('y'); });
scene('gc', function ($id) { begin($id); show(session_gc()); });
PHP;

compare_with_files($server, 'all', SCRIPT);
foreach (['merge', 'none'] as $locking) {
    $server->raw('flush_all');
    ob_start();
    compare_with_files($server, $locking, SCRIPT, ['mcpatterns.session_locking' => $locking]);
    $told = ob_get_clean();
    echo str_contains($told, 'DIFFERS') ? $told : "$locking: the same\n";
}
?>
--EXPECT--
all: strict, known: true {"a":1} {"a":1,"b":2}
strict, unknown: false 32 [] []
strict, stored without data, then known: true 
strict, new, then begun twice, []: true true true true {"user":17}
strict, new, then begun twice, {"read_and_close":true}: true true {"user":17}
lax, unknown: "fresh" [] {"x":{"0":1,"y":null}}
unchanged, lazy: {"a":1}
unchanged, not lazy: {"a":1}
read_and_close: 1 {"a":1,"lost":1} {"a":1}
read_and_close, strict, unknown: false 1 
regenerate_id, lax, keeps: true true {"a":1,"b":2} {"a":1,"b":2,"c":3}
regenerate_id, lax, deletes: true true [] {"a":1,"b":2,"c":3}
reset, lax: true true {"a":1} {"a":1,"b":2}
create_id while active, lax: "pre-" true {"a":1,"b":2}
destroy, then begin anew, lax: true 1 true {"n":1}
regenerate_id, strict, keeps: true true {"a":1,"b":2} {"a":1,"b":2,"c":3}
regenerate_id, strict, deletes: true true [] {"a":1,"b":2,"c":3}
reset, strict: true true {"a":1} {"a":1,"b":2}
create_id while active, strict: "pre-" true {"a":1,"b":2}
destroy, then begin anew, strict: true 1 false {"n":1}
abort: true {"a":1}
unset: []
$_SESSION = []: []
names that are numbers: [session_write_close(): Skipping numeric key 5] {"a":1,"!q":2,"":3}
nothing but numbers: [session_write_close(): Skipping numeric key 5] []
php: ["a","o"] 1 
php_serialize: ["a|","o"] 1 
php_binary: ["a|","o"] 1 
a reference across names: {"a":7,"r":7} 
a class that is not there: "__PHP_Incomplete_Class" 
what does not decode: [session_start(): Maximum depth of 2 exceeded. The depth limit can be changed using the max_depth unserialize() option or the unserialize_max_depth ini setting] [session_start(): Failed to decode session object. Session has been destroyed] false [] 1 []
several sessions: {"n0":0,"n2":2}{"n1":1}
gc: 0
merge: the same
none: the same
