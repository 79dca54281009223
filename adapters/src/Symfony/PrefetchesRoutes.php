<?php
/* Reads what a route's requests ask for before its controller does. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\RequestEvent;

/** Learns for each route what get() is asked for. $except: regular expression of keys that are always asked for anew: those that decide about rights. */
final class PrefetchesRoutes implements EventSubscriberInterface
{
	/** Right after the router. */
	private const AFTER_ROUTER = 31;

	public function __construct(private readonly AbstractCacheAdapter $cache, private readonly string $except = '')
	{
	}

	public static function getSubscribedEvents(): array
	{
		return ['kernel.request' => ['open', self::AFTER_ROUTER], 'kernel.terminate' => 'close'];
	}

	public function open(RequestEvent $event): void
	{
		$route = $event->getRequest()->attributes->get('_route');
		if ($event->isMainRequest() && is_string($route)) {
			$this->cache->openRoute($route, $this->except);
		}
	}

	public function close(): void
	{
		$this->cache->closeRoute();
	}
}
