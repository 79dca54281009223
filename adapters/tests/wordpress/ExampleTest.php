<?php
/* examples/wordpress-like under a stampede, behind web servers. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, WebWorkers};

final class ExampleTest extends MemcachedTestCase
{
	private const WORKERS = 6;
	/** At least; on a busy machine until there was a second query, so long at most. */
	private const SECONDS = 2.5;
	private const SECONDS_AT_MOST = 60.0;
	/** A TTL and a query. */
	private const BETWEEN_QUERIES = 1.1;

	private string $folder;

	protected function setUp(): void
	{
		parent::setUp();
		$this->folder = make_temporary_folder('wordpress');
		exec('cp -R ' . escapeshellarg(dirname(__DIR__, 3) . '/examples/wordpress-like/.') . ' ' . escapeshellarg($this->folder));
	}

	protected function tearDown(): void
	{
		remove_folder($this->folder);
	}

	private function installDropIn(): void
	{
		copy(dirname(__DIR__, 2) . '/wordpress/object-cache.php', "$this->folder/wp-content/object-cache.php");
	}

	private function workers(int $count, string $grace): WebWorkers
	{
		return new WebWorkers($count, $this->folder, ['MCPATTERNS_GRACE' => $grace], ['mcpatterns.servers' => self::$memcached->address, 'html_errors' => '0']);
	}

	/** @return array{int, float} queries, and how many there is time for when they come one after the other */
	private function queriesOfAStampede(string $grace): array
	{
		$workers = $this->workers(self::WORKERS, $grace);
		$workers->get('/');
		$begun = microtime(true);
		$answers = [];
		do {
			array_push($answers, ...array_map(fn (string $body): array => json_decode($body, true), $workers->stampede('/', self::SECONDS)));
			$queries = (int) $workers->get('/?queries');
			$seconds = microtime(true) - $begun;
		} while ($queries < 2 && $seconds < self::SECONDS_AT_MOST);
		$most = $seconds / self::BETWEEN_QUERIES + 2;
		$workers->dispose();
		self::assertSame(['Hello world!', 'Sample post'], $answers[0]['titles']);
		printf("examples/wordpress-like: %d requests of %d workers in %.0f s, grace %s: %d queries\n", count($answers), self::WORKERS, $seconds, $grace, $queries);
		return [$queries, $most];
	}

	public function testQueriesOncePerExpiry(): void
	{
		$this->installDropIn();
		[$queries, $most] = $this->queriesOfAStampede('300');
		self::assertGreaterThanOrEqual(2, $queries);
		self::assertLessThanOrEqual($most, $queries);
		self::$memcached->restart();
		[$without] = $this->queriesOfAStampede('0');
		self::assertGreaterThan($queries, $without, 'what is no stampede proves nothing');
	}

	public function testLeavesTheCacheToWordPressWithoutTheDropIn(): void
	{
		self::assertStringContainsString('its own object cache', $this->workers(1, '300')->get('/'));
	}
}
