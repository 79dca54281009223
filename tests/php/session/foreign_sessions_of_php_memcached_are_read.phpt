--TEST--
mcpatterns.session_foreign_prefix migrates php-memcached sessions at their first close
--EXTENSIONS--
igbinary
msgpack
memcached
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session', 'igbinary', 'msgpack', 'memcached');
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
$servers = [$server];
$others = [start_memcached(), start_memcached()];
$by_php_memcached = function (string $id, ?array $data = null) use (&$servers): array {
    ini_set('session.save_handler', 'memcached');
    ini_set('session.save_path', implode(',', array_map(
        fn ($of) => str_starts_with($of->address, 'unix://') ? substr($of->address, 7) . ':0' : $of->address, $servers)));
    ini_set('memcached.sess_locking', '0');
    begin_session($id);
    $found = $_SESSION;
    $_SESSION = $data ?? $found;
    $data === null ? session_abort() : session_write_close();
    return $found;
};
$keys = fn (string $id): string => (str_starts_with($server->raw("get memc.sess.key.$id"), 'VALUE') ? 'theirs' : '-') . ' ' .
    (str_starts_with($server->raw("get sess:$id"), 'VALUE') ? 'ours' : '-');
$told = [];
set_error_handler(function (int $level, string $text) use (&$told) {
    $told[] = $text;
    return true;
});
$lines = [];
use_sessions($server->address);
foreach (['lock', 'merge', 'none'] as $locking) {
    foreach (['changed', 'unchanged', 'destroyed', 'aborted', 'elsewhere'] as $end) {
        $id = "$locking-$end";
        $by_php_memcached($id, ['user' => 7, 'cart' => ['a', 'b']]);
        use_sessions($server->address, ['mcpatterns.session_locking' => $locking, 'mcpatterns.session_foreign_prefix' => 'memc.sess.key.',
            'session.use_strict_mode' => '1']);
        if ($end === 'elsewhere') {
            ini_set('mcpatterns.session_foreign_prefix', 'other.');
        }
        begin_session($id);
        $is_same = session_id() === $id ? 'same id' : 'new id';
        $found = json_encode($_SESSION);
        match ($end) {
            'changed' => $_SESSION['more'] = 1,
            'destroyed' => session_destroy(),
            'aborted' => session_abort(),
            default => null,
        };
        session_status() === PHP_SESSION_ACTIVE && session_write_close();
        ini_set('session.use_strict_mode', '0');
        $lines[] = "$id: $is_same, $found, then " . $keys($id) . ', ' . json_encode(stored_session($id));
    }
}
array_push($servers, ...$others);
foreach (['ketama', 'ketama_weighted'] as $type) {
    ini_set('memcached.sess_consistent_hash_type', $type);
    $found = 0;
    for ($i = 0; $i < 12; $i++) {
        $id = strtr("$type-$i", '_', '-');
        $by_php_memcached($id, ['user' => $i]);
        use_sessions(implode(',', array_column($servers, 'address')), ['mcpatterns.session_foreign_prefix' => 'memc.sess.key.']);
        $found += begin_session($id) && $_SESSION === ['user' => $i];
        session_destroy();
        $found -= $by_php_memcached($id) !== []; // it is gone there
    }
    $lines[] = "of three servers by $type: $found of 12";
}
ini_set('mcpatterns.session_foreign_prefix', "a b") === false && $lines[] = 'a prefix with a space is refused';
ob_end_clean();
echo implode("\n", $lines), "\n", implode("\n", $told), "\n";
?>
--EXPECT--
lock-changed: same id, {"user":7,"cart":["a","b"]}, then - ours, {"user":7,"cart":["a","b"],"more":1}
lock-unchanged: same id, {"user":7,"cart":["a","b"]}, then - ours, {"user":7,"cart":["a","b"]}
lock-destroyed: same id, {"user":7,"cart":["a","b"]}, then - ours, []
lock-aborted: same id, {"user":7,"cart":["a","b"]}, then theirs -, {"user":7,"cart":["a","b"]}
lock-elsewhere: new id, [], then theirs -, []
merge-changed: same id, {"user":7,"cart":["a","b"]}, then - ours, {"user":7,"cart":["a","b"],"more":1}
merge-unchanged: same id, {"user":7,"cart":["a","b"]}, then - ours, {"user":7,"cart":["a","b"]}
merge-destroyed: same id, {"user":7,"cart":["a","b"]}, then - ours, []
merge-aborted: same id, {"user":7,"cart":["a","b"]}, then theirs -, {"user":7,"cart":["a","b"]}
merge-elsewhere: new id, [], then theirs -, []
none-changed: same id, {"user":7,"cart":["a","b"]}, then - ours, {"user":7,"cart":["a","b"],"more":1}
none-unchanged: same id, {"user":7,"cart":["a","b"]}, then - ours, {"user":7,"cart":["a","b"]}
none-destroyed: same id, {"user":7,"cart":["a","b"]}, then - ours, []
none-aborted: same id, {"user":7,"cart":["a","b"]}, then theirs -, {"user":7,"cart":["a","b"]}
none-elsewhere: new id, [], then theirs -, []
of three servers by ketama: 12 of 12
of three servers by ketama_weighted: 12 of 12
a prefix with a space is refused
