<?php
/* CakePHP's cache over the adapter: what its engines promise, and groups. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\CakePHP;

use Cake\Cache\Cache;
use Cake\Cache\Exception\{CacheWriteException, InvalidArgumentException};
use Cake\Log\Engine\ArrayLog;
use Cake\Log\Log;
use McPatterns\Adapters\CakePHP\CacheEngine;
use McPatterns\Adapters\Tests\Support\{Cases, MemcachedTestCase, ThrowsWhenRead, ThrowsWhenSerialized};
use McPatterns\Clock;
use PHPUnit\Framework\Attributes\DataProviderExternal;

require_once __DIR__ . '/../support/application.php';

final class CacheEngineTest extends MemcachedTestCase
{
	private string $prefix;

	protected function setUp(): void
	{
		parent::setUp();
		$this->prefix = bin2hex(random_bytes(6)) . '_';
		$this->configure();
	}

	protected function tearDown(): void
	{
		array_map(Cache::drop(...), Cache::configured());
		Log::drop('test');
		parent::tearDown();
	}

	/** @param array<string, mixed> $config */
	private function configure(array $config = [], string $name = 'default'): CacheEngine
	{
		Cache::drop($name);
		Cache::setConfig($name, $config + ['className' => CacheEngine::class, 'servers' => self::$memcached->address, 'prefix' => $this->prefix, 'timeout' => 5]);
		$engine = Cache::pool($name);
		self::assertInstanceOf(CacheEngine::class, $engine);
		return $engine;
	}

	#[DataProviderExternal(Cases::class, 'values')]
	public function testReturnsWhatWasWritten(mixed $value): void
	{
		self::assertTrue(Cache::write('key', $value));
		self::assertEquals($value, Cache::pool('default')->get('key', 'default'));
		self::assertTrue(Cache::pool('default')->has('key'));
		self::assertSame([null, 'default', false], [Cache::read('none'), Cache::pool('default')->get('none', 'default'), Cache::pool('default')->has('none')]);
	}

	public function testAValueIsGoneWhenItsDurationIsOver(): void
	{
		Clock::freeze();
		$this->configure(['duration' => '+10 seconds']);
		$cache = Cache::pool('default');
		Cache::write('by duration', 1);
		Cache::add('added', 1);
		$cache->set('by seconds', 1, 10);
		$cache->setMultiple(['by interval' => 1], new \DateInterval('PT10S'));
		$cache->set('long', 1, 1_800_000_000);
		$cache->set('endless', 1, 0);
		Clock::advance(9);
		self::assertSame([1, 1, 1, 1], array_values([...$cache->getMultiple(['by duration', 'added', 'by seconds', 'by interval'])]));
		Clock::advance(2);
		self::assertSame([null, null, null, null], array_values([...$cache->getMultiple(['by duration', 'added', 'by seconds', 'by interval'])]));
		self::assertSame([1, 1], [$cache->get('long'), $cache->get('endless')]);
		self::assertTrue($cache->set('long', 1, -1));
		self::assertNull($cache->get('long'));
	}

	public function testManyAtOnce(): void
	{
		self::assertTrue(Cache::writeMany(['a' => false, '12' => null, 'a b' => 3]));
		self::assertSame(['a b' => 3, 12 => null, 'a' => false, 'none' => 'default'], Cache::pool('default')->getMultiple(['a b', '12', 'a', 'none'], 'default'));
		self::assertTrue(Cache::deleteMany(['a', '12', 'none']));
		self::assertSame(['a' => null, 'a b' => 3], Cache::readMany(['a', 'a b']));
		self::assertSame([true, false], [Cache::delete('a b'), Cache::delete('a b')]);
	}

	public function testRefusesAnEmptyKey(): void
	{
		$this->expectException(InvalidArgumentException::class);
		Cache::pool('default')->get('');
	}

	public function testAddStoresForOneOfAll(): void
	{
		self::assertSame(1, array_sum(run_workers(4, fn () => (int) Cache::add('key', getmypid()))));
	}

	public function testNumbersAreCountedWhereTheyAre(): void
	{
		Clock::freeze();
		$this->configure(['duration' => 10]);
		Cache::write('number', 5);
		Cache::write('word', 'value');
		self::assertSame([15, 13, 13], [Cache::increment('number', 10), Cache::decrement('number', 2), Cache::read('number')]);
		self::assertSame([0, 13], [Cache::decrement('number', 100), Cache::increment('number', 13)], 'stops at 0');
		self::assertSame([false, false, false], [Cache::increment('none'), Cache::increment('word'), Cache::decrement('word')]);
		Clock::advance(11);
		self::assertSame([null, false], [Cache::read('number'), Cache::increment('number')]);
	}

	public function testProcessesCountTogether(): void
	{
		Cache::write('count', 0);
		run_workers(4, function (): void {
			for ($i = 0; $i < 50; $i++) {
				Cache::increment('count');
			}
		});
		self::assertSame(200, Cache::read('count'));
	}

	public function testClearEmptiesItsPrefixAlone(): void
	{
		$this->configure(['groups' => ['a']], 'same prefix');
		$this->configure(['prefix' => "other_$this->prefix"], 'other');
		foreach (['default', 'same prefix', 'other'] as $number => $name) {
			Cache::write('key', $number, $name);
		}
		self::assertTrue(Cache::clear());
		self::assertSame([null, null, 2], [Cache::read('key'), Cache::read('key', 'same prefix'), Cache::read('key', 'other')]);
	}

	public function testAClearedGroupTakesItsValuesAway(): void
	{
		$this->configure(['groups' => ['posts', 'archive']], 'both');
		$this->configure(['groups' => ['posts']], 'posts');
		$write = fn (): array => array_map(fn (string $name) => Cache::write('key', $name, $name), ['default', 'both', 'posts']);
		$read = fn (): array => [Cache::read('key'), Cache::read('key', 'both'), Cache::read('key', 'posts')];
		$write();
		self::assertSame(['default', 'both', 'posts'], $read());
		self::assertTrue(Cache::clearGroup('archive', 'both'));
		self::assertSame(['default', null, 'posts'], $read());
		$write();
		self::assertTrue(Cache::clearGroup('posts', 'posts'));
		self::assertSame(['default', null, null], $read());
		self::assertSame(['posts' => ['both', 'posts']], Cache::groupConfigs('posts'));
	}

	public function testAClearedGroupOfAnotherProcessIsSeen(): void
	{
		$this->configure(['groups' => ['posts']]);
		Cache::write('key', 1);
		run_workers(1, fn () => Cache::clearGroup('posts'));
		self::assertNull(Cache::read('key'));
		self::assertSame(2, Cache::remember('key', fn () => 2));
		self::assertSame(2, Cache::remember('key', fn () => 3));
	}

	public function testElectsOneCallerWithAGrace(): void
	{
		Clock::freeze();
		$this->configure(['grace' => 60, 'duration' => 10, 'groups' => ['posts']]);
		Cache::write('key', 'old');
		Clock::advance(11);
		self::assertNull(Cache::read('key'), 'the elected one computes');
		self::assertSame(['old'], run_workers(1, fn () => Cache::remember('key', fn () => 'needless')));
		Cache::write('key', 'new');
		self::assertSame(['new'], run_workers(1, fn () => Cache::read('key')));
	}

	public function testWhatCannotBeStoredIsAFailedWrite(): void
	{
		self::assertFalse(Cache::pool('default')->set('key', new ThrowsWhenSerialized()));
		self::assertFalse(Cache::add('key', fn () => 1));
		self::assertTrue(Cache::write('key', new ThrowsWhenRead()));
		self::assertNull(Cache::read('key'));
		$this->expectException(CacheWriteException::class);
		Cache::write('key', fn () => 1);
	}

	public function testIsAMissWithoutAServerAndSaysSo(): void
	{
		Log::setConfig('test', ['className' => ArrayLog::class]);
		$memcached = start_memcached();
		$cache = $this->configure(['servers' => $memcached->address, 'groups' => ['posts']]);
		self::assertTrue($cache->set('key', 1));
		$memcached->kill();
		self::assertSame([null, ['key' => null], false], [$cache->get('key'), $cache->getMultiple(['key']), $cache->has('key')]);
		self::assertSame([false, false, false, false], [$cache->set('key', 1), $cache->add('key', 1), $cache->increment('key'), $cache->delete('key')]);
		self::assertSame([false, false, false], [$cache->deleteMultiple(['key']), $cache->clearGroup('posts'), $cache->clear()]);
		$log = Log::engine('test');
		self::assertInstanceOf(ArrayLog::class, $log);
		self::assertStringContainsString("warning: mcpatterns: $memcached->address", implode("\n", $log->read()));
	}

	public function testAUrlNamesTheServer(): void
	{
		Cache::drop('default');
		Cache::setConfig('default', ['url' => CacheEngine::class . '://10.0.0.5:11212?prefix=shop_&grace=60&duration=100']);
		$engine = Cache::pool('default');
		self::assertInstanceOf(CacheEngine::class, $engine);
		self::assertSame([['host' => '10.0.0.5', 'port' => 11212, 'weight' => 1]], $engine->pool()->servers());
	}

	public function testRefusesAnUnknownSetting(): void
	{
		$this->expectExceptionMessage("The cache configuration's setting 'sevrers' is unknown to mcpatterns.");
		$this->configure(['sevrers' => 'localhost']);
	}

	public function testThePagesConfigurationIsUnderstood(): void
	{
		[$block] = blocks_of('frameworks/cakephp', 'php cakephp');
		['Cache' => $configs] = eval("return [$block];");
		Cache::drop('default');
		Cache::setConfig($configs);
		$engine = Cache::pool('default');
		self::assertInstanceOf(CacheEngine::class, $engine);
		self::assertSame(['10.0.0.5', '10.0.0.6'], array_column($engine->pool()->servers(), 'host'));
		self::assertSame(['posts'], $engine->groups());
	}
}
