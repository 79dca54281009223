<?php
/* How often a call asks memcached, over Direct. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\{CacheAdapter, TagAwareCacheAdapter};
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Pool, Transport};
use Symfony\Contracts\Cache\ItemInterface;

require_once __DIR__ . '/../../../tests/_support/round_trips.inc';

final class RoundTripsTest extends MemcachedTestCase
{
	public function testAsksAsOftenAsItMust(): void
	{
		$counted = count_round_trips([self::$memcached, self::$memcached], function (array $addresses, callable $mark): void {
			$prefix = bin2hex(random_bytes(6));
			$pool = new Pool($addresses[0], prefix: $prefix, timeout: 5, transport: Transport::Direct);
			$overTwo = new TagAwareCacheAdapter(new Pool($addresses, prefix: $prefix, timeout: 5, transport: Transport::Direct), 'tagged', 600);
			$cache = new CacheAdapter($pool, 'plain', 600);
			$tagged = new TagAwareCacheAdapter($pool, 'tagged', 600);
			$item = fn (ItemInterface $item): string => [$item->tag(['a', 'b']), 'value'][1];
			$items = array_map($cache->getItem(...), ['x', 'y', 'z']);
			$calls = [
				'cold' => fn (int $number): string => $cache->get("cold $number", fn (): string => 'value'),
				'hit' => fn (): string => $cache->get('hit', fn (): string => 'value'),
				'tagged hit' => fn (): string => $tagged->get('key', $item),
				'tagged item' => fn () => $tagged->getItem('key'),
				'item that was not read' => fn (int $number) => $cache->save($items[$number]->set(1)),
				'deferred items' => function () use ($cache, $items): void {
					array_map(fn ($item) => $cache->saveDeferred($item->set(2)->expiresAfter(600)), $items);
					$cache->commit();
				},
				'deferred items of a minute' => function () use ($cache, $items): void {
					array_map(fn ($item) => $cache->saveDeferred($item->set(2)->expiresAfter(60)), $items);
					$cache->commit();
				},
				'invalidated tags' => fn () => $tagged->invalidateTags(['a', 'b']),
				// Each server has told of the mark before one is told of the tags.
				'invalidated tags over two servers' => fn () => $overTwo->invalidateTags(['a', 'b']),
			];
			foreach ($calls as $name => $call) {
				for ($number = 0; $number < 3; $number++) {
					Pool::endRequest();
					$mark('before');
					$call($number);
				}
				$mark($name);
			}
		});
		unset($counted['before']);
		self::assertSame([
			'cold' => 3,
			'hit' => 1,
			'tagged hit' => 1,
			'tagged item' => 1,
			'item that was not read' => 1,
			'deferred items' => 2,
			'deferred items of a minute' => 2,
			'invalidated tags' => 1,
			'invalidated tags over two servers' => 4,
		], $counted);
	}
}
