<?php
/* Sessions of an application that is configured as docs/frameworks/symfony.md has it, behind web servers. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, WebWorkers};
use McPatterns\SessionHandler;
use PHPUnit\Framework\Attributes\TestWith;

require_once __DIR__ . '/../support/application.php';

final class SessionTest extends MemcachedTestCase
{
	private static string $folder;
	private static WebWorkers $workers;

	public static function setUpBeforeClass(): void
	{
		parent::setUpBeforeClass();
		self::$folder = make_temporary_folder('sessions');
		$packages = dirname((string) (new \ReflectionClass(\Composer\Autoload\ClassLoader::class))->getFileName(), 2);
		[$block] = blocks_of('frameworks/symfony', 'php sessions');
		self::assertStringContainsString('Locking::Merge', $block);
		self::$workers = new WebWorkers(2, __DIR__ . '/site', ['AUTOLOADER' => "$packages/autoload.php", 'PROJECT' => self::$folder, 'BLOCK' => $block,
			'MCPATTERNS_SERVERS' => self::$memcached->address]);
	}

	public static function tearDownAfterClass(): void
	{
		self::$workers->dispose();
		remove_folder(self::$folder);
		parent::tearDownAfterClass();
	}

	private function ask(string $action, string $id, string $value = '', string $locking = 'Merge'): mixed
	{
		return json_decode(self::$workers->get("/$action?" . http_build_query(['id' => $id, 'value' => $value, 'locking' => $locking])), true, flags: JSON_THROW_ON_ERROR);
	}

	private function begin(string $locking = 'Merge'): string
	{
		[$isStarted, $id] = $this->ask('start', '', locking: $locking);
		self::assertTrue($isStarted);
		$this->ask('put', $id, 'begun', $locking);
		return $id;
	}

	public function testKeepsASessionUnderTheKeysOfTheExtension(): void
	{
		$id = $this->begin();
		$this->ask('put', $id, 'user');
		self::assertSame(['begun' => true, 'user' => true], $this->ask('all', $id));
		self::assertStringContainsString('_sf2_attributes', (new SessionHandler(self::pool()))->read($id));
	}

	/** Attributes are one array under one key of PHP's session: two requests change different keys in it. */
	#[TestWith(['Merge'])]
	#[TestWith(['Lock'])]
	public function testLosesNothingOfRequestsSideBySide(string $locking): void
	{
		$id = $this->begin($locking);
		$readers = $locking === 'Merge' ? 2 : 1;
		$added = array_map(fn (string $body): array => json_decode($body, true), self::$workers->stampede("/add?id=$id&locking=$locking&value=$readers", 0));
		self::assertCount(4, $added);
		self::assertEqualsCanonicalizing(['begun', ...array_column($added, 0)], array_keys($this->ask('all', $id)), 'lost');
		usort($added, fn (array $one, array $other): int => $one[1] <=> $other[1]);
		$beside = array_filter([1, 2, 3], fn (int $number): bool => $added[$number][1] < $added[$number - 1][2]);
		self::assertSame($locking === 'Merge', $beside !== [], 'at the same time');
	}

	public function testFlashesOnce(): void
	{
		$id = $this->begin();
		$this->ask('flash', $id, 'stored');
		$this->ask('put', $id, 'between');
		self::assertSame(['status' => ['stored']], $this->ask('flashes', $id));
		self::assertSame([], $this->ask('flashes', $id));
		self::assertSame(['begun' => true, 'between' => true], $this->ask('all', $id));
	}

	#[TestWith(['Merge'])]
	#[TestWith(['Lock'])]
	public function testMovesAndDestroysASession(string $locking): void
	{
		$old = $this->begin($locking);
		[$isMoved, $id] = $this->ask('migrate', $old, locking: $locking);
		self::assertTrue($isMoved);
		self::assertNotSame($old, $id);
		self::assertSame([[], ['begun' => true]], [$this->ask('all', $old), $this->ask('all', $id)]);
		[$isInvalid, $next] = $this->ask('invalidate', $id, locking: $locking);
		self::assertTrue($isInvalid);
		self::assertNotSame($id, $next);
		self::assertSame([], $this->ask('all', $id));
	}

	/** Strict mode, which Symfony sets: nobody can be given an id. */
	public function testTakesNoIdThatItHasNotMade(): void
	{
		foreach ([str_repeat('a', 32), 'with spaces', str_repeat('long', 100), "line\r\nend"] as $id) {
			[$isStarted, $made] = $this->ask('start', $id);
			self::assertTrue($isStarted);
			self::assertNotSame($id, $made);
		}
	}
}
