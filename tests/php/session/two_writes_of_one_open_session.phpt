--TEST--
A wrapping handler that writes twice stores the last write
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
    public static ?string $second = null;
    public function write(string $id, string $data): bool {
        return parent::write($id, $data) && (self::$second === null || parent::write($id, self::$second));
    }
}
session_set_save_handler(new Twice);
session_id('s');
session_start();
$_SESSION = ['a' => 1, 'b' => 1];
session_write_close();
foreach ([serialize(['a' => 1]), serialize([])] as $second) {
    session_id('s');
    session_start();
    $_SESSION = ['a' => 1, 'b' => 2, 'c' => 3];
    Twice::$second = $second;
    session_write_close();
    Twice::$second = null;
    session_id('s');
    session_start();
    echo json_encode($_SESSION), "\n";
    session_abort();
}
CODE;

foreach (['lock', 'merge', 'none'] as $locking) {
    $server->raw('flush_all');
    echo "$locking\n", preg_replace('/^(?=.)/m', '  ', run_script(CODE, [], session_settings($server->address, ['mcpatterns.session_locking' => $locking])));
}
?>
--EXPECT--
lock
  {"a":1}
  []
merge
  {"a":1}
  []
none
  {"a":1}
  []
