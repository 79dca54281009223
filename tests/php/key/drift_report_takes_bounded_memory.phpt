--TEST--
mcpatterns.report_key_drift uses bounded memory for 100,000 keys
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.report_key_drift=1
error_reporting=E_ALL
--FILE--
<?php
use McPatterns\Key;

$notices = 0;
set_error_handler(function () use (&$notices): bool { $notices++; return true; });
$held = [];
for ($i = 0; $i < 100_000; $i++) {
    Key::of('row', $i, 'text', [1, 2, null]);
    if ($i % 5000 === 4999) {
        $held[] = memory_get_usage();
    }
}
echo max($held) - min($held) < 1_500_000 ? 'bounded' : 'grew to ' . max($held), "\n";
Key::of('row', (string) --$i, 'text', [1, 2, null]);
echo "$notices notice\n";

// Nor are there more notices than a thousand, wherever they come from.
for ($i = 0; $i < 3000; $i++) {
    (eval(str_repeat("\n", $i) . 'return fn (mixed $value) => McPatterns\Key::of("eval", $value);'))((bool) ($i % 2) ? 1 : '1');
}
echo $notices < 1100 ? 'bounded' : $notices, "\n";
?>
--EXPECT--
bounded
1 notice
bounded
