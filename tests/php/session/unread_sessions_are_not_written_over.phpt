--TEST--
A session that could not be read is never overwritten
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
use McPatterns\{Clock, Locking, Pool, SessionHandler};

require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$try = function (callable $work): string {
    try {
        return json_encode($work());
    } catch (McPatterns\Exception $failure) {
        return get_class($failure);
    }
};

/** A handler above this one, as many applications have one, that takes what cannot be read for an empty session. */
const HIDING = <<<'CODE'
ob_start();
class Hiding extends SessionHandler { function read(string $id): string|false { return @parent::read($id) ?: ''; } }
session_set_save_handler(new Hiding);
set_error_handler(function (int $level, string $text): bool { echo preg_replace(['/^\S+\(\): /', '/ using user defined.*/'], '', $text), "\n"; return true; });
session_id('s');
echo json_encode([session_start(), $_SESSION]), "\n";
$_SESSION['b'] = 2;
session_write_close();
CODE;

foreach (Locking::cases() as $locking) {
    echo $locking->name, "\n";
    $server->raw('flush_all');
    (new SessionHandler($pool, format: 'php'))->write('s', 'a|i:1;');
    $before = $server->raw('get sess:s');
    $handler = new SessionHandler($pool, $locking, format: 'php_serialize');
    echo '  another format: ', $try(fn () => $handler->read('s')), ' ', $try(fn () => $handler->write('s', serialize(['b' => 2]))), "\n";
    echo preg_replace('/^(?=.)/m', '    ', run_script(HIDING, [], session_settings($server->address,
        ['mcpatterns.session_locking' => strtolower($locking->name), 'session.serialize_handler' => 'php_serialize'])));
    if ($locking === Locking::Lock) {
        $held = new SessionHandler($pool, $locking, lockWait: 0, format: 'php');
        $server->raw("set sess:s:lock 0 0 5\r\nother");
        echo '  held: ', $try(fn () => $held->read('s')), ' ', $try(fn () => $held->write('s', 'b|i:2;')), "\n";
        $server->raw('delete sess:s:lock');
    }
    echo '  ', $server->raw('get sess:s') === $before ? 'it is as it was' : 'it was written over', "\n";
    echo '  then: ', $try(fn () => $handler->read('s')), ' ', $try(fn () => $handler->destroy('s')), ' ', $try(fn () => $handler->write('s', serialize(['b' => 2]))), "\n";
}

echo "A server that was away\n";
(new SessionHandler($pool, format: 'php'))->write('away', 'a|i:1;');
$before = $server->raw('get sess:away');
$handlers = array_map(fn (Locking $locking) => new SessionHandler(new Pool($server->address, timeout: 0.1), $locking, format: 'php'), Locking::cases());
$server->freeze();
foreach ($handlers as $handler) {
    echo '  ', $try(fn () => $handler->read('away'));
}
$server->thaw();
Clock::advance(10); // it is asked again
foreach ($handlers as $handler) {
    echo "\n  ", $try(fn () => $handler->write('away', 'b|i:2;'));
}
echo "\n  ", $server->raw('get sess:away') === $before ? 'it is as it was' : 'it was written over', "\n";
?>
--EXPECT--
Lock
  another format: McPatterns\StoredValueException McPatterns\StoredValueException
    mcpatterns: the session was written by serialize_handler php, and session.serialize_handler is php_serialize; the stored session was kept
    [true,[]]
    mcpatterns: the session was written by serialize_handler php, and session.serialize_handler is php_serialize; the stored session was kept
    Failed to write session data
  held: McPatterns\LockTimeoutException McPatterns\LockTimeoutException
  it is as it was
  then: McPatterns\StoredValueException true true
Merge
  another format: McPatterns\StoredValueException McPatterns\StoredValueException
    mcpatterns: the session was written by serialize_handler php, and session.serialize_handler is php_serialize; the stored session was kept
    [true,[]]
    mcpatterns: the session was written by serialize_handler php, and session.serialize_handler is php_serialize; the stored session was kept
    Failed to write session data
  it is as it was
  then: McPatterns\StoredValueException true true
None
  another format: McPatterns\StoredValueException McPatterns\StoredValueException
    mcpatterns: the session was written by serialize_handler php, and session.serialize_handler is php_serialize; the stored session was kept
    [true,[]]
    mcpatterns: the session was written by serialize_handler php, and session.serialize_handler is php_serialize; the stored session was kept
    Failed to write session data
  it is as it was
  then: McPatterns\StoredValueException true true
A server that was away
  McPatterns\ServerException  McPatterns\ServerException  McPatterns\ServerException
  McPatterns\ServerException
  McPatterns\ServerException
  McPatterns\ServerException
  it is as it was
