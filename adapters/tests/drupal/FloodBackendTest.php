<?php
/* Drupal's contract of flood control: exact for any threshold and window. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Drupal;

use McPatterns\Adapters\Drupal\FloodBackend;
use McPatterns\{Pool, ServerException};
use Symfony\Component\HttpFoundation\{Request, RequestStack};

final class FloodBackendTest extends DrupalTestCase
{
	private function flood(string $address = '10.0.0.1', ?Pool $pool = null): FloodBackend
	{
		$requests = new RequestStack();
		$requests->push(Request::create('/', server: ['REMOTE_ADDR' => $address]));
		return new FloodBackend($pool ?? $this->pool, $requests, $this);
	}

	public function testAllowsFewerThanTheThreshold(): void
	{
		$flood = $this->flood();
		self::assertTrue($flood->isAllowed('login', 1));
		self::assertFalse($flood->isAllowed('login', 0));
		foreach ([1, 2, 3] as $events) {
			$flood->register('login');
			self::assertFalse($flood->isAllowed('login', $events));
			self::assertTrue($flood->isAllowed('login', $events + 1));
		}
		self::assertTrue($flood->isAllowed('mail', 1));
		self::assertTrue($this->flood('10.0.0.2')->isAllowed('login', 1));
		self::assertTrue($flood->isAllowed('login', 1, identifier: 'somebody'));
		self::assertFalse($this->flood('10.0.0.2')->isAllowed('login', 1, identifier: '10.0.0.1'));
	}

	public function testCountsInAnyWindowToTheSecond(): void
	{
		$flood = $this->flood();
		foreach ([0, 10, 10] as $seconds) {
			$this->advance($seconds);
			$flood->register('login', 3600);
		}
		$count = function (int $window) use ($flood): int {
			for ($threshold = 0; !$flood->isAllowed('login', $threshold, $window); $threshold++);
			return $threshold - 1;
		};
		self::assertSame([0, 1, 1, 2, 2, 3], array_map($count, [0, 1, 10, 11, 20, 21]));
		$this->advance(1);
		self::assertSame([0, 1, 1, 2, 2, 3], array_map($count, [1, 2, 11, 12, 21, 22]));
	}

	public function testAnEventExpiresAfterItsOwnWindow(): void
	{
		$flood = $this->flood();
		$flood->register('login', 100);
		$flood->register('login', 10);
		$this->advance(10);
		self::assertFalse($flood->isAllowed('login', 2));
		$this->advance(1);
		self::assertTrue($flood->isAllowed('login', 2));
		self::assertFalse($flood->isAllowed('login', 1));
		$flood->register('login', 10);
		$this->advance(89);
		self::assertFalse($flood->isAllowed('login', 1), 'a short event cuts off no longer one');
		$this->advance(1);
		self::assertTrue($flood->isAllowed('login', 1));
		$flood->register('login', -1);
		self::assertTrue($flood->isAllowed('login', 1));
		$flood->garbageCollection();
	}

	public function testForgets(): void
	{
		$flood = $this->flood();
		$flood->register('login');
		$flood->register('login', 3600, 'somebody');
		$flood->clear('login');
		self::assertTrue($flood->isAllowed('login', 1));
		self::assertFalse($flood->isAllowed('login', 1, 3600, 'somebody'));
		$flood->clear('login', 'somebody');
		self::assertTrue($flood->isAllowed('login', 1, 3600, 'somebody'));
	}

	public function testForgetsByAnyBeginningOfTheIdentifier(): void
	{
		$flood = $this->flood();
		$all = ['17-10.0.0.1', '17-10.0.0.2', '17-a-b', '171-10.0.0.1', '17', 'x-17-1'];
		foreach ($all as $identifier) {
			$flood->register('login', 3600, $identifier);
			$flood->register('mail', 3600, $identifier);
		}
		$flood->clearByPrefix('login', '17');
		$allowed = fn (string $name): array => array_values(array_filter($all, fn (string $identifier): bool => $this->flood()->isAllowed($name, 1, 3600, $identifier)));
		self::assertSame(['17-10.0.0.1', '17-10.0.0.2', '17-a-b'], $allowed('login'));
		$flood->clearByPrefix('login', 'x-17');
		self::assertSame(['17-10.0.0.1', '17-10.0.0.2', '17-a-b', 'x-17-1'], $allowed('login'));
		self::assertSame([], $allowed('mail'));
		$flood->register('login', 3600, '17-a-b');
		self::assertFalse($flood->isAllowed('login', 1, 3600, '17-a-b'));
		$flood->register('login', 3600, str_repeat('-', 300));
		self::assertFalse($flood->isAllowed('login', 1, 3600, str_repeat('-', 300)));
	}

	public function testLosesNoEventOfConcurrentRequests(): void
	{
		$children = [];
		for ($child = 0; $child < 8; $child++) {
			if (($children[] = pcntl_fork()) === 0) {
				for ($event = 0; $event < 10; $event++) {
					$this->flood()->register('login', 3600, '17-10.0.0.1');
				}
				posix_kill(posix_getpid(), SIGKILL);
			}
		}
		array_map(fn (int $child) => pcntl_waitpid($child, $status), $children);
		self::assertFalse($this->flood()->isAllowed('login', 80, 3600, '17-10.0.0.1'));
		self::assertTrue($this->flood()->isAllowed('login', 81, 3600, '17-10.0.0.1'));
	}

	public function testAdmitsNobodyWhenItCannotAsk(): void
	{
		$flood = $this->flood(pool: new Pool('127.0.0.1:1'));
		try {
			$flood->isAllowed('login', 5);
			self::fail('admitted');
		} catch (ServerException $failure) {
			self::assertStringContainsString('"login"', $failure->getMessage());
		}
		$this->expectException(ServerException::class);
		$flood->register('login');
	}
}
