<?php
/* What the pages show of WordPress runs. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Adapters\Tests\Support\MemcachedTestCase;

require_once __DIR__ . '/../support/application.php';

final class PageTest extends MemcachedTestCase
{
	public function testWhatOneMayHaveNowRuns(): void
	{
		$GLOBALS['wp_object_cache'] = new \WP_Object_Cache($this->pool);
		$blocks = blocks_of('frameworks/wordpress', 'php before');
		self::assertCount(1, $blocks);
		self::assertSame(['post'], eval("$blocks[0] return \$posts;"));
		$GLOBALS['wp_object_cache'] = new \WP_Object_Cache($this->pool);
		self::assertSame(['post'], get_transient('front_posts'));
	}

	public function testTheConstantsAreThoseThatAreRead(): void
	{
		$blocks = blocks_of('frameworks/wordpress', 'php wp-config');
		self::assertCount(1, $blocks);
		$file = (string) file_get_contents(dirname(__DIR__, 2) . '/wordpress/object-cache.php');
		preg_match_all("/^define\('(\w+)'/m", $blocks[0], $shown);
		preg_match_all("/'((?:MCPATTERNS|WP_CACHE)_\w+)'/", preg_replace('~/\*.*?\*/~s', '', $file), $read);
		self::assertEqualsCanonicalizing(array_unique($read[1]), $shown[1]);
		$script = tempnam(sys_get_temp_dir(), 'wp-config');
		file_put_contents($script, '<?php require ' . var_export(__DIR__ . '/wordpress.php', true) . ";\n$blocks[0]\nrequire "
			. var_export(dirname(__DIR__, 2) . '/wordpress/object-cache.php', true) . '; echo mcpatterns_object_cache_problem() ?? "no problem";');
		exec(implode(' ', array_map('escapeshellarg', [PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), $script])) . ' 2>&1', $output);
		unlink($script);
		self::assertSame(['no problem'], $output);
	}

	/** In a site's folder, with the package where Composer puts it. */
	public function testTheCommandCopiesTheFile(): void
	{
		$blocks = blocks_of('frameworks/wordpress', 'sh');
		self::assertCount(1, $blocks);
		$site = sys_get_temp_dir() . '/site' . bin2hex(random_bytes(4));
		mkdir("$site/vendor/mcpatterns", recursive: true);
		mkdir("$site/wp-content");
		symlink(dirname(__DIR__, 2), "$site/vendor/mcpatterns/adapters");
		exec('cd ' . escapeshellarg($site) . " && $blocks[0]", result_code: $status);
		self::assertSame(0, $status);
		self::assertFileEquals(dirname(__DIR__, 2) . '/wordpress/object-cache.php', "$site/wp-content/object-cache.php");
		exec('rm -r ' . escapeshellarg($site));
	}
}
