<?php
/* A whole wiki with all its caches in it: under edits, and beside a memcached that answers nothing. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\MediaWiki;

use McPatterns\Adapters\Tests\Support\WebWorkers;
use PHPUnit\Framework\TestCase;

final class SiteTest extends TestCase
{
	private const PAGES = 3;
	private const READERS = 2;
	private static Site $site;

	public static function setUpBeforeClass(): void
	{
		self::$site = new Site();
	}

	public static function tearDownAfterClass(): void
	{
		self::$site->dispose();
	}

	/** One editor a page, the first of which is a message of the interface, and readers of all: none sees less than was acknowledged before it asked, also where memcached loses everything. */
	public function testNoReaderSeesAnOlderTextThanWasSaved(): void
	{
		$edits = at_full_size() ? 100 : 8;
		$web = array_map(fn (): WebWorkers => self::$site->serve(self::$site->documented()), range(1, self::PAGES + self::READERS));
		foreach (range(1, self::PAGES) as $page) {
			$this->edit($web[0], $page, 0);
		}
		$seen = run_workers(count($web), fn (int $index): array => $index < self::PAGES ? $this->editAll($web[$index], $index + 1, $edits) : $this->readAll($web[$index], $edits), 550);
		$reads = array_merge(...array_slice($seen, self::PAGES));
		self::assertGreaterThan(self::PAGES, count($reads));
		self::assertSame([], array_values(array_filter($reads, fn (array $read): bool => $read['found'] < $read['saved'])));
		foreach (range(1, self::PAGES) as $page) {
			self::assertSame("Version $edits.", self::$site->text(self::title($page)));
			self::assertSame($edits, $this->read($web[$page], $page));
		}
	}

	/** With core's own client by php-memcached the same page took 26 s. */
	public function testAPageWaitsForNoFrozenMemcached(): void
	{
		$web = self::$site->serve(self::$site->documented());
		$this->edit($web, 9, 0);
		$usual = max(array_map(fn (): float => $this->seconds($web), range(1, 3)));
		self::$site->memcached->freeze();
		try {
			self::assertLessThan(3.0 + 2 * $usual, $this->seconds($web));
			self::assertLessThan(3.0 + 2 * $usual, $this->seconds($web));
		} finally {
			self::$site->memcached->thaw();
		}
	}

	/** @return array{} */
	private function editAll(WebWorkers $web, int $page, int $edits): array
	{
		for ($version = 1; $version <= $edits; $version++) {
			$this->edit($web, $page, $version);
			file_put_contents($this->note($page), $version, LOCK_EX);
			$version % 4 !== 0 || (new \McPatterns\Pool(self::$site->memcached->address))->flush();
		}
		return [];
	}

	/** @return list<array{page: int, saved: int, found: int}> until all is saved */
	private function readAll(WebWorkers $web, int $edits): array
	{
		for ($reads = [], $least = 0; $least < $edits;) {
			$saved = array_map($this->saved(...), range(1, self::PAGES));
			$least = min($saved);
			foreach ($saved as $index => $version) {
				$reads[] = ['page' => $index + 1, 'saved' => $version, 'found' => $this->read($web, $index + 1)];
			}
		}
		return $reads;
	}

	private function edit(WebWorkers $web, int $page, int $version): void
	{
		$answer = $web->post('/api.php', ['action' => 'edit', 'format' => 'json', 'title' => self::title($page), 'text' => "Version $version.", 'token' => '+\\']);
		self::assertStringContainsString('"result":"Success"', $answer);
	}

	private function read(WebWorkers $web, int $page): int
	{
		$shown = $web->get($page === 1 ? '/api.php?action=query&meta=allmessages&ammessages=version&format=json' : '/index.php?action=render&title=' . urlencode(self::title($page)));
		return preg_match('/Version (\d+)\./', $shown, $found) ? (int) $found[1] : throw new \RuntimeException("no version in: $shown");
	}

	private static function title(int $page): string
	{
		return $page === 1 ? 'MediaWiki:Version' : "Page_$page";
	}

	private function seconds(WebWorkers $web): float
	{
		$begun = microtime(true);
		self::assertStringContainsString('Version 0.', $web->get('/index.php?title=Page_9'));
		return microtime(true) - $begun;
	}

	private function note(int $page): string
	{
		return self::$site->folder . "/saved-$page";
	}

	private function saved(int $page): int
	{
		$handle = fopen($this->note($page), 'c+');
		flock($handle, LOCK_SH);
		return (int) stream_get_contents($handle);
	}
}
