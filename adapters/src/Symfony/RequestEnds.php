<?php
/* Tells the extension where the requests of a worker end. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Pool;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;

/** Calls Pool::endRequest() after each response and each message of Messenger, so that no request inherits from the one before. */
final class RequestEnds implements EventSubscriberInterface
{
	/** By name: Messenger need not be there. */
	private const ENDS = [
		'kernel.terminate',
		'Symfony\Component\Messenger\Event\WorkerMessageHandledEvent',
		'Symfony\Component\Messenger\Event\WorkerMessageFailedEvent',
	];
	/** Lower than any other listener's. */
	private const PRIORITY = -10_000;

	public static function getSubscribedEvents(): array
	{
		return array_fill_keys(self::ENDS, ['end', self::PRIORITY]);
	}

	public function end(): void
	{
		Pool::endRequest();
	}
}
