<?php
/* Yii's cache component over the adapter: what its interface promises, and tags. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Yii;

use McPatterns\Adapters\Tests\Support\{Cases, MemcachedTestCase, ThrowsWhenSerialized};
use McPatterns\Adapters\Yii\{Cache, Mutex};
use McPatterns\{Clock, RebuildPausedException};
use PHPUnit\Framework\Attributes\{DataProvider, DataProviderExternal};
use Yii;
use yii\caching\{ChainedDependency, ExpressionDependency, TagDependency};
use yii\web\NotFoundHttpException;

require_once __DIR__ . '/../support/application.php';

final class CacheTest extends MemcachedTestCase
{
	private string $prefix;
	private Cache $cache;

	protected function setUp(): void
	{
		parent::setUp();
		$this->prefix = bin2hex(random_bytes(6));
		$this->cache = self::component($this->prefix);
	}

	/** @param array<string, mixed> $properties */
	private static function component(string $prefix, array $properties = []): Cache
	{
		return Yii::createObject($properties + ['class' => Cache::class, 'servers' => self::$memcached->address, 'keyPrefix' => $prefix, 'options' => ['timeout' => 5]]);
	}

	/** @param string|list<string> $tags */
	private static function tags(string|array $tags): TagDependency
	{
		return new TagDependency(['tags' => $tags]);
	}

	#[DataProviderExternal(Cases::class, 'values')]
	public function testReturnsWhatWasSet(mixed $value): void
	{
		self::assertTrue($this->cache->set('key', $value));
		self::assertTrue($this->cache->exists('key'));
		self::assertEquals($value, $this->cache->get('key'));
		self::assertFalse($this->cache->get('none'));
	}

	public function testAValueIsGoneWhenItsDurationIsOver(): void
	{
		Clock::freeze();
		$this->cache->set('short', 1, 10);
		$this->cache->add('added', 1, 10);
		$this->cache->multiSet(['many' => 1], 10);
		$this->cache->set('long', 1, 1_800_000_000);
		$this->cache->set('negative', 1, -1);
		Clock::advance(9);
		self::assertSame(['short' => 1, 'added' => 1, 'many' => 1], $this->cache->multiGet(['short', 'added', 'many']));
		Clock::advance(2);
		self::assertSame(['short' => false, 'added' => false, 'many' => false], $this->cache->multiGet(['short', 'added', 'many']));
		self::assertSame([1, 1], [$this->cache->get('long'), $this->cache->get('negative')]);
	}

	public function testManyAtOnce(): void
	{
		self::assertSame([], $this->cache->multiSet(['a' => 1, 12 => null, 'the long key of a page' => [3]]));
		self::assertSame(['the long key of a page' => [3], 12 => null, 'none' => false], $this->cache->multiGet(['the long key of a page', 12, 'none']));
		self::assertSame(['a'], array_slice($this->cache->multiAdd(['a' => 2, 'b' => 2]), 0, 1));
		self::assertSame([1, 2], [$this->cache->get('a'), $this->cache->get('b')]);
		self::assertSame([true, false], [$this->cache->delete('a'), $this->cache->delete('a')]);
	}

	public function testAddStoresForOneOfAll(): void
	{
		self::assertSame(1, array_sum(run_workers(4, fn () => (int) $this->cache->add('key', getmypid()))));
	}

	public function testFlushEmptiesItsPrefixAlone(): void
	{
		$other = self::component("{$this->prefix}b");
		$this->cache->set('key', 1);
		$other->set('key', 2);
		self::assertTrue($this->cache->flush());
		self::assertSame([false, 2], [$this->cache->get('key'), $other->get('key')]);
	}

	/** @return iterable<string, array{\Closure(Cache, TagDependency): mixed}> */
	public static function writes(): iterable
	{
		yield 'set' => [fn (Cache $cache, TagDependency $dependency) => $cache->set('key', 'value', 60, $dependency)];
		yield 'add' => [fn (Cache $cache, TagDependency $dependency) => $cache->add('key', 'value', 60, $dependency)];
		yield 'multiSet' => [fn (Cache $cache, TagDependency $dependency) => $cache->multiSet(['key' => 'value'], 60, $dependency)];
		yield 'multiAdd' => [fn (Cache $cache, TagDependency $dependency) => $cache->multiAdd(['key' => 'value'], 60, $dependency)];
		yield 'getOrSet' => [fn (Cache $cache, TagDependency $dependency) => $cache->getOrSet('key', fn () => 'value', 60, $dependency)];
	}

	#[DataProvider('writes')]
	public function testAnInvalidatedTagTakesItsValuesAway(\Closure $write): void
	{
		$elsewhere = self::component($this->prefix);
		foreach (['a', str_repeat('long ', 100)] as $invalidated) {
			$write($this->cache, self::tags(['a', str_repeat('long ', 100)]));
			TagDependency::invalidate($elsewhere, 'other');
			self::assertSame(['value', ['key' => 'value']], [$this->cache->get('key'), $this->cache->multiGet(['key'])]);
			TagDependency::invalidate($elsewhere, $invalidated);
			self::assertSame([false, ['key' => false]], [$this->cache->get('key'), $this->cache->multiGet(['key'])]);
		}
	}

	public function testTagsAreTheExtensions(): void
	{
		$this->cache->set('key', 'value', 60, self::tags('a'));
		$this->cache->native->deleteTags('a');
		self::assertFalse($this->cache->get('key'));
		self::assertSame('other', $this->cache->native->remember('own', 60, fn () => 'other'));
	}

	public function testManyTagsAreInvalidatedAtOnce(): void
	{
		$this->cache->set('key', 'value', 60, self::tags('tag 599'));
		TagDependency::invalidate($this->cache, array_map(fn (int $number) => "tag $number", range(0, 599)));
		self::assertFalse($this->cache->get('key'));
	}

	public function testOtherDependenciesAreYiisOwn(): void
	{
		Yii::$app = null;
		$GLOBALS['version'] = 1;
		$chain = new ChainedDependency(['dependencies' => [self::tags('a'), new ExpressionDependency(['expression' => '$GLOBALS["version"]'])]]);
		$this->cache->set('key', 'value', 60, clone $chain);
		$this->cache->set('tagged', 'value', 60, self::tags('a'));
		self::assertSame(['value', 'value'], [$this->cache->get('key'), $this->cache->get('tagged')]);
		TagDependency::invalidate($this->cache, 'a');
		self::assertSame([false, false], [$this->cache->get('key'), $this->cache->get('tagged')]);
		self::assertSame('again', $this->cache->getOrSet('key', fn () => 'again', 60, clone $chain));
		self::assertSame('again', $this->cache->get('key'));
		$GLOBALS['version'] = 2;
		self::assertFalse($this->cache->get('key'));
	}

	public function testAValueThatIsComputedWhileItsTagIsInvalidatedIsNotServed(): void
	{
		$this->cache->getOrSet('key', function (): string {
			TagDependency::invalidate($this->cache, 'a');
			return 'old';
		}, 60, self::tags('a'));
		self::assertFalse($this->cache->get('key'));
	}

	public function testGetOrSetComputesOnceForAllProcesses(): void
	{
		$answers = run_workers(4, fn (): mixed => $this->cache->getOrSet('key', function (Cache $cache): string {
			usleep(200_000);
			return 'computed ' . $cache->native->increment('computations', initial: 0);
		}, 60));
		self::assertSame(array_fill(0, 4, 'computed 1'), $answers);
	}

	public function testGetOrSetTakesFalseForAMiss(): void
	{
		self::assertFalse($this->cache->getOrSet('key', fn () => false));
		self::assertNull($this->cache->getOrSet('key', fn () => null));
		self::assertNull($this->cache->getOrSet('key', fn () => 1), 'null is a value');
		$this->cache->set('false', false);
		self::assertSame(2, $this->cache->getOrSet('false', fn () => 2));
		$this->cache->set('changed', 'old', 60, new ExpressionDependency(['expression' => 'mt_rand()']));
		self::assertSame('new', $this->cache->getOrSet('changed', fn () => 'new'));
	}

	public function testSerializersOfYiiWork(): void
	{
		foreach ([[json_encode(...), fn (string $text): mixed => json_decode($text, true)], false] as $serializer) {
			$cache = self::component($this->prefix . 's', ['serializer' => $serializer]);
			$cache->flush();
			self::assertSame([1], $cache->getOrSet('computed', fn () => [1], 60, self::tags('a')));
			self::assertSame([[1], [1]], [$cache->get('computed'), $cache->getOrSet('computed', fn () => [2])]);
			TagDependency::invalidate($cache, 'a');
			self::assertFalse($cache->get('computed'));
		}
	}

	public function testAPageThatIsNotFoundPausesNobody(): void
	{
		for ($call = 0; $call < 3; $call++) {
			try {
				$this->cache->getOrSet('key', fn () => throw new NotFoundHttpException());
				self::fail('threw nothing');
			} catch (NotFoundHttpException) {
			}
		}
		self::assertSame('found', $this->cache->getOrSet('key', fn () => 'found'));
	}

	public function testAFailurePausesTheOthers(): void
	{
		$cache = self::component($this->prefix, ['options' => ['wait' => 0.01]]);
		try {
			$cache->getOrSet('key', fn () => throw new \RuntimeException('no database'));
			self::fail('threw nothing');
		} catch (\RuntimeException $failure) {
			self::assertSame('no database', $failure->getMessage());
		}
		$this->expectException(RebuildPausedException::class);
		$cache->getOrSet('key', fn () => 'value');
	}

	public function testIsAMissWithoutAServerAndSaysSo(): void
	{
		$memcached = start_memcached();
		$cache = self::component($this->prefix, ['servers' => [$memcached->address]]);
		self::assertTrue($cache->set('key', 1, 60, self::tags('a')));
		$memcached->kill();
		self::assertSame([false, false, ['key' => false]], [$cache->get('key'), $cache->exists('key'), $cache->multiGet(['key'])]);
		self::assertSame([false, false, ['key'], false, false], [$cache->set('key', 1), $cache->add('key', 1), $cache->multiSet(['key' => 1]), $cache->delete('key'), $cache->flush()]);
		self::assertSame('computed', $cache->getOrSet('key', fn () => 'computed', 60, self::tags('a')));
		$messages = array_column(array_filter(Yii::getLogger()->messages, fn (array $message) => $message[2] === 'mcpatterns'), 0);
		self::assertStringContainsString($memcached->address, implode("\n", $messages));
	}

	public function testAValueThatCannotBeStoredIsFalse(): void
	{
		$cache = self::component($this->prefix, ['serializer' => false]);
		self::assertSame([false, false], [$cache->set('key', new ThrowsWhenSerialized()), $cache->set('key', fn () => 1)]);
		self::assertSame(['key'], $cache->multiSet(['key' => fn () => 1]));
		self::assertFalse($cache->add('key', fn () => 1));
	}

	public function testRefusesAnUnknownOption(): void
	{
		$this->expectExceptionMessage("The cache component's option 'sevrers' is unknown to mcpatterns.");
		self::component($this->prefix, ['options' => ['sevrers' => 'localhost']]);
	}

	public function testThePagesComponentsAreUnderstood(): void
	{
		[$block] = blocks_of('frameworks/yii', 'php yii');
		['cache' => $cache, 'mutex' => $mutex] = array_map(Yii::createObject(...), eval("return [$block];"));
		self::assertSame([Cache::class, Mutex::class], [$cache::class, $mutex::class]);
		self::assertSame(['10.0.0.5', '10.0.0.6'], array_column($cache->pool->servers(), 'host'));
	}
}
