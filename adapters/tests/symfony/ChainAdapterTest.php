<?php
/* Symfony's ChainAdapter of two CacheAdapters. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\CacheAdapter;
use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, PoolRules};
use Symfony\Component\Cache\Adapter\{ChainAdapter, TagAwareAdapter};
use Symfony\Contracts\Cache\ItemInterface;

final class ChainAdapterTest extends MemcachedTestCase
{
	use PoolRules;

	protected function anotherPool(int $ttl = 0): ChainAdapter
	{
		return new ChainAdapter([new CacheAdapter($this->pool, 'upper', $ttl), new CacheAdapter($this->pool, 'lower', $ttl)], $ttl);
	}

	public function testKeepsWhatItToldOfAComputationInEveryPool(): void
	{
		$this->items->get('key', function (ItemInterface $item): string {
			usleep(30_000);
			return $item->expiresAfter(100)->getKey();
		});
		foreach (['lower', 'upper', 'upper again'] as $where) {
			if ($where === 'upper again') {
				(new CacheAdapter($this->pool, 'upper'))->clear();
				self::assertSame('key', $this->items->get('key', fn () => 'computed again'));
			}
			$pool = new CacheAdapter($this->pool, explode(' ', $where)[0]);
			foreach ([$pool->getItem('key'), ...iterator_to_array($pool->getItems(['key']), false)] as $item) {
				self::assertEqualsWithDelta(microtime(true) + 100, $item->getMetadata()[ItemInterface::METADATA_EXPIRY], 5, $where);
				self::assertGreaterThanOrEqual(30, $item->getMetadata()[ItemInterface::METADATA_CTIME], $where);
				self::assertLessThan(5000, $item->getMetadata()[ItemInterface::METADATA_CTIME], $where);
			}
		}
	}

	public function testFillsAnUpperPoolFromALowerOneWithTagsUnderTagAwareAdapter(): void
	{
		$tagged = fn (): TagAwareAdapter => new TagAwareAdapter($this->anotherPool(), new CacheAdapter($this->pool, 'tags'), 0);
		$tagged()->save($tagged()->getItem('key')->set('value')->tag(['a', 'b']));
		(new CacheAdapter($this->pool, 'upper'))->clear();
		foreach (['from the lower', 'from the upper'] as $where) {
			self::assertSame('value', $tagged()->getItem('key')->get(), $where);
		}
		$tagged()->invalidateTags(['b']);
		self::assertFalse($tagged()->hasItem('key'));
	}
}
