<?php
/* Reports the end of a worker's requests to the extension. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Pool;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;

/** Calls Pool::endRequest() after each response and each message of Messenger, so that no state passes from one request to the next. */
final class RequestEnds implements EventSubscriberInterface
{
	/** By name, because Messenger may not be installed. */
	private const ENDS = [
		'kernel.terminate',
		'Symfony\Component\Messenger\Event\WorkerMessageHandledEvent',
		'Symfony\Component\Messenger\Event\WorkerMessageFailedEvent',
	];
	/** Priority lower than that of any other listener. */
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
