<?php
/* CodeIgniter's cache over the adapter: what its interface promises, and what the adapter adds. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\CodeIgniter;

use CodeIgniter\Cache\CacheFactory;
use CodeIgniter\Exceptions\{BadMethodCallException, PageNotFoundException};
use CodeIgniter\Test\TestLogger;
use Config\Cache as Config;
use McPatterns\Adapters\CodeIgniter\CacheHandler;
use McPatterns\Adapters\Tests\Support\{Cases, MemcachedTestCase, ThrowsWhenRead, ThrowsWhenSerialized};
use McPatterns\{Clock, RebuildPausedException};
use PHPUnit\Framework\Attributes\{DataProviderExternal, TestWith};

require_once __DIR__ . '/../support/application.php';

final class CacheHandlerTest extends MemcachedTestCase
{
	private string $prefix;
	private CacheHandler $cache;

	protected function setUp(): void
	{
		parent::setUp();
		$this->prefix = bin2hex(random_bytes(6)) . '.';
		$this->cache = self::handler($this->prefix);
	}

	/** @param array<string, mixed> $settings */
	private static function handler(string $prefix, array $settings = []): CacheHandler
	{
		$config = new class () extends Config {
			/** @var array<string, mixed> */
			public array $mcpatterns = [];
		};
		$config->validHandlers['mcpatterns'] = CacheHandler::class;
		$config->prefix = $prefix;
		$config->mcpatterns = $settings + ['servers' => self::$memcached->address, 'timeout' => 5];
		$handler = CacheFactory::getHandler($config, 'mcpatterns', 'dummy');
		self::assertInstanceOf(CacheHandler::class, $handler);
		return $handler;
	}

	#[DataProviderExternal(Cases::class, 'values')]
	public function testReturnsWhatWasSaved(mixed $value): void
	{
		self::assertNull($this->cache->get('key'));
		self::assertTrue($this->cache->save('key', $value));
		self::assertEquals($value, $this->cache->get('key'));
		self::assertEquals($value, ($this->cache->getMetaData('key') ?? [])['data'] ?? null);
	}

	public function testAValueIsGoneWhenItsTtlIsOver(): void
	{
		Clock::freeze();
		$this->cache->save('short', 1);
		$this->cache->save('long', 1, 1_800_000_000);
		$this->cache->save('endless', 1, 0);
		Clock::advance(59);
		self::assertSame(1, $this->cache->get('short'));
		Clock::advance(2);
		self::assertNull($this->cache->get('short'));
		self::assertSame([1, 1], [$this->cache->get('long'), $this->cache->get('endless')]);
		self::assertTrue($this->cache->save('long', 1, -1));
		self::assertNull($this->cache->get('long'));
	}

	public function testMetaDataHasTheTimes(): void
	{
		Clock::freeze();
		$now = (int) Clock::now();
		$this->cache->save('short', 'a', 10);
		$this->cache->save('endless', 'b', 0);
		Clock::advance(5);
		$short = $this->cache->getMetaData('short') ?? self::fail();
		self::assertEqualsWithDelta([$now + 10, $now], [$short['expire'], $short['mtime']], 1);
		self::assertNull(($this->cache->getMetaData('endless') ?? self::fail())['expire']);
		self::assertNull($this->cache->getMetaData('none'));
	}

	public function testDeleteTellsWhetherThereWasSomething(): void
	{
		$this->cache->save('key', 1);
		self::assertTrue($this->cache->delete('key'));
		self::assertFalse($this->cache->delete('key'));
		$this->expectException(BadMethodCallException::class);
		$this->cache->deleteMatching('key*');
	}

	public function testNumbersBeginAtNoughtAndKeepTheirEnd(): void
	{
		Clock::freeze();
		$this->cache->save('saved', 7, 10);
		$this->cache->save('word', 'value');
		self::assertSame([17, 10], [$this->cache->increment('saved', 10), $this->cache->increment('new', 10)]);
		self::assertSame([15, 9], [$this->cache->decrement('saved', 2), $this->cache->decrement('new')]);
		self::assertSame([15, 9], [$this->cache->get('saved'), $this->cache->get('new')]);
		self::assertSame([0, 0], [$this->cache->decrement('below'), $this->cache->decrement('below', 2)], 'stops at 0');
		self::assertSame([false, false], [$this->cache->increment('word'), $this->cache->decrement('word')]);
		Clock::advance(11);
		self::assertSame([null, 9], [$this->cache->get('saved'), $this->cache->get('new')]);
		Clock::advance(50);
		self::assertNull($this->cache->get('new'));
	}

	public function testProcessesCountTogether(): void
	{
		run_workers(4, function (): void {
			for ($i = 0; $i < 50; $i++) {
				$this->cache->increment('count');
			}
		});
		self::assertSame(200, $this->cache->get('count'));
	}

	public function testCleanEmptiesItsPrefixAlone(): void
	{
		$other = self::handler("other.$this->prefix");
		$this->cache->save('key', 1);
		$other->save('key', 2);
		self::assertTrue($this->cache->clean());
		self::assertSame([null, 2], [$this->cache->get('key'), $other->get('key')]);
	}

	#[TestWith(['a{b'])]
	#[TestWith([''])]
	public function testRefusesWhatCodeIgniterRefuses(string $key): void
	{
		$this->expectException(\InvalidArgumentException::class);
		$this->cache->get($key);
	}

	public function testTakesLongKeys(): void
	{
		$key = str_repeat('long ', 100);
		self::assertTrue($this->cache->save($key, 1));
		self::assertSame(1, $this->cache->get($key));
	}

	public function testRememberComputesOnceForAllProcesses(): void
	{
		$answers = run_workers(4, fn (): mixed => $this->cache->remember('key', 60, function (): string {
			usleep(200_000);
			return 'computed ' . $this->cache->increment('computations');
		}));
		self::assertSame(array_fill(0, 4, 'computed 1'), $answers);
	}

	public function testRememberTakesNullForAMiss(): void
	{
		self::assertNull($this->cache->remember('key', 60, fn () => null));
		self::assertSame(1, $this->cache->remember('key', 60, fn () => 1));
		$this->cache->save('null', null);
		self::assertSame(2, $this->cache->remember('null', 60, fn () => 2));
		self::assertSame([1, 2], [$this->cache->get('key'), $this->cache->get('null')]);
		self::assertSame(3, $this->cache->remember('past', -1, fn () => 3));
		self::assertNull($this->cache->get('past'));
	}

	public function testRememberMayAskForItsOwnKey(): void
	{
		$compute = fn (): int => ($this->cache->get('key') ?? 0) + 1;
		self::assertSame(1, $this->cache->remember('key', 60, fn (): int => $this->cache->remember('key', 60, $compute)));
	}

	public function testAPageThatIsNotFoundPausesNobody(): void
	{
		for ($call = 0; $call < 3; $call++) {
			try {
				$this->cache->remember('key', 60, fn () => throw PageNotFoundException::forPageNotFound());
				self::fail('threw nothing');
			} catch (PageNotFoundException) {
			}
		}
		self::assertSame('found', $this->cache->remember('key', 60, fn () => 'found'));
	}

	public function testAFailurePausesTheOthers(): void
	{
		$cache = self::handler($this->prefix, ['wait' => 0.01]);
		try {
			$cache->remember('key', 60, fn () => throw new \RuntimeException('no database'));
			self::fail('threw nothing');
		} catch (\RuntimeException $failure) {
			self::assertSame('no database', $failure->getMessage());
		}
		$this->expectException(RebuildPausedException::class);
		$cache->remember('key', 60, fn () => 'value');
	}

	public function testElectsOneCallerWithAGrace(): void
	{
		Clock::freeze();
		$cache = self::handler($this->prefix, ['grace' => '60']);
		$cache->save('key', 'old', 10);
		Clock::advance(11);
		self::assertNull($cache->get('key'), 'the elected one computes');
		self::assertSame(['old'], run_workers(1, fn () => $cache->get('key')));
	}

	public function testAnswersFalseForWhatCannotBeStored(): void
	{
		self::assertFalse($this->cache->save('key', new ThrowsWhenSerialized()));
		self::assertTrue($this->cache->save('key', new ThrowsWhenRead()));
		self::assertNull($this->cache->get('key'));
		self::assertNull($this->cache->getMetaData('key'));
	}

	public function testIsAMissWithoutAServerAndSaysSo(): void
	{
		$memcached = start_memcached();
		$cache = self::handler($this->prefix, ['servers' => $memcached->address]);
		self::assertTrue($cache->save('key', 1) && $cache->ping());
		$memcached->kill();
		self::assertNull($cache->get('key'));
		self::assertSame('computed', $cache->remember('key', 60, fn () => 'computed'));
		self::assertSame([false, false, false, false], [$cache->save('key', 1), $cache->increment('key'), $cache->delete('key'), $cache->clean()]);
		self::assertSame([false, false, null], [$cache->ping(), $cache->reconnect(), $cache->getMetaData('key')]);
		self::assertTrue(TestLogger::didLog('error', "mcpatterns: $memcached->address", false));
	}

	public function testPingsReconnectsAndTellsOfItsServers(): void
	{
		self::assertTrue($this->cache->isSupported() && $this->cache->ping() && $this->cache->reconnect());
		self::assertArrayHasKey('uptime', $this->cache->getCacheInfo()[self::$memcached->address] ?? []);
	}

	public function testRefusesAnUnknownSetting(): void
	{
		$this->expectExceptionMessage("Config\\Cache's setting 'sevrers' is unknown to mcpatterns.");
		self::handler($this->prefix, ['sevrers' => 'localhost']);
	}

	public function testThePagesSettingsAreUnderstood(): void
	{
		$blocks = blocks_of('frameworks/codeigniter', 'php codeigniter');
		self::assertCount(2, $blocks);
		$config = eval('return new class () extends \Config\Cache {' . $blocks[0] . '};');
		$handler = CacheFactory::getHandler($config);
		self::assertInstanceOf(CacheHandler::class, $handler);
		self::assertSame(['10.0.0.5', '10.0.0.6'], array_column($handler->pool()->servers(), 'host'));
	}
}
