<?php
/* examples/laravel under a stampede: found by Laravel's own discovery of packages, behind web servers. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, WebWorkers};

final class ExampleTest extends MemcachedTestCase
{
	private const WORKERS = 6;
	/** At least; on a busy machine until there was a second load, so long at most. */
	private const SECONDS = 2.5;
	private const SECONDS_AT_MOST = 60.0;
	/** A TTL and a load. */
	private const BETWEEN_LOADS = 1.1;

	private string $folder;
	private WebWorkers $workers;

	protected function setUp(): void
	{
		parent::setUp();
		$this->folder = make_temporary_folder('laravel');
		$this->install();
		$this->workers = new WebWorkers(self::WORKERS, "$this->folder/public", ['APP_KEY' => 'base64:' . base64_encode(random_bytes(32)), 'APP_DEBUG' => 'true',
			'LOG_CHANNEL' => 'stderr', 'CACHE_STORE' => 'mcpatterns', 'CACHE_PREFIX' => bin2hex(random_bytes(6)), 'MCPATTERNS_GRACE' => '30',
			'MCPATTERNS_SERVERS' => self::$memcached->address]);
	}

	protected function tearDown(): void
	{
		$this->workers->dispose();
		remove_folder($this->folder);
	}

	/** As `composer install` would leave it, with the packages that are installed for these tests. */
	private function install(): void
	{
		exec('cp -R ' . escapeshellarg(dirname(__DIR__, 3) . '/examples/laravel/.') . ' ' . escapeshellarg($this->folder));
		foreach (['bootstrap/cache', 'storage/framework/views', 'storage/logs', 'vendor/composer'] as $folder) {
			mkdir("$this->folder/$folder", recursive: true);
		}
		$autoload = '$loader = require ' . var_export(self::packages(), true) . ";\nrequire_once " . var_export(__DIR__ . '/stand-ins.php', true)
			. ";\n" . '$loader->addPsr4("McPatterns\\\\Adapters\\\\", ' . var_export(dirname(__DIR__, 2) . '/src', true) . ");\nreturn \$loader;\n";
		file_put_contents("$this->folder/vendor/autoload.php", "<?php\n$autoload");
		$adapters = json_decode((string) file_get_contents(dirname(__DIR__, 2) . '/composer.json'), true);
		file_put_contents("$this->folder/vendor/composer/installed.json", json_encode(['packages' => [$adapters]]));
	}

	private static function packages(): string
	{
		$loader = (new \ReflectionClass(\Composer\Autoload\ClassLoader::class))->getFileName();
		return dirname((string) $loader, 2) . '/autoload.php';
	}

	public function testLoadsItsHeadlinesOncePerExpiry(): void
	{
		$loads = $most = [];
		foreach (['remember', 'flexible', 'naive'] as $page) {
			$begun = microtime(true);
			$answers = [];
			do {
				$bodies = $this->workers->stampede("/$page", self::SECONDS);
				array_push($answers, ...array_map(fn (string $body): array => json_decode($body, true), $bodies));
				$loads[$page] = (int) $this->workers->get("/loads/$page");
				$seconds = microtime(true) - $begun;
			} while ($loads[$page] < 2 && $seconds < self::SECONDS_AT_MOST);
			$most[$page] = $seconds / self::BETWEEN_LOADS + 2;
			self::assertSame(['Man bites dog', 'Dog bites back'], $answers[0]['headlines']);
			self::assertCount($loads[$page], array_unique(array_column($answers, 'loaded')), 'each load is somebody\'s answer');
			printf("examples/laravel: /%s answered %d requests of %d workers in %.0f s with %d loads\n", $page, count($answers), self::WORKERS, $seconds, $loads[$page]);
		}
		foreach (['remember', 'flexible'] as $page) {
			self::assertGreaterThanOrEqual(2, $loads[$page]);
			self::assertLessThanOrEqual($most[$page], $loads[$page], 'one after the other, there is no time for more');
			self::assertGreaterThan($loads[$page], $loads['naive'], 'what is no stampede proves nothing');
		}
	}
}
