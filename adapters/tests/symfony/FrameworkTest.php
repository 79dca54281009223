<?php
/* The pools and locks of an application that is configured as docs/start/adapters.md has it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\{CacheAdapter, TagAwareCacheAdapter};
use McPatterns\Adapters\Tests\Support\{FrameworkKernel, MemcachedTestCase};
use McPatterns\Clock;
use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Component\Cache\Adapter\{ChainAdapter, TagAwareAdapter};
use Symfony\Component\Cache\CacheItem;
use Symfony\Component\Lock\Key;
use Symfony\Contracts\Cache\ItemInterface;

require_once __DIR__ . '/../support/application.php';
require_once __DIR__ . '/../support/polyfill_php85.php';

final class FrameworkTest extends MemcachedTestCase
{
	private const POOLS = ['prices.cache', 'news.cache', 'texts.cache', 'pages.cache', 'cache.app'];

	private string $folder;
	/** The page's block, with a seed of this test's own. */
	private string $block;

	protected function setUp(): void
	{
		parent::setUp();
		$this->folder = make_temporary_folder('framework');
		$this->block = str_replace("'shop'", "'" . bin2hex(random_bytes(6)) . "'", blocks_of('adapters', 'php framework', 'Symfony')[0]);
		putenv('MCPATTERNS_SERVERS=' . self::$memcached->address);
	}

	protected function tearDown(): void
	{
		putenv('MCPATTERNS_SERVERS');
		remove_folder($this->folder);
		parent::tearDown();
	}

	/** As another process would boot it. */
	private function kernel(): FrameworkKernel
	{
		$kernel = new FrameworkKernel($this->folder, $this->block, self::POOLS);
		$kernel->boot();
		return $kernel;
	}

	public function testMakesThePools(): void
	{
		$classes = array_map(fn (string $id): string => $this->kernel()->service($id)::class, self::POOLS);
		self::assertSame([CacheAdapter::class, TagAwareCacheAdapter::class, ChainAdapter::class, TagAwareAdapter::class, CacheAdapter::class], $classes);
		self::assertInstanceOf(TagAwareCacheAdapter::class, $this->kernel()->service('autowired'));
	}

	public function testFindsInEachPoolWhatAnotherProcessStored(): void
	{
		foreach (self::POOLS as $id) {
			self::assertSame("of $id", $this->kernel()->service($id)->get('key', fn () => "of $id"));
		}
		foreach (self::POOLS as $id) {
			self::assertSame("of $id", $this->kernel()->service($id)->get('key', fn () => 'computed again'));
		}
		Clock::advance(61);
		self::assertSame(['new', 'of news.cache'], array_map(fn (string $id) => $this->kernel()->service($id)->get('key', fn () => 'new'), ['prices.cache', 'news.cache']));
	}

	public function testInvalidatesTagsOfBothKinds(): void
	{
		foreach (['news.cache', 'pages.cache'] as $id) {
			$compute = fn (ItemInterface $item): string => $item->tag('sport')->getKey();
			self::assertSame('key', $this->kernel()->service($id)->get('key', $compute));
			self::assertSame('key', $this->kernel()->service($id)->get('key', fn () => 'computed again'), $id);
			self::assertSame(['sport' => 'sport'], $this->kernel()->service($id)->getItem('key')->getMetadata()[CacheItem::METADATA_TAGS]);
			self::assertTrue($this->kernel()->service($id)->invalidateTags(['sport']));
			self::assertSame('new', $this->kernel()->service($id)->get('key', fn () => 'new'), $id);
		}
	}

	/** @return iterable<string, array{\Closure(FrameworkKernel): mixed}> */
	public static function ends(): iterable
	{
		yield 'between two requests' => [fn (FrameworkKernel $kernel) => $kernel->service('services_resetter')->reset()];
		yield 'between two tests' => [fn (FrameworkKernel $kernel) => $kernel->getContainer()->reset()];
	}

	/** @param \Closure(FrameworkKernel): mixed $end */
	#[DataProvider('ends')]
	public function testInheritsNothingThatWasRead(\Closure $end): void
	{
		$kernel = $this->kernel();
		$item = $kernel->service('news.cache')->getItem('key');
		self::assertFalse($item->isHit());
		$end($kernel);
		$news = $this->kernel()->service('news.cache');
		$news->clear();
		$news->save($item->set('value'));
		self::assertTrue($news->getItem('key')->isHit());
	}

	public function testClearsOnePoolByTheClearer(): void
	{
		$kernel = $this->kernel();
		foreach (self::POOLS as $id) {
			$kernel->service($id)->get('key', fn () => 'value');
		}
		self::assertTrue($kernel->service('clearer')->clearPool('prices.cache'));
		self::assertSame([false, true, true, true, true], array_map(fn (string $id): bool => $kernel->service($id)->hasItem('key'), self::POOLS));
	}

	public function testCommitsWhatIsDeferredAtTheReset(): void
	{
		$kernel = $this->kernel();
		foreach (['prices.cache', 'news.cache'] as $id) {
			$pool = $kernel->service($id);
			$pool->saveDeferred($pool->getItem('key')->set('deferred'));
			self::assertFalse($this->kernel()->service($id)->hasItem('key'));
		}
		$kernel->service('services_resetter')->reset();
		foreach (['prices.cache', 'news.cache'] as $id) {
			self::assertTrue($this->kernel()->service($id)->hasItem('key'), $id);
		}
	}

	public function testLogsWhatIsNotSaved(): void
	{
		foreach (['prices.cache', 'news.cache', 'cache.app'] as $number => $id) {
			$pool = ($kernel = $this->kernel())->service($id);
			self::assertFalse($pool->save($pool->getItem('key')->set(fn () => 1)));
			self::assertStringContainsString('Failed to save key', implode($kernel->service('logger')->said), $id);
		}
	}

	public function testLocksOverTheServers(): void
	{
		$lock = $this->kernel()->service('locks')->createLock('import');
		self::assertTrue($lock->acquire());
		self::assertFalse($this->kernel()->service('locks')->createLock('import')->acquire());
		self::assertTrue((new \McPatterns\Lock(self::pool(), (string) new Key('import')))->isLocked());
		$lock->release();
		self::assertTrue($this->kernel()->service('locks')->createLock('import')->acquire());
	}
}
