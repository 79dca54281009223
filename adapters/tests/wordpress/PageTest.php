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
		$blocks = blocks_of('migrating', 'php before', 'From WordPress');
		self::assertCount(1, $blocks);
		self::assertSame(['post'], eval("$blocks[0] return \$posts;"));
		$GLOBALS['wp_object_cache'] = new \WP_Object_Cache($this->pool);
		self::assertSame(['post'], get_transient('front_posts'));
	}

	/** In a site's folder, with the package where Composer puts it. */
	public function testTheCommandCopiesTheFile(): void
	{
		$blocks = blocks_of('adapters', 'sh', 'WordPress');
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
