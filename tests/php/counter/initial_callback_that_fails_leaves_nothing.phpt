--TEST--
A failed initial callback stores nothing, and the next one runs immediately
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Counter, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$callbacks = [
    fn () => throw new DomainException('no database'),
    fn () => '12',
    fn () => null,
    fn () => -1,
    fn () => (new Counter($pool, 'views', fn () => 1, wait: 60))->increment(),
    function (int $required) { return 1; },
];
foreach ($callbacks as $callback) {
    foreach (['increment', 'value'] as $method) {
        try {
            echo json_encode((new Counter($pool, 'views', $callback, wait: 60))->$method()), "\n";
        } catch (Throwable $error) {
            echo get_class($error), ': ', preg_replace('/\{closure.*?\}\(\)/', '{closure}', $error->getMessage()), "\n";
        }
    }
}

// Neither the number nor the guard, whose key is in docs/spec/storage.md.
$guard = 'lock:views~#' . substr(hash('sha256', "\1initial:views"), 0, 32);
$left = fn () => substr_count($server->raw("get views $guard"), 'VALUE ');
$server->raw("set $guard 0 1 1\r\nx");
echo 'can be seen: ', $left(), "\n";
$server->raw("delete $guard");
foreach (['exit;', 'throw new Exception;', 'eval("class Fatal implements Countable {}");', 'for (;;) { }'] as $end) {
    run_script('(new McPatterns\Counter(new McPatterns\Pool($argv[1]), "views", function () { ' . $end . ' }))->increment();',
        [$server->address], ['max_execution_time' => 1]);
    echo "$end left: ", $left(), "\n";
}
$start = hrtime(true);
echo (new Counter($pool, 'views', fn () => 10, wait: 60))->increment(), ' ', hrtime(true) - $start < 30e9 ? 'at once' : 'late', "\n";
?>
--EXPECT--
DomainException: no database
DomainException: no database
TypeError: The initial value of the counter "views" must be of type int, string returned
TypeError: The initial value of the counter "views" must be of type int, string returned
TypeError: The initial value of the counter "views" must be of type int, null returned
TypeError: The initial value of the counter "views" must be of type int, null returned
ValueError: The initial value of the counter "views" must be greater than or equal to 0, -1 returned
ValueError: The initial value of the counter "views" must be greater than or equal to 0, -1 returned
LogicException: The initial value of the counter "views" reads the counter itself
LogicException: The initial value of the counter "views" reads the counter itself
ArgumentCountError: Too few arguments to function {closure}, 0 passed and exactly 1 expected
ArgumentCountError: Too few arguments to function {closure}, 0 passed and exactly 1 expected
can be seen: 1
exit; left: 0
throw new Exception; left: 0
eval("class Fatal implements Countable {}"); left: 0
for (;;) { } left: 0
11 at once
