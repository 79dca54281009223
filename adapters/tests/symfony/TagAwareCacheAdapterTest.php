<?php
/* Symfony's cache with tags. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\TagAwareCacheAdapter;
use McPatterns\Adapters\Tests\Support\{AdapterRules, MemcachedTestCase, TagRules};
use McPatterns\Pool;
use Psr\Cache\InvalidArgumentException;
use Symfony\Contracts\Cache\ItemInterface;

final class TagAwareCacheAdapterTest extends MemcachedTestCase
{
	use AdapterRules;
	use TagRules;

	protected static function adapter(): string
	{
		return TagAwareCacheAdapter::class;
	}

	public function testDoesNotStoreWhatWasInvalidatedWhileItWasComputed(): void
	{
		$compute = function (ItemInterface $item) use (&$calls): string {
			$item->tag('a');
			if (++$calls === 1) {
				$this->anotherPool()->invalidateTags(['a']);
			}
			return "computed $calls";
		};
		self::assertSame('computed 1', $this->items->get('key', $compute));
		self::assertFalse($this->items->hasItem('key'));
		self::assertSame('computed 2', $this->items->get('key', $compute));
		self::assertSame('computed 2', $this->items->get('key', $compute));
	}

	public function testTellsThatItDidNotSaveWhatWasClearedWhileItWasComputed(): void
	{
		$compute = fn (ItemInterface $item): bool => $item->tag('a') === $item && $this->anotherPool()->clear();
		self::assertTrue($this->items->get('key', $compute, null, $metadata));
		self::assertFalse($this->items->hasItem('key'));
		self::assertTrue($metadata['save_failed'] ?? false);
	}

	public function testTellsTheTagsOfAnItem(): void
	{
		$this->items->get('computed', fn (ItemInterface $item) => $item->tag(['a', 'b'])->getKey(), null, $metadata);
		self::assertSame(['a' => 'a', 'b' => 'b'], $metadata[ItemInterface::METADATA_TAGS]);
		$this->save('saved', 'c');
		self::assertSame(['c' => 'c'], $this->items->getItem('saved')->getMetadata()[ItemInterface::METADATA_TAGS]);
		foreach ($this->items->getItems(['computed']) as $item) {
			self::assertSame(['a' => 'a', 'b' => 'b'], $item->getMetadata()[ItemInterface::METADATA_TAGS]);
		}
		$this->save('none');
		self::assertArrayNotHasKey(ItemInterface::METADATA_TAGS, $this->items->getItem('none')->getMetadata());
	}

	public function testLeavesDeferredItemsToTheirCommit(): void
	{
		$this->items->saveDeferred($this->items->getItem('key')->set('deferred')->tag('a'));
		$this->items->invalidateTags(['a']);
		$this->items->commit();
		self::assertSame('deferred', $this->items->getItem('key')->get());
		$this->items->invalidateTags(['a']);
		self::assertFalse($this->items->hasItem('key'));
	}

	public function testKeepsTagsOfNamespacesApart(): void
	{
		$other = new TagAwareCacheAdapter($this->pool, 'other');
		$other->save($other->getItem('key')->set('other')->tag('a'));
		$sub = $this->items->withSubNamespace('sub');
		$sub->save($sub->getItem('key')->set('sub')->tag('a'));
		$this->save('key', 'a');
		$this->items->invalidateTags(['a']);
		self::assertFalse($this->items->hasItem('key'));
		self::assertFalse($sub->hasItem('key'), 'tags are those of the pool');
		self::assertTrue($other->hasItem('key'));
		$sub->save($sub->getItem('key')->set('sub')->tag('a'));
		self::assertTrue($sub->invalidateTags(['a']));
		self::assertFalse($sub->hasItem('key'));
	}

	public function testTakesAnyNumberOfTags(): void
	{
		$tags = array_map(fn (int $number): string => "t$number", range(1, 500));
		foreach ([240, 241, 500] as $count) {
			$this->save('many', ...array_slice($tags, 0, $count));
			self::assertSame(['many'], $this->present('many'));
			self::assertTrue($this->items->invalidateTags([$tags[$count - 1]]));
			self::assertSame([], $this->present('many'), "by the last of $count");
			self::assertSame('computed', $this->items->get('many', function (ItemInterface $item) use ($tags, $count): string {
				$item->tag(array_slice($tags, 0, $count));
				return 'computed';
			}));
			self::assertTrue($this->items->invalidateTags(array_reverse($tags)));
			self::assertSame([], $this->present('many'), "by all of $count");
		}
		$this->save('many', ...array_slice($tags, 0, 240));
		$this->save('more', ...array_slice($tags, 0, 241));
		self::assertTrue($this->items->invalidateTags(['of no item']));
		self::assertSame(['many'], $this->present('many', 'more'));
		self::assertTrue($this->items->invalidateTags([]));
	}

	public function testTakesLongTagsAndNamespaces(): void
	{
		$long = str_repeat('long', 100);
		$this->save('one', "{$long}1");
		$this->save('two', "{$long}2");
		self::assertTrue($this->items->invalidateTags(["{$long}1"]));
		self::assertSame(['two'], $this->present('one', 'two'));
		$below = $this->items->withSubNamespace($long);
		$below->get('key', fn () => 1);
		self::assertTrue($below->hasItem('key') && $below->clear());
		self::assertFalse($below->hasItem('key'));
		self::assertSame(['two'], $this->present('two'));
	}

	public function testRefusesATagThatIsNone(): void
	{
		$this->expectException(InvalidArgumentException::class);
		$this->items->invalidateTags(['a', 'b/c']);
	}

	public function testSaysThatAServerWasNotTold(): void
	{
		$memcached = start_memcached();
		$adapter = new TagAwareCacheAdapter(new Pool($memcached->address));
		$memcached->kill();
		self::assertFalse($adapter->invalidateTags(['a']));
	}
}
