<?php
/* A private memcached, and a request whose time stands still. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Drupal;

use Drupal\Component\Datetime\TimeInterface;
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\Clock;

abstract class DrupalTestCase extends MemcachedTestCase implements TimeInterface
{
	protected int $requestTime;

	protected function setUp(): void
	{
		parent::setUp();
		Clock::freeze();
		$this->requestTime = (int) Clock::now();
	}

	public function getRequestTime(): int
	{
		return $this->requestTime;
	}

	public function getRequestMicroTime(): float
	{
		return $this->requestTime;
	}

	public function getCurrentTime(): int
	{
		return (int) Clock::now();
	}

	public function getCurrentMicroTime(): float
	{
		return Clock::now();
	}

	/** The next request begins so many seconds later. */
	protected function advance(int $seconds): void
	{
		Clock::advance($seconds);
		$this->requestTime += $seconds;
	}
}
