<?php
/* What Symfony's TagAwareAdapterInterface and TagAwareCacheInterface document, for a pool that PoolRules hold. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Contracts\Cache\ItemInterface;

trait TagRules
{
	private function save(string $key, string ...$tags): void
	{
		self::assertTrue($this->items->save($this->items->getItem($key)->set("of $key")->tag($tags)));
	}

	/** @return list<string> the keys of them that are there */
	private function present(string ...$keys): array
	{
		return array_values(array_filter($keys, fn (string $key): bool => $this->anotherPool()->getItem($key)->isHit()));
	}

	public function testInvalidatesTheItemsOfATag(): void
	{
		$this->save('one', 'a');
		$this->save('two', 'a', 'b');
		$this->save('three', 'b');
		$this->save('none');
		self::assertTrue($this->items->invalidateTags(['a']));
		self::assertSame(['three', 'none'], $this->present('one', 'two', 'three', 'none'));
		$this->save('one', 'a');
		self::assertSame(['one', 'three', 'none'], $this->present('one', 'two', 'three', 'none'));
		self::assertTrue($this->items->invalidateTags(['a', 'b', 'never used']));
		self::assertSame(['none'], $this->present('one', 'two', 'three', 'none'));
	}

	public function testInvalidatesWhatWasComputed(): void
	{
		$compute = function (ItemInterface $item) use (&$calls): string {
			$item->tag('a')->tag(['b', 'c']);
			return 'computed ' . ++$calls;
		};
		self::assertSame('computed 1', $this->items->get('key', $compute));
		self::assertSame('computed 1', $this->items->get('key', $compute));
		foreach (['a', 'b', 'c'] as $number => $tag) {
			self::assertTrue($this->anotherPool()->invalidateTags([$tag]));
			self::assertFalse($this->items->hasItem('key'));
			self::assertSame('computed ' . $number + 2, $this->items->get('key', $compute));
		}
		$this->items->invalidateTags(['d']);
		self::assertSame('computed 4', $this->items->get('key', $compute));
	}

	public function testSavesAnItemWithItsNewTagsAlone(): void
	{
		$this->save('key', 'old');
		$this->items->save($this->items->getItem('key')->set('new')->tag('new'));
		$this->items->invalidateTags(['old']);
		self::assertSame('new', $this->items->getItem('key')->get());
		$this->items->invalidateTags(['new']);
		self::assertFalse($this->items->hasItem('key'));
	}

	/** @return iterable<string, array{list<string>}> */
	public static function tags(): iterable
	{
		yield 'one' => [['a']];
		yield 'several' => [['a', 'b', 'c']];
		yield 'a tag of digits' => [['1234', '0', 'a']];
		yield 'as long as a version' => [['abcdef']];
	}

	/** @param list<string> $tags */
	#[DataProvider('tags')]
	public function testTellsTheTagsOfAnItemThatIsSavedAndOfOneThatIsRead(array $tags): void
	{
		$named = array_combine($tags, $tags);
		$item = $this->items->getItem('key')->set('value')->tag($tags);
		self::assertArrayNotHasKey(ItemInterface::METADATA_TAGS, $item->getMetadata());
		self::assertTrue($this->items->save($item));
		$found = [$item, $this->anotherPool()->getItem('key'), ...iterator_to_array($this->anotherPool()->getItems(['key']), false)];
		foreach ($found as $number => $item) {
			self::assertSame([$named, 'value'], [array_map(strval(...), $item->getMetadata()[ItemInterface::METADATA_TAGS]), $item->get()], "item $number");
		}
	}

	public function testFindsWhatHasNoTagsInEveryWay(): void
	{
		$this->items->save($this->items->getItem('saved')->set('value'));
		$this->items->saveDeferred($this->items->getItem('deferred')->set('value'));
		$this->items->commit();
		$this->items->get('computed', fn () => 'value');
		$keys = ['saved', 'deferred', 'computed'];
		self::assertSame($keys, $this->present(...$keys));
		foreach ($this->anotherPool()->getItems($keys) as $key => $item) {
			self::assertSame([true, 'value', []], [$item->isHit(), $item->get(), $item->getMetadata()[ItemInterface::METADATA_TAGS] ?? []], $key);
			self::assertSame('value', $this->anotherPool()->get($key, fn () => 'computed again'));
		}
	}
}
