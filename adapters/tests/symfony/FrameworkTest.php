<?php
/* The pools and locks of an application that is configured as docs/frameworks/symfony.md has it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\{CacheAdapter, TagAwareCacheAdapter};
use McPatterns\Adapters\Tests\Support\{FrameworkKernel, MemcachedTestCase};
use McPatterns\{Cache, Clock, Status};
use Symfony\Component\Cache\Adapter\{ChainAdapter, TagAwareAdapter};
use Symfony\Component\Cache\CacheItem;
use Symfony\Component\HttpFoundation\{Request, Response};
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
		$this->block = str_replace("'shop'", "'" . bin2hex(random_bytes(6)) . "'", blocks_of('frameworks/symfony', 'php framework')[0]);
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

	public function testEndsTheRequestWhenTheResponseHasBeenSent(): void
	{
		$cache = new Cache($this->pool, ttl: 60);
		$cache->set('key', 'old');
		$cache->expire('key');
		$cache->get('key');
		$kernel = $this->kernel();
		$kernel->service('services_resetter')->reset();
		self::assertSame(Status::Busy, $cache->entry('key')->status);
		$kernel->terminate(new Request(), new Response());
		self::assertSame(Status::Stale, $cache->entry('key')->status);
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
