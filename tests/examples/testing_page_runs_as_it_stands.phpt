--TEST--
Each example of the testing page, including PHPUnit's, runs without a server
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/examples.inc';
require __DIR__ . '/../_support/script.inc';

/** What the example needs of PHPUnit. */
const TEST_CASE = <<<'PHP'
	namespace PHPUnit\Framework {
		class TestCase
		{
			protected function setUp(): void {}
			protected function tearDown(): void {}

			public static function assertSame(mixed $expected, mixed $actual): void
			{
				if ($expected !== $actual) {
					throw new \Exception(var_export($actual, true) . ' is not ' . var_export($expected, true));
				}
			}

			public static function assertTrue(bool $actual): void { self::assertSame(true, $actual); }
			public static function assertFalse(bool $actual, string $message = ''): void { self::assertSame(false, $actual); }

			public function run(): void
			{
				foreach (get_class_methods($this) as $method) {
					if (str_starts_with($method, 'test')) {
						$test = new static();
						$test->setUp();
						$test->$method();
						$test->tearDown();
						echo "$method passed\n";
					}
				}
			}
		}
	}
	PHP;

$application = '';
foreach (examples_of(__DIR__ . '/../../docs/start/testing.md') as $example) {
	if (str_starts_with($example, '// src/')) {
		$application = "namespace {\n$example\n}\n";
		continue;
	}
	$is_case = str_starts_with($example, '// tests/');
	$code = $is_case ? TEST_CASE . "\n{$application}namespace {\n$example\n(new FrontPageTest())->run();\n}" : $example;
	echo "---\n", run_script("\n$code", settings: ['mcpatterns.servers' => 'memory://tests']), "\n";
}
?>
--EXPECT--
---
testHeadlinesAreLoadedOnceAMinute passed
testAnImportKeepsOthersOutAndBringsNewHeadlines passed
testAFailedImportCanBeStartedAgain passed
testReadersCountOnceAndForFiveMinutes passed

---
NULL
string(5) "stale"
bool(true)
string(3) "new"

---
string(7) "default"
bool(false)
string(8) "computed"
the server is unreachable
