<?php
/* Drupal's contract of a cache bin. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Drupal;

use Drupal\Core\Cache\{CacheBackendInterface, CacheTagsChecksumInterface, CacheTagsChecksumPreloadInterface};
use McPatterns\Adapters\Drupal\{CacheBackend, CacheBackendFactory};
use McPatterns\Adapters\Tests\Support\ThrowsWhenRead;
use McPatterns\{NotSerializableException, Pool};

final class CacheBackendTest extends DrupalTestCase implements CacheTagsChecksumInterface, CacheTagsChecksumPreloadInterface
{
	/** @var array<string, int> tag => how often it was invalidated */
	private array $invalidations = [];
	/** @var list<string> */
	private array $preloaded = [];
	private bool $isInTransaction = false;

	public function getCurrentChecksum(array $tags): int
	{
		return $this->isInTransaction && $tags !== [] ? self::INVALID_CHECKSUM_WHILE_IN_TRANSACTION : array_sum(array_map(fn (string $tag): int => $this->invalidations[$tag] ?? 0, $tags));
	}

	public function isValid($checksum, array $tags): bool
	{
		return $tags === [] || $checksum === $this->getCurrentChecksum($tags);
	}

	public function reset(): void
	{
	}

	public function registerCacheTagsForPreload(array $cache_tags): void
	{
		array_push($this->preloaded, ...$cache_tags);
	}

	private function bin(string $bin = 'page', ?Pool $pool = null): CacheBackend
	{
		return (new CacheBackendFactory($pool ?? $this->pool, $this, $this))->get($bin);
	}

	public function testKeepsWhatItIsGivenByValueAndType(): void
	{
		$bin = $this->bin();
		$object = (object) ['value' => 1, 'inner' => (object) ['value' => 2]];
		foreach ([1, '0', '', 12.64, false, null, [1, [2]], ['foo' => '\Drupal\foo'], $object] as $number => $data) {
			$bin->set("test $number", $data);
			self::assertEquals($data, $this->bin()->get("test $number")->data);
			self::assertSame(gettype($data), gettype($this->bin()->get("test $number")->data));
		}
		$object->later = true;
		self::assertObjectNotHasProperty('later', $bin->get('test 8')->data);
	}

	public function testAnItemHasThePropertiesOfDrupals(): void
	{
		$before = round(microtime(true), 3);
		$this->bin()->set('key', 'value', $this->requestTime + 100, ['b', 'a', 'b']);
		$item = $this->bin()->get('key');
		self::assertSame(['key', true, 'value', $this->requestTime + 100, ['b', 'a']], [$item->cid, $item->valid, $item->data, $item->expire, $item->tags]);
		self::assertGreaterThanOrEqual($before, $item->created);
		self::assertLessThanOrEqual(round(microtime(true), 3), $item->created);
		$this->bin()->set('key', 'value');
		self::assertSame(CacheBackendInterface::CACHE_PERMANENT, $this->bin()->get('key')->expire);
	}

	public function testTellsApartAnyKeysAndBins(): void
	{
		$bin = $this->bin();
		$keys = ['key', 'KEY', 'key ', str_repeat('a', 300), str_repeat('a', 301), '12'];
		foreach ($keys as $number => $key) {
			self::assertFalse($bin->get($key));
			$bin->set($key, $number);
		}
		self::assertSame(array_keys($keys), array_map(fn (string $key): int => $bin->get($key)->data, $keys));
		self::assertFalse($this->bin('bootstrap')->get('key'));
	}

	public function testLeavesTheKeysThatAreMissing(): void
	{
		$bin = $this->bin();
		$bin->setMultiple(['a' => ['data' => 1], 'b' => ['data' => 2, 'expire' => $this->requestTime + 9], '12' => ['data' => 3, 'tags' => ['tag']]]);
		$keys = ['first' => 'none', 'second' => 'b', 'third' => 'a', 'fourth' => 12];
		$items = $bin->getMultiple($keys);
		self::assertSame(['first' => 'none'], $keys);
		self::assertSame(['b' => 2, 'a' => 1, 12 => 3], array_map(fn (object $item): int => $item->data, $items));
		self::assertSame('12', $items[12]->cid);
		self::assertSame(['tag'], $this->preloaded);
		$none = [];
		self::assertSame([], $bin->getMultiple($none));
	}

	public function testEndsByTheTimeOfTheRequest(): void
	{
		$bin = $this->bin();
		$bin->set('key', 'value', $this->requestTime + 10);
		$this->advance(10);
		self::assertSame('value', $bin->get('key')->data);
		$this->advance(1);
		self::assertFalse($bin->get('key'));
		$this->advance(1);
		self::assertFalse($bin->get('key'));
		$item = $bin->get('key', true);
		self::assertSame([false, 'value', $this->requestTime - 2], [$item->valid, $item->data, $item->expire]);
		$bin->set('past', 'value', $this->requestTime - 3);
		self::assertFalse($bin->get('past'));
		self::assertSame([false, $this->requestTime - 3], [$bin->get('past', true)->valid, $bin->get('past', true)->expire]);
		$bin->set('in fifty years', 'value', $this->requestTime + 50 * 31_536_000);
		self::assertSame('value', $bin->get('in fifty years')->data);
	}

	public function testAnInvalidItemStaysForThoseWhoAllowIt(): void
	{
		$bin = $this->bin();
		foreach (['a', 'b', 'c', 'd'] as $key) {
			$bin->set($key, $key);
		}
		$bin->invalidate('a');
		$bin->invalidateMultiple(['b', 'c', 'none']);
		$bin->invalidateMultiple([]);
		$keys = ['a', 'b', 'c', 'd', 'none'];
		self::assertSame(['d'], array_keys($bin->getMultiple($keys)));
		self::assertSame(['a', 'b', 'c', 'none'], array_values($keys));
		self::assertSame(['a', 'b', 'c'], array_keys($items = $bin->getMultiple($keys, true)));
		self::assertSame([false, 'a', $this->requestTime - 1], [$items['a']->valid, $items['a']->data, $items['a']->expire]);
		self::assertTrue($bin->get('d', true)->valid);
		$bin->set('a', 'new');
		self::assertSame('new', $bin->get('a')->data);
	}

	public function testAnInvalidItemIsAMissForEverybody(): void
	{
		$bin = $this->bin();
		$bin->set('key', 'old');
		$bin->invalidate('key');
		self::assertFalse($bin->get('key'));
		self::assertFalse($this->bin()->get('key'), 'and nobody else gets the old one');
	}

	public function testDeletes(): void
	{
		$bin = $this->bin();
		foreach (['a', 'b', 'c', '12'] as $key) {
			$bin->set($key, $key);
		}
		$bin->delete('a');
		$bin->deleteMultiple(['b', 12, 'none']);
		$bin->deleteMultiple([]);
		$keys = ['a', 'b', 'c', '12'];
		self::assertSame(['c'], array_keys($bin->getMultiple($keys, true)));
	}

	public function testEmptiesABinAndNoOther(): void
	{
		$other = $this->bin('bootstrap');
		$other->set('key', 'other');
		foreach (['deleteAll', 'removeBin'] as $method) {
			$bin = $this->bin();
			$bin->set('key', 'value', $this->requestTime + 1000);
			$bin->$method();
			self::assertFalse($this->bin()->get('key', true));
			$bin->set('key', 'value');
			self::assertSame('value', $this->bin()->get('key')->data);
		}
		$this->bin()->invalidateAll();
		self::assertFalse($this->bin()->get('key'));
		self::assertSame('value', $this->bin()->get('key', true)->data);
		self::assertSame('other', $other->get('key')->data);
		$bin->garbageCollection();
	}

	public function testAnInvalidatedTagInvalidatesItems(): void
	{
		foreach (['page', 'bootstrap'] as $bin) {
			$this->bin($bin)->set('key', 'value', tags: ['node:1', 'node:2']);
			$this->bin($bin)->set('other', 'value', tags: ['node:2']);
		}
		$this->invalidations['node:1'] = 1;
		foreach (['page', 'bootstrap'] as $bin) {
			self::assertFalse($this->bin($bin)->get('key'));
			self::assertSame([false, 'value'], [$this->bin($bin)->get('key', true)->valid, $this->bin($bin)->get('key', true)->data]);
			self::assertSame('value', $this->bin($bin)->get('other')->data);
			$this->bin($bin)->set('key', 'new', tags: ['node:1']);
			self::assertSame('new', $this->bin($bin)->get('key')->data);
		}
	}

	public function testStoresNothingOfATransactionThatInvalidates(): void
	{
		$this->isInTransaction = true;
		$this->bin()->setMultiple(['key' => ['data' => 'value', 'tags' => ['node:1']], 'untagged' => ['data' => 'value']]);
		$this->isInTransaction = false;
		self::assertFalse($this->bin()->get('key', true));
		self::assertSame('value', $this->bin()->get('untagged')->data);
	}

	public function testWhatIsTooLargeLeavesNoEarlierItem(): void
	{
		$bin = $this->bin();
		$bin->setMultiple(['large' => ['data' => 'old'], 'small' => ['data' => 'old']]);
		$bin->setMultiple(['large' => ['data' => random_bytes(1_100_000)], 'small' => ['data' => 'new']]);
		self::assertFalse($bin->get('large', true));
		self::assertSame('new', $bin->get('small')->data);
		$bin->set('small', random_bytes(1_100_000));
		self::assertFalse($bin->get('small', true));
		$this->expectException(NotSerializableException::class);
		$bin->set('key', fn () => 1);
	}

	public function testAValueThatItsClassRefusesIsAMiss(): void
	{
		$bin = $this->bin();
		$bin->setMultiple(['refused' => ['data' => new ThrowsWhenRead()], 'key' => ['data' => 'value']]);
		$keys = ['refused', 'key'];
		self::assertSame(['key'], array_keys($bin->getMultiple($keys)));
		self::assertFalse($bin->get('refused', true));
	}

	public function testAServerThatIsDownIsAMiss(): void
	{
		$bin = $this->bin(pool: new Pool('127.0.0.1:1'));
		$bin->set('key', 'value');
		self::assertFalse($bin->get('key'));
		self::assertFalse($bin->get('key', true));
		$bin->delete('key');
		$bin->invalidateMultiple(['key']);
		$bin->deleteAll();
	}
}
