--TEST--
A test runs each code block of the documentation's main pages
--FILE--
<?php
require __DIR__ . '/../_support/examples.inc';

// Who runs them: (r) tests/readme, (u) tests/examples/tutorial_*, (m) tests/examples/migrating_*, (o) tests/examples/code_to_move_over_*, and PageTest (of `framework`: FrameworkTest, of `sessions`: SessionTest) in
// (s) adapters/tests/symfony, (l) laravel, (w) wordpress, (k) Site in mediawiki, (t) MeterTest and SpansTest in opentelemetry, (i) codeigniter, (y) yii, (c) cakephp, (d) ServicesTest in drupal; (p) parsed here, for other extensions. bin/demo and bin/test: bin/fresh.
$run = [
	'README.md' => ['' => ['php' => 'r']],
	'docs/start/tour.md' => ['' => ['php' => 'r']],
	'docs/start/tutorial.md' => ['' => ['php' => 'u', 'sh' => 'u', 'text' => 'u']],
	'docs/start/faq.md' => [],
	'adapters/README.md' => ['' => ['sh' => 'l']],
	'docs/frameworks/psr.md' => ['' => ['php psr' => 's', 'php laminas' => 's']],
	'docs/frameworks/symfony.md' => ['' => ['php symfony' => 's', 'php framework' => 's', 'php sessions' => 's']],
	'docs/frameworks/laravel.md' => ['' => ['ini' => 'l', 'php laravel' => 'l', 'php store' => 'l', 'php exceptions' => 'l']],
	'docs/frameworks/wordpress.md' => ['' => ['sh' => 'w', 'php wp-config' => 'w', 'php before' => 'w', 'php' => 'm']],
	'docs/frameworks/codeigniter.md' => ['' => ['php codeigniter' => 'i']],
	'docs/frameworks/yii.md' => ['' => ['php yii' => 'y']],
	'docs/frameworks/cakephp.md' => ['' => ['php cakephp' => 'c']],
	'docs/frameworks/mediawiki.md' => ['' => ['php mediawiki' => 'k']],
	'docs/frameworks/opentelemetry.md' => ['' => ['php spans' => 't', 'php otel' => 't']],
	'docs/frameworks/drupal.md' => ['' => ['php settings' => 'd', 'yaml' => 'd']],
	'docs/frameworks/other-applications.md' => [],
	'docs/migrate/mc-class.md' => ['' => ['php before' => 'o', 'php' => 'm']],
	'docs/migrate/php-memcached.md' => ['' => ['php both' => 'o', 'php before' => 'o', 'php' => 'm']],
	'docs/migrate/phpredis.md' => ['' => ['php redis' => 'p', 'php' => 'm']],
	'docs/migrate/symfony-cache.md' => ['' => ['php before' => 's', 'php' => 'm']],
	'docs/migrate/laravel.md' => ['' => ['php before' => 'l', 'php session' => 'l', 'php' => 'm']],
	'docs/migrate/apcu.md' => ['' => ['php apcu' => 'p', 'php' => 'm']],
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
foreach (['phpredis' => 'php redis', 'apcu' => 'php apcu'] as $page => $kind) {
	foreach (examples_of(__DIR__ . "/../../docs/migrate/$page.md", $kind) as $block) {
		eval("return; $block");
	}
}
var_dump($blocks > 25);
?>
--EXPECT--
bool(true)
