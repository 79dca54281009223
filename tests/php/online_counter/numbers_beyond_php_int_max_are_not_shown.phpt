--TEST--
Counts beyond PHP_INT_MAX throw StoredValueException, and increments are undone
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, OnlineCounter, Pool, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $name, callable $call): void
{
    try {
        $answer = $call();
        echo "$name: ", json_encode($answer), "\n";
    } catch (StoredValueException $error) {
        echo "$name: ", preg_replace('/unix:\S+sock|127\.\d+\.\d+\.\d+:\d+/', 'server', $error->getMessage()), "\n";
    }
}

$server = start_memcached();
Clock::freeze(1800000000);
$online = new OnlineCounter(new Pool($server->address), "a page\n", 300, 5);
$online->increment(PHP_INT_MAX);
attempt('increment', fn () => $online->increment());
attempt('hit', fn () => $online->hit('anna'));
attempt('the slot', fn () => current($online->perSlot()));
Clock::advance(60);
attempt('count', fn () => $online->count());
$online->increment();
attempt('smooth', fn () => $online->count(smooth: true));
Clock::advance(60);
attempt('count of two slots', fn () => $online->count());
attempt('perSlot', fn () => array_values(array_slice($online->perSlot(), 0, 3)));

$online = new OnlineCounter(new Pool($server->address), 'page', 300, 5);
$server->raw("set online:page:30000001 0 0 19\r\n9223372036854775808");
foreach (['count' => [], 'count, smooth' => [true], 'perSlot' => []] as $name => $arguments) {
    attempt($name, fn () => $online->{strtok($name, ',')}(...$arguments));
}
?>
--EXPECT--
increment: Cannot increment the online counter "a page?" on server: the result would exceed PHP_INT_MAX; the previous value was kept
hit: Cannot count a visitor in the online counter "a page?" on server: the result would exceed PHP_INT_MAX; the previous value was kept
the slot: 9223372036854775807
count: 9223372036854775807
smooth: Cannot read the online counter "online:a_page_~#b4d6b8c7b45592e3644eb07770ef5cd8": the number exceeds PHP_INT_MAX
count of two slots: Cannot read the online counter "online:a_page_~#b4d6b8c7b45592e3644eb07770ef5cd8": the number exceeds PHP_INT_MAX
perSlot: [0,1,9223372036854775807]
count: Cannot read the online counter "online:page": the number exceeds PHP_INT_MAX
count, smooth: Cannot read the online counter "online:page": the number exceeds PHP_INT_MAX
perSlot: Cannot read the online counter "online:page": the number exceeds PHP_INT_MAX
