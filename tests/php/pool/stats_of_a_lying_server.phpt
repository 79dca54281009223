--TEST--
Pool::stats() ignores lines with control characters
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../_support/wrong_server.inc';

$long = str_repeat('x', 1900);
$answers = ["STAT a\0b 1\r\n", "STAT a 1\0\r\n", "STAT \0\r\n", "STAT a 1\r2\r\n", "STAT a\tb 1\r\n", "STAT a \x7f\r\n",
    "STAT\r\n", "STAT \r\n", "STAT a\r\n", "STAT a b c \r\n", "STAT a \xff\r\nSTAT a \xfe\r\n", "STAT 7 07\r\n", "STAT a $long\r\n"];
foreach ($answers as $answer) {
    $stats = current((new Pool(start_wrong_server("{$answer}END\r\n"), retryAfter: 0))->stats());
    echo strtr(var_export($stats === null ? null : array_map(rawurlencode(...), $stats), true), ["\n" => '', $long => '(long)']), "\n";
}
?>
--EXPECT--
NULL
NULL
NULL
NULL
NULL
NULL
NULL
NULL
array (  'a' => '',)
array (  'a' => 'b%20c%20',)
array (  'a' => '%FE',)
array (  7 => '7',)
array (  'a' => '(long)',)
