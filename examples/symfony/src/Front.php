<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace App;

use Psr\Cache\CacheItemPoolInterface;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\Lock\LockFactory;
use Symfony\Contracts\Cache\{ItemInterface, TagAwareCacheInterface};

final class Front
{
	private const TTL = 1;

	public function __construct(
		private readonly News $news,
		private readonly TagAwareCacheInterface $cache,
		private readonly CacheItemPoolInterface $naive,
		private readonly LockFactory $locks,
	) {
	}

	/** Loaded by one request for each expiry; the others are served what there was. */
	public function cached(): JsonResponse
	{
		return new JsonResponse($this->cache->get('front', function (ItemInterface $item): array {
			$item->expiresAfter(self::TTL);
			$item->tag('news');
			return $this->news->load('cached');
		}));
	}

	/** As it is often written: whoever finds nothing loads. */
	public function naive(): JsonResponse
	{
		$item = $this->naive->getItem('front');
		if (!$item->isHit()) {
			$this->naive->save($item->set($this->news->load('naive'))->expiresAfter(self::TTL));
		}
		return new JsonResponse($item->get());
	}

	/** Something was published: nobody sees the old front page any more. */
	public function publish(): JsonResponse
	{
		return new JsonResponse(['invalidated' => $this->cache->invalidateTags(['news'])]);
	}

	/** At one time one, on whichever host. */
	public function digest(): JsonResponse
	{
		$lock = $this->locks->createLock('digest', 10);
		if (!$lock->acquire()) {
			return new JsonResponse(['sent' => false]);
		}
		usleep(200_000);
		$lock->release();
		return new JsonResponse(['sent' => true]);
	}

	public function loads(string $of): JsonResponse
	{
		return new JsonResponse($this->news->countLoads($of));
	}
}
