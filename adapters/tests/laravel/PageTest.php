<?php
/* What the pages show of Laravel runs. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Support\Facades\Cache;
use McPatterns\RebuildPausedException;
use Symfony\Component\HttpKernel\Exception\ServiceUnavailableHttpException;

require_once __DIR__ . '/../support/application.php';

final class PageTest extends LaravelTestCase
{
	/** @return mixed what $answer is after the only block of its kind there */
	private static function run_block(string $page, string $kind, string $answer): mixed
	{
		$blocks = blocks_of($page, $kind);
		self::assertCount(1, $blocks);
		$login = 'ada';
		return eval('use Illuminate\Support\Facades\{Cache, RateLimiter};' . $blocks[0] . "return $answer;");
	}

	public function testTheExampleRuns(): void
	{
		$GLOBALS['reports'] = 0;
		self::assertSame(['headline'], self::run_block('frameworks/laravel', 'php laravel', '$news'));
		self::assertSame(2, $GLOBALS['reports']);
	}

	public function testWhatOneMayHaveNowRuns(): void
	{
		$GLOBALS['reports'] = 0;
		self::assertSame(1, self::run_block('migrate/laravel', 'php before', 'Cache::get("tries:ada")'));
		self::assertSame([['headline'], 1], [Cache::get('news'), $GLOBALS['reports']]);
	}

	public function testTheSettingsAreThoseThatAreRead(): void
	{
		[$settings] = blocks_of('frameworks/laravel', 'ini');
		foreach (parse_ini_string($settings, scanner_mode: INI_SCANNER_RAW) as $name => $value) {
			$_ENV[$name] = $value;
		}
		try {
			$config = require dirname(__DIR__, 2) . '/src/Laravel/config.php';
			self::assertSame(['10.0.0.5:11211,10.0.0.6:11211', '60'], [$config['servers'], $config['grace']]);
			self::assertSame($config['driver'], $_ENV['CACHE_STORE']);
		} finally {
			unset($_ENV['CACHE_STORE'], $_ENV['MCPATTERNS_SERVERS'], $_ENV['MCPATTERNS_GRACE']);
		}
	}

	public function testTheEntryOfTheConfigurationIsUnderstood(): void
	{
		[$block] = blocks_of('frameworks/laravel', 'php store');
		['mcpatterns' => $store] = eval("return [$block];");
		$pool = $this->application($store)->make('cache')->getStore()->pool();
		self::assertSame([['host' => '10.0.0.5', 'port' => 11211, 'weight' => 1]], $pool->servers());
		self::assertSame('shop:', $this->application($store)->make('cache')->getStore()->getPrefix());
	}

	public function testAPauseIsMappedToAStatus(): void
	{
		[$block] = blocks_of('frameworks/laravel', 'php exceptions');
		$handler = new Handler($this->app);
		$exceptions = new Exceptions($handler);
		eval('use ' . RebuildPausedException::class . '; use ' . ServiceUnavailableHttpException::class . ";\n$block");
		$pause = new RebuildPausedException();
		$pause->retryAfter = 1.5;
		$mapped = (new \ReflectionMethod($handler, 'mapException'))->invoke($handler, $pause);
		self::assertInstanceOf(ServiceUnavailableHttpException::class, $mapped);
		self::assertSame([503, 2], [$mapped->getStatusCode(), $mapped->getHeaders()['Retry-After']]);
	}

	public function testTheCommandsNameThePackageAndItsFolder(): void
	{
		$package = json_decode((string) file_get_contents(dirname(__DIR__, 2) . '/composer.json'));
		[$commands] = examples_of(dirname(__DIR__, 2) . '/README.md', 'sh');
		self::assertStringEndsWith("\ncomposer require $package->name:@dev\n", $commands);
		preg_match('~^composer config repositories\.mcpatterns path /(\S+)\n~', $commands, $folder);
		$installed = file(dirname(__DIR__, 3) . '/debian/php-mcpatterns.install', FILE_IGNORE_NEW_LINES);
		self::assertContains("adapters/composer.json $folder[1]", $installed);
	}
}
