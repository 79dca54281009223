--TEST--
Each example in examples/methods runs and prints its documented output
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../../tools/generated.php';
require __DIR__ . '/../../tools/docs/markdown.php';

/** What the file prints, and throws, with variables of its own. */
function run_alone(string $file): string
{
    ob_start();
    try {
        (static fn () => require $file)();
    } catch (Throwable $thrown) {
        echo get_class($thrown), ': ', $thrown->getMessage(), "\n";
    }
    return ob_get_clean();
}

$server = start_memcached();
$run = 0;
foreach (array_unique(McPatterns\Tools\examples_by_method(__DIR__ . '/../..'), SORT_REGULAR) as $method => $example) {
    $file = tempnam(sys_get_temp_dir(), "example$run-"); // opcache keeps what was in a file of the same name
    file_put_contents($file, "<?php\n" . str_replace('127.0.0.1:11211', $server->address, $example['code']));
    $printed = run_alone($file);
    unlink($file);
    if ($printed !== $example['prints']) {
        echo "$method() prints:\n$printed";
    }
    Clock::unfreeze();
    (new Pool($server->address))->flush();
    $run++;
}
echo $run > 60 ? 'all' : $run, "\n";
?>
--EXPECT--
all
