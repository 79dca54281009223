--TEST--
Stored values that are not numbers throw StoredValueException and stay unchanged
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
function store(string $value): void
{
    global $server;
    $server->exchange('set views 0 0 ' . strlen($value) . "\r\n$value\r\n", 5);
}

$counter = new Counter(new Pool($server->address, timeout: 10), 'views');
foreach (['hello', '', '1.5', '-5', '7x', '18446744073709551615', '99999999999999999999'] as $value) {
    store($value);
    $refused = [];
    foreach (['increment', 'decrement', 'value', 'drain'] as $method) {
        try {
            $refused[] = $method . ' gave ' . json_encode($counter->$method());
        } catch (StoredValueException $error) {
            $refused[] = $method;
        }
    }
    [, $stored] = explode("\r\n", $server->raw('get views'));
    echo json_encode($value), ': refused by ', implode(', ', $refused), rtrim($stored) === $value ? '' : ", and now $stored", "\n";
}
$counter->set(3);
var_dump($counter->increment());

// Counting goes by what memcached takes for a number; reading by digits, and spaces behind them.
$show = function (string $method) use ($counter) {
    try {
        return json_encode($counter->$method());
    } catch (StoredValueException) {
        return 'refused';
    }
};
foreach (['007', '7  ', ' 7', '+7', "\t7", '-0', '7 8', '12 monkeys', "9\nlives", str_repeat('0', 28) . '7'] as $value) {
    foreach (['value', 'drain', 'increment'] as $method) {
        store($value);
        echo $method, ' of ', json_encode($value), ': ', $show($method), $method === 'increment' ? "\n" : ', ';
    }
    [, $stored] = explode("\r\n", $server->raw('get views'));
    echo '  stored ', json_encode($stored), ', now ', $show('value'), "\n";
}
// Beyond PHP_INT_MAX nothing is taken from it, even where that would lead back.
store('9223372036854775808');
echo $show('decrement'), ' ', json_encode($server->raw('get views')), "\n";
?>
--EXPECT--
"hello": refused by increment, decrement, value, drain
"": refused by increment, decrement, value, drain
"1.5": refused by increment, decrement, value, drain
"-5": refused by increment, decrement, value, drain
"7x": refused by increment, decrement, value, drain
"18446744073709551615": refused by increment, decrement, value, drain
"99999999999999999999": refused by increment, decrement, value, drain
int(4)
value of "007": 7, drain of "007": 7, increment of "007": 8
  stored "8  ", now 8
value of "7  ": 7, drain of "7  ": 7, increment of "7  ": 8
  stored "8  ", now 8
value of " 7": refused, drain of " 7": refused, increment of " 7": 8
  stored "8 ", now 8
value of "+7": refused, drain of "+7": refused, increment of "+7": 8
  stored "8 ", now 8
value of "\t7": refused, drain of "\t7": refused, increment of "\t7": 8
  stored "8 ", now 8
value of "-0": refused, drain of "-0": refused, increment of "-0": 1
  stored "1 ", now 1
value of "7 8": refused, drain of "7 8": refused, increment of "7 8": 8
  stored "8  ", now 8
value of "12 monkeys": refused, drain of "12 monkeys": refused, increment of "12 monkeys": 13
  stored "13        ", now 13
value of "9\nlives": refused, drain of "9\nlives": refused, increment of "9\nlives": 10
  stored "10     ", now 10
value of "00000000000000000000000000007": refused, drain of "00000000000000000000000000007": refused, increment of "00000000000000000000000000007": 8
  stored "8                            ", now 8
refused "VALUE views 0 19\r\n9223372036854775808\r\nEND\r\n"
