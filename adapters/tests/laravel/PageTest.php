<?php
/* What docs/adapters.md shows of Laravel runs. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

final class PageTest extends LaravelTestCase
{
	public function testThePagesExamplesRun(): void
	{
		$page = (string) file_get_contents(dirname(__DIR__, 3) . '/docs/adapters.md');
		self::assertSame(1, preg_match_all('/^```php laravel\n(.*?)^```$/ms', $page, $examples));
		foreach ($examples[1] as $example) {
			$news = eval('use Illuminate\Support\Facades\{Cache, RateLimiter};
				$load_news = fn () => ["headline"];
				$write_report = fn () => "written";
				' . str_replace(['load_news()', 'write_report()'], ['$load_news()', '$write_report()'], $example) . 'return $news;');
			self::assertSame(['headline'], $news);
		}
	}
}
