--TEST--
Every block of code of the README, of the tour, of the tutorial, and of the pages on adapters, moving over and questions, is of a kind that a test runs
--FILE--
<?php
// Who runs them: (r) tests/readme, (u) tests/examples/tutorial_*, (m) tests/examples/migrating_*, (o) tests/examples/code_to_move_over_*, and PageTest (of `framework`: FrameworkTest, of `sessions`: SessionTest) in
// (s) adapters/tests/symfony, (l) laravel, (w) wordpress, (k) Site in mediawiki, (t) MeterTest in opentelemetry. bin/demo and bin/test: bin/fresh.
$run = [
	'README.md' => ['' => ['php' => 'r']],
	'docs/start/tour.md' => ['' => ['php' => 'r']],
	'docs/start/tutorial.md' => ['' => ['php' => 'u', 'sh' => 'u', 'text' => 'u']],
	'docs/start/faq.md' => [],
	'docs/start/adapters.md' => [
		'' => ['sh' => 'l'],
		'PSR-16 and PSR-6' => ['php psr' => 's'],
		'Symfony' => ['php symfony' => 's', 'php framework' => 's', 'php sessions' => 's'],
		'Laravel' => ['ini' => 'l', 'php laravel' => 'l'],
		'WordPress' => ['sh' => 'w'],
		'MediaWiki' => ['php mediawiki' => 'k'],
		'OpenTelemetry' => ['php otel' => 't'],
	],
	'docs/start/migrating.md' => [
		'Which distribution do you have?' => ['php both' => 'o'],
		"From the article's MC class" => ['php before' => 'o', 'php' => 'm'],
		'From php-memcached' => ['php before' => 'o', 'php' => 'm'],
		'From Symfony Cache' => ['php before' => 's', 'php' => 'm'],
		'From Symfony Lock' => ['php before' => 's', 'php' => 'm'],
		'From Laravel' => ['php before' => 'l', 'php' => 'm'],
		'From WordPress' => ['php before' => 'w', 'php' => 'm'],
	],
];
$blocks = 0;
foreach ($run as $page => $sections) {
	$section = $kind = null;
	foreach (file(__DIR__ . "/../../$page", FILE_IGNORE_NEW_LINES) as $number => $line) {
		if (preg_match('/^## (.*)/', $line, $title)) {
			$section = $title[1];
		}
		if (!str_starts_with(ltrim($line), '```')) {
			continue;
		}
		if ($kind !== null) {
			$kind = null;
			continue;
		}
		$kind = substr($line, 3);
		$blocks++;
		isset(($sections[$section ?? ''] ?? $sections[''] ?? [])[$kind]) || printf("%s, line %d: nobody runs this block (%s)\n", $page, $number + 1, $kind);
	}
}
var_dump($blocks > 25);
?>
--EXPECT--
bool(true)
