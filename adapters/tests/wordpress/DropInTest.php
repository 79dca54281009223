<?php
/* object-cache.php as WordPress loads it, in processes of their own: with and without what it needs. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Adapters\Tests\Support\MemcachedTestCase;

final class DropInTest extends MemcachedTestCase
{
	/**
	 * What a script prints that does as wp_start_object_cache() does, and then $code.
	 *
	 * @param list<string> $options of php
	 */
	private function run_wordpress(string $code, array $options, string $settings = ''): string
	{
		$script = tempnam(sys_get_temp_dir(), 'wordpress');
		file_put_contents($script, '<?php error_reporting(-1); ini_set("display_errors", "1"); require ' . var_export(__DIR__ . '/wordpress.php', true) . ";
			$settings
			defined('AUTH_KEY') || define('AUTH_KEY', 'a secret of this site');
			(function () { require " . var_export(dirname(__DIR__, 2) . '/wordpress/object-cache.php', true) . "; })();
			\$using = function_exists('wp_cache_init');
			if (\$using) { wp_cache_init(); } else { class WP_Object_Cache {} function wp_cache_init() {} echo 'WordPress\\' own. '; }
			$code");
		exec(implode(' ', array_map('escapeshellarg', [PHP_BINARY, ...$options, $script])) . ' 2>&1', $output, $status);
		unlink($script);
		self::assertSame(0, $status, implode("\n", $output));
		return implode("\n", $output);
	}

	/** @return list<string> */
	private static function withExtension(): array
	{
		$extension = getenv('TEST_PHP_EXTENSION');
		self::assertIsString($extension, 'TEST_PHP_EXTENSION is to be the path of the extension under test');
		return ['-n', '-d', "extension=$extension", '-d', 'mcpatterns.servers=' . self::$memcached->address];
	}

	public function testIsTheObjectCacheWhereTheExtensionIs(): void
	{
		$code = 'var_dump(wp_cache_set("key", 1)); wp_cache_flush_runtime(); var_dump(wp_cache_get("key")); do_action("admin_notices");';
		self::assertSame("bool(true)\nint(1)", $this->run_wordpress($code, self::withExtension()));
	}

	/** The server is left alone for an hour after each failure. */
	public function testLogsOnceWhatAServerFailedOf(): void
	{
		$settings = 'define("MCPATTERNS_SERVERS", "unix:///there/is/none"); define("MCPATTERNS_POOL", ["retryAfter" => 3600]); McPatterns\Clock::freeze();';
		$code = 'foreach ([2, 2, 3601, 2] as $seconds) { wp_cache_set("key", 1); echo "\nlater: "; McPatterns\Clock::advance($seconds); }';
		$lines = explode("\n", $this->run_wordpress($code, self::withExtension(), $settings));
		self::assertCount(2, preg_grep('~object cache: unix:///there/is/none: the server could not be reached: no such file~', $lines));
		self::assertCount(0, preg_grep('~circuit breaker~', $lines));
	}

	/** Tests and commands of plugins make one of their own. */
	public function testIsMadeWithoutArguments(): void
	{
		$code = 'wp_cache_set("key", 1); $cache = new WP_Object_Cache(); var_dump($cache->get("key"));';
		self::assertSame('int(1)', $this->run_wordpress($code, self::withExtension()));
	}

	public function testLeavesEverythingToWordPressWithoutTheExtension(): void
	{
		$answer = $this->run_wordpress('do_action("admin_notices"); echo count($wordpress["wrong"]);', ['-n']);
		self::assertSame("WordPress' own. <div class=\"notice notice-error\"><p>The object cache is off (wp-content/object-cache.php): "
			. 'the PHP extension mcpatterns is not loaded.</p></div>0', $answer);
	}

	public function testTellsAdminsAlone(): void
	{
		self::assertSame("WordPress' own.", $this->run_wordpress('$wordpress["admin"] = false; do_action("admin_notices");', ['-n']));
	}

	public function testLeavesEverythingToWordPressWithAWrongSetting(): void
	{
		$answer = $this->run_wordpress('do_action("network_admin_notices");', self::withExtension(), 'define("MCPATTERNS_SERVERS", ["<host>:x"]);');
		self::assertStringStartsWith("WordPress' own. <div", $answer);
		self::assertStringContainsString('&lt;host&gt;:x', $answer);
		$answer = $this->run_wordpress('do_action("admin_notices");', self::withExtension(), 'define("MCPATTERNS_POOL", ["tmeout" => 1]);');
		self::assertStringContainsString('$tmeout', $answer);
		foreach (['MCPATTERNS_GUARDED', 'MCPATTERNS_AHEAD'] as $switch) {
			$answer = $this->run_wordpress('do_action("admin_notices");', self::withExtension(), "define('$switch', 'off');");
			self::assertStringStartsWith("WordPress' own. <div", $answer);
			self::assertStringContainsString("$switch must be true or false, string given", $answer);
		}
		foreach (['-1' => '$grace', '"soon"' => 'MCPATTERNS_GRACE'] as $grace => $complaint) {
			$answer = $this->run_wordpress('do_action("admin_notices");', self::withExtension(), "define('MCPATTERNS_GRACE', $grace);");
			self::assertStringStartsWith("WordPress' own. <div", $answer);
			self::assertStringContainsString($complaint, $answer);
		}
	}

	public function testKeepsSitesApartByTheirSaltOrDatabase(): void
	{
		$look = 'var_dump(wp_cache_get("key")); wp_cache_set("key", $table_prefix ?? 0);';
		$one = 'define("DB_NAME", "one"); $table_prefix = "wp_";';
		$answers = array_map(fn (string $settings) => $this->run_wordpress($look, self::withExtension(), $settings), [
			$one, $one, 'define("DB_NAME", "one"); $table_prefix = "shop_";', $one . 'define("WP_CACHE_KEY_SALT", "staging");', $one,
		]);
		self::assertSame(['bool(false)', 'string(3) "wp_"', 'bool(false)', 'bool(false)', 'string(3) "wp_"'], $answers);
	}

	/** Another tenant of the server can write, and does not know the site's secret. */
	public function testReadsWhatIsSignedByItsOwnSecretAlone(): void
	{
		$look = 'var_dump(wp_cache_get("key")); wp_cache_set("key", 1);';
		$answers = array_map(fn (string $settings) => $this->run_wordpress($look, self::withExtension(), 'define("DB_NAME", "signed");' . $settings), [
			'define("AUTH_KEY", "the secret of one site");', 'define("AUTH_KEY", "the secret of one site");', 'define("AUTH_KEY", "what another has for it");',
			'define("MCPATTERNS_POOL", ["signingKey" => null]);', 'define("AUTH_KEY", "the secret of one site");',
		]);
		self::assertSame(['bool(false)', 'int(1)'], array_slice($answers, 0, 2));
		self::assertStringEndsWith('bool(false)', $answers[2]);
		self::assertStringEndsWith('bool(false)', $answers[4]);
	}

	public function testTellsAdminsWhatItDoesWithout(): void
	{
		$warnings = [
			'define("AUTH_KEY", "put your unique phrase here");' => 'does not sign its values',
			'define("MCPATTERNS_SERVERS", ["unix:///one", "unix:///two"]); define("MCPATTERNS_POOL", ["failover" => true]);' => 'is not guarded',
		];
		foreach ($warnings as $settings => $says) {
			$answer = $this->run_wordpress('do_action("admin_notices");', self::withExtension(), $settings);
			self::assertStringStartsWith('<div class="notice notice-warning">', $answer);
			self::assertStringContainsString($says, $answer);
			$silent = 'define("MCPATTERNS_GUARDED", false);' . strtr($settings, ['put your unique phrase here' => 'a secret that is long enough']);
			self::assertSame('', $this->run_wordpress('do_action("admin_notices");', self::withExtension(), $silent));
		}
	}

	public function testPrintsNothingWhenItIsAskedForDirectly(): void
	{
		exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg(dirname(__DIR__, 2) . '/wordpress/object-cache.php') . ' 2>&1', $output, $status);
		self::assertSame([[], 0], [$output, $status]);
	}
}
