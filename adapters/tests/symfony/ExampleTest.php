<?php
/* examples/symfony under a stampede, behind web servers. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, WebWorkers};

final class ExampleTest extends MemcachedTestCase
{
	private const WORKERS = 6;
	private const SECONDS = 2.5;
	/** What each takes at least: who begins when another has ended ends so much later, however early it was drawn. */
	private const LOAD_NS = 100_000_000;

	private string $folder;
	private WebWorkers $workers;

	protected function setUp(): void
	{
		parent::setUp();
		$this->folder = make_temporary_folder('symfony');
		$this->install();
		$this->workers = new WebWorkers(self::WORKERS, "$this->folder/public", ['APP_SECRET' => bin2hex(random_bytes(16)),
			'MCPATTERNS_SERVERS' => self::$memcached->address, 'MCPATTERNS_PREFIX' => bin2hex(random_bytes(6)), 'NEWS_JOURNAL' => "$this->folder/news"]);
	}

	protected function tearDown(): void
	{
		$this->workers->dispose();
		remove_folder($this->folder);
	}

	/** As `composer install` would leave it, with the packages that are installed for these tests. */
	private function install(): void
	{
		exec('cp -R ' . escapeshellarg(dirname(__DIR__, 3) . '/examples/symfony/.') . ' ' . escapeshellarg($this->folder));
		mkdir("$this->folder/vendor");
		$packages = dirname((string) (new \ReflectionClass(\Composer\Autoload\ClassLoader::class))->getFileName(), 2);
		file_put_contents("$this->folder/vendor/autoload.php", sprintf("<?php\nrequire_once %s;\n\$loader = require %s;\n\$loader->addPsr4('McPatterns\\\\Adapters\\\\', %s);\n\$loader->addPsr4('App\\\\', %s);\nreturn \$loader;\n",
			var_export(dirname(__DIR__) . '/support/polyfill_php85.php', true), var_export("$packages/autoload.php", true), var_export(dirname(__DIR__, 2) . '/src', true), var_export("$this->folder/src", true)));
	}

	/** @return array<string, mixed>|int */
	private function ask(string $path): array|int
	{
		$body = $this->workers->get($path);
		return json_decode($body, true) ?? self::fail("no JSON: $body" . $this->workers->log());
	}

	/** @return list<int> from each to the next */
	private function nanosecondsBetweenLoads(string $page): array
	{
		preg_match_all("/^$page \w+ (\d+)$/m", (string) file_get_contents("$this->folder/news"), $found);
		$done = array_map(intval(...), $found[1]);
		sort($done);
		return array_map(fn (int $later, int $earlier): int => $later - $earlier, array_slice($done, 1), array_slice($done, 0, -1));
	}

	public function testLoadsItsHeadlinesOncePerExpiry(): void
	{
		$loads = ['none' => $this->ask('/loads/none')]; // the first request makes the container
		foreach (['cached', 'naive'] as $page) {
			$answers = array_map(fn (string $body): array => json_decode($body, true), $this->workers->stampede("/$page", self::SECONDS));
			$loads[$page] = $this->ask("/loads/$page");
			self::assertSame(['Man bites dog', 'Dog bites back'], $answers[0]['headlines']);
			self::assertCount($loads[$page], array_unique(array_column($answers, 'loaded')), 'each load is somebody\'s answer');
			printf("examples/symfony: /%s answered %d requests of %d workers in %.0f s with %d loads\n", $page, count($answers), self::WORKERS, self::SECONDS, $loads[$page]);
			if ($page === 'cached') {
				self::assertGreaterThanOrEqual(2, $loads[$page]);
				self::assertGreaterThanOrEqual(self::LOAD_NS, min($this->nanosecondsBetweenLoads($page)), 'two at a time');
			}
		}
		self::assertLessThan(self::LOAD_NS, min($this->nanosecondsBetweenLoads('naive')), 'what is no stampede proves nothing');
		self::assertGreaterThan($loads['cached'], $loads['naive']);
	}

	public function testInvalidatesAndLocks(): void
	{
		$this->ask('/cached');
		$old = $this->ask('/cached')['loaded'];
		self::assertSame(['invalidated' => true], $this->ask('/publish'));
		self::assertNotSame($old, $this->ask('/cached')['loaded']);
		$sent = array_column(array_map(fn (string $body): array => json_decode($body, true), $this->workers->stampede('/digest', 1)), 'sent');
		self::assertContains(true, $sent);
		self::assertContains(false, $sent, 'nobody met the lock');
		self::assertLessThan(12, count(array_filter($sent)), 'one after the other, 0.2 s each');
	}
}
