--TEST--
What another program stored and is no number is a StoredValueException in every method, and stays as it is
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool, StoredValueException};

require __DIR__ . '/../_support/memcached.inc';

$server = start_memcached();
function store(string $value): void
{
    global $server;
    speak("unix://$server->host", 'set views 0 0 ' . strlen($value) . "\r\n$value\r\n", 5);
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
foreach ([' 7', '007', '7  '] as $value) {
    store($value);
    echo json_encode($value), ' + 1 = ', $counter->increment(), "\n";
}
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
" 7" + 1 = 8
"007" + 1 = 8
"7  " + 1 = 8
