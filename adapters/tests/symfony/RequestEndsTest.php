<?php
/* Where a worker's requests end. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\RequestEnds;
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Cache, Status};
use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\HttpKernel\KernelEvents;

final class RequestEndsTest extends MemcachedTestCase
{
	/** @return iterable<string, array{string}> */
	public static function ends(): iterable
	{
		yield 'the response has been sent' => [KernelEvents::TERMINATE];
		yield 'a message is handled' => ['Symfony\Component\Messenger\Event\WorkerMessageHandledEvent'];
		yield 'a message has failed' => ['Symfony\Component\Messenger\Event\WorkerMessageFailedEvent'];
	}

	#[DataProvider('ends')]
	public function testEndsTheRequestAfterAllOtherListeners(string $event): void
	{
		$cache = new Cache($this->pool, ttl: 60);
		$cache->set('key', 'old');
		$cache->expire('key');
		$cache->get('key');
		$dispatcher = new EventDispatcher();
		$dispatcher->addSubscriber(new RequestEnds());
		$dispatcher->addListener($event, function () use ($cache, &$during): void {
			$during = $cache->entry('key')->status;
		}, -1024);
		$dispatcher->dispatch(new \stdClass(), $event);
		self::assertSame([Status::Busy, Status::Stale], [$during, $cache->entry('key')->status]);
	}
}
