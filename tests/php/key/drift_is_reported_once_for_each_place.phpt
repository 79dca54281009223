--TEST--
mcpatterns.report_key_drift reports each pair of places once
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.report_key_drift=1
--FILE--
<?php
use McPatterns\Key;

set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    echo '  ', $level === E_NOTICE ? '' : "level $level ", str_replace(__FILE__, 'FILE', $message), $line === 0 ? '' : " (line $line)", "\n";
    return true;
});

echo "each time a place, for the first time\n";
Key::of('user', 1);
for ($i = 0; $i < 3; $i++) {
    $key = Key::of('user', '1');
    Key::of('user', 1.0);
}
var_dump($key === 'user:' . substr(hash('sha256', 's1:1'), 0, 32));

echo "from a function of the engine\n";
array_map(Key::of(...), ['user'], [true]);

echo "one place\n";
foreach ([[2, 'x', null], ['2', 'x', '']] as $parameters) {
    Key::of('list', ...$parameters);
}
echo "another head, an identical value, nothing\n";
Key::of('order', '1');
Key::of('order', '1');
Key::of('user', 3);
Key::of('user');
echo "done\n";
?>
--EXPECT--
each time a place, for the first time
  McPatterns\Key::of(): "user" with (string) in FILE:12 and with (int) in FILE:10 produce different keys, although the parameters are equal by == or differ only in order (line 12)
  McPatterns\Key::of(): "user" with (float) in FILE:13 and with (int) in FILE:10 produce different keys, although the parameters are equal by == or differ only in order (line 13)
bool(true)
from a function of the engine
  McPatterns\Key::of(): "user" with (bool) in FILE:18 and with (int) in FILE:10 produce different keys, although the parameters are equal by == or differ only in order (line 18)
one place
  McPatterns\Key::of(): "list" with (string, string, string) in FILE:22 and with (int, string, null) in FILE:22 produce different keys, although the parameters are equal by == or differ only in order (line 22)
another head, an identical value, nothing
done
