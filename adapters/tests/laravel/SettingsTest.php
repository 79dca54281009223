<?php
/* What an entry of config/cache.php may say. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Support\Facades\Cache;
use McPatterns\Adapters\Tests\Support\CollectedLog;
use McPatterns\Clock;
use PHPUnit\Framework\Attributes\DataProvider;

final class SettingsTest extends LaravelTestCase
{
	public function testTakesTheServersOfTheMemcachedDriver(): void
	{
		$socket = substr(self::$memcached->address, strlen('unix://'));
		$cache = $this->application(['servers' => [['host' => $socket, 'port' => 0, 'weight' => 100]], 'persistent_id' => null, 'sasl' => [null]])->make('cache');
		self::assertTrue($cache->put('key', 1, 60));
		self::assertSame(1, Cache::get('key'));
		$servers = $this->application(['servers' => [['host' => '10.0.0.5', 'port' => '11212', 'weight' => 3], '10.0.0.6']])->make('cache')->getStore()->pool()->servers();
		self::assertSame([['host' => '10.0.0.5', 'port' => 11212, 'weight' => 3], ['host' => '10.0.0.6', 'port' => 11211, 'weight' => 1]], $servers);
		$servers = $this->application(['servers' => [['host' => '::1', 'port' => 11212, 'weight' => 3]]])->make('cache')->getStore()->pool()->servers();
		self::assertSame([['host' => '::1', 'port' => 11212, 'weight' => 3]], $servers);
	}

	public function testTakesTheSettingsOfPoolAndCache(): void
	{
		$cache = $this->application(['signing_key' => 'secret', 'wait' => 0.5, 'lease' => 3, 'transport' => \McPatterns\Transport::Direct])->make('cache');
		self::assertTrue($cache->put('key', [1], 60));
		self::assertSame([1], $cache->get('key'));
		self::assertNull($this->application(['signing_key' => 'another'])->make('cache')->get('key'));
	}

	public function testUnserializesTheClassesThatLaravelAllows(): void
	{
		$app = $this->application();
		$app->make('config')->set('cache.serializable_classes', [\ArrayObject::class]);
		$app->make('cache')->putMany(['allowed' => new \ArrayObject(), 'other' => new \ArrayIterator()], 60);
		self::assertInstanceOf(\ArrayObject::class, $app->make('cache')->get('allowed'));
		self::assertInstanceOf(\__PHP_Incomplete_Class::class, $app->make('cache')->get('other'));
	}

	/**
	 * @param list<string> $previous
	 * @param array<string, mixed> $store
	 */
	private function keyed(?string $key, array $previous = [], array $store = []): CacheManager
	{
		$app = $this->application($store);
		$app->make('config')->set('app', ['key' => $key, 'previous_keys' => $previous]);
		return $app->make('cache');
	}

	public function testSignsByTheKeyOfTheApplication(): void
	{
		$this->keyed(null)->put('unsigned', 1, 60);
		$this->keyed('base64:one')->put('signed', 1, 60);
		self::assertSame(['unsigned' => null, 'signed' => 1], $this->keyed('base64:one')->many(['unsigned', 'signed']));
		self::assertSame(['unsigned' => null, 'signed' => null], $this->keyed('base64:other')->many(['unsigned', 'signed']));
		self::assertSame(['unsigned' => 1, 'signed' => null], $this->keyed('')->many(['unsigned', 'signed']));
		$cache = $this->keyed('base64:one');
		self::assertSame('computed', $cache->remember('unsigned', 60, fn () => 'computed'));
		self::assertGreaterThan(0, $cache->getStore()->cache()->stats()['forged']);
	}

	public function testReadsWhatAPreviousKeyHasSigned(): void
	{
		$this->keyed('base64:old')->put('of before', 1, 60);
		$rotated = $this->keyed('base64:new', ['base64:old']);
		self::assertSame(1, $rotated->get('of before'));
		$rotated->put('new', 1, 60);
		self::assertSame(['of before' => null, 'new' => 1], $this->keyed('base64:new')->many(['of before', 'new']));
		$this->keyed(null, ['base64:old'])->put('unsigned', 1, 60);
		self::assertNull($this->keyed('base64:old')->get('unsigned'), 'a previous key signs nothing');
	}

	public function testSignsByTheStoresOwnKeyOrNotAtAll(): void
	{
		foreach ([['signing_key' => 'secret'], ['signing_key' => false]] as $store) {
			$this->keyed('base64:one', store: $store)->put('key', 1, 60);
			self::assertSame(1, $this->keyed('base64:other', store: $store)->get('key'));
		}
		self::assertNull($this->keyed('base64:one')->get('key'));
	}

	/** @return iterable<string, array{array<string, mixed>, string}> */
	public static function mistakes(): iterable
	{
		yield 'unknown' => [['conect_timeout' => 1], 'conect_timeout'];
		yield 'decided by Laravel' => [['clearable' => false], 'clearable'];
		yield 'server' => [['servers' => [['port' => 11211]]], "'host:port'"];
		yield 'port' => [['servers' => [['host' => 'a', 'port' => 'x']]], 'a must be a number'];
		yield 'grace' => [['grace' => -1], "'grace'"];
		yield 'of Pool' => [['timeout' => -1], '$timeout'];
		yield 'no transport' => [['transport' => 'dirct'], "'transport' must be one of Libmemcached, Direct, 'dirct' given"];
		yield 'no serializer' => [['serializer' => ''], "'serializer' must be one of Php"];
		yield 'prefix' => [['prefix' => 'with spaces in it'], '$prefix'];
	}

	/** @param array<string, mixed> $store */
	#[DataProvider('mistakes')]
	public function testNamesWhatIsWrongInTheConfiguration(array $store, string $words): void
	{
		$this->expectExceptionMessage($words);
		$this->application($store)->make('cache')->get('key');
	}

	/** env() has nothing but strings. */
	public function testTakesStringsOfTheEnvironment(): void
	{
		$strings = ['transport' => 'direct', 'serializer' => 'Json', 'compression' => 'zlib', 'distribution' => 'MODULO', 'timeout' => '5', 'wait' => '0.5'];
		$cache = $this->application($strings)->make('cache');
		self::assertTrue($cache->put('key', ['a' => 1], 60));
		self::assertSame(['a' => 1], $cache->get('key'));
		$enums = ['transport' => \McPatterns\Transport::Direct, 'serializer' => \McPatterns\Serializer::Json];
		self::assertSame(['a' => 1], $this->application($enums)->make('cache')->get('key'));
	}

	/** Without tags and clear(), and it says so in words that help. */
	public function testHasCopies(): void
	{
		$other = start_memcached();
		$cache = $this->application(['servers' => [self::$memcached->address, $other->address], 'copies' => '2'])->make('cache');
		foreach (['flush' => fn () => $cache->flush(), 'tags' => fn () => $cache->tags('news')] as $name => $call) {
			try {
				$call();
				self::fail("$name is refused");
			} catch (\BadMethodCallException $refused) {
				self::assertStringContainsString("A cache store with 'copies'", $refused->getMessage());
				self::assertStringNotContainsString('clearable', $refused->getMessage());
			}
		}
		self::assertSame('computed', $cache->remember('key', 60, fn () => 'computed'));
		Clock::freeze();
		self::assertSame(3, $cache->increment('number', 3));
		$cache->put('number of a minute', 5, 60);
		$cache->put('text', 'text', 60);
		self::assertSame(7, $cache->increment('number of a minute', 2));
		self::assertSame(0, $cache->decrement('number', 4));
		self::assertFalse($cache->increment('text'));
		$cache->put('numeric string', '5', 60);
		self::assertSame([6, 0], [$cache->increment('numeric string'), $cache->decrement('numeric string', 7)]);
		$cache->put('negative', -5, 60);
		self::assertSame([-3, -4, 0], [$cache->increment('negative', 2), $cache->decrement('negative'), $cache->increment('negative', 4)]);
		Clock::advance(61);
		self::assertSame(['number' => 0, 'number of a minute' => null], $cache->many(['number', 'number of a minute']));
		$other->dispose();
	}

	/** @return array<string, mixed> nothing is asked in the minute of a test */
	private static function near(): array
	{
		return ['near' => 60, 'transport' => 'direct'];
	}

	public function testIsNearWhereTheStoreSaysSo(): void
	{
		$cache = $this->application(self::near())->make('cache');
		$changes = [
			'put' => fn () => $cache->put('put', 'new', 60),
			'forget' => fn () => $cache->forget('forget'),
			'pull' => fn () => $cache->pull('pull'),
			'increment' => fn () => $cache->increment('increment'),
			'flush' => fn () => $cache->flush(),
		];
		foreach ($changes as $key => $change) {
			$cache->put($key, 1, 60);
			self::assertSame(1, $cache->get($key), $key);
			$near = $cache->getStore()->cache()->stats()['near'];
			self::assertSame(1, $cache->remember($key, 60, fn () => self::fail('is there')), $key);
			self::assertSame($near + 1, $cache->getStore()->cache()->stats()['near'], "$key: no server was asked");
			$change();
			self::assertSame(['put' => 'new', 'increment' => 2][$key] ?? null, $cache->get($key), "$key is seen at once");
		}
	}

	/** This host is all its processes: here, another application's Pool. */
	public function testWhatThisHostInvalidatesIsNearForNobodyHere(): void
	{
		[$one, $other] = [$this->application(self::near())->make('cache'), $this->application(self::near())->make('cache')];
		$invalidations = ['tags' => fn () => $other->tags('news')->flush(), 'all' => fn () => $other->flush()];
		foreach ($invalidations as $key => $invalidate) {
			$tagged = $one->tags(['news', 'sport']);
			$tagged->put($key, 'old', 60);
			self::assertSame('old', $tagged->get($key), $key);
			$near = $tagged->getStore()->cache()->stats()['near'];
			self::assertSame('old', $tagged->get($key), $key);
			self::assertSame($near + 1, $tagged->getStore()->cache()->stats()['near'], "$key: no server was asked");
			$invalidate();
			self::assertNull($tagged->get($key), $key);
			self::assertSame('new', $tagged->remember($key, 60, fn () => 'new'), $key);
			self::assertSame('new', $other->tags(['news', 'sport'])->get($key), $key);
		}
	}

	public function testIsNearWithOtherSettings(): void
	{
		$others = ['signing_key' => 'secret', 'grace' => 30, 'early' => 1.0, 'lease' => 3, 'serializer' => 'json', 'compression' => 'zlib'];
		$cache = $this->application($others + self::near())->make('cache');
		self::assertSame(['a'], $cache->remember('key', 60, fn () => ['a']));
		self::assertSame(['a'], $cache->flexible('key', [30, 60], fn () => ['b']));
		$cache->putMany(['one' => 1, 'two' => 2], 60);
		self::assertSame(['one' => 1, 'two' => 2, 'three' => null], $cache->many(['one', 'two', 'three']));
		self::assertSame(2, $cache->memo()->get('two'));
		$cache->setPrefix('another-');
		self::assertNull($cache->get('one'));
		self::assertSame('string', $this->application(['near' => '0.5'] + self::near())->make('cache')->remember('another', 60, fn () => 'string'));
	}

	public function testChangesItsPrefix(): void
	{
		Cache::put('key', 'of one');
		Cache::setPrefix('other-');
		self::assertSame('other-', Cache::getPrefix());
		self::assertNull(Cache::get('key'));
		Cache::put('key', 'of the other');
		self::assertSame('of the other', Cache::memo()->get('key'));
		self::assertTrue(Cache::lock('key')->get());
		Cache::flush();
		self::assertNull(Cache::get('key'));
		Cache::setPrefix($this->prefix);
		self::assertSame('of one', Cache::memo()->get('key'));
		self::assertTrue(Cache::lock('key')->get(), 'another lock');
		Cache::setPrefix(null);
		self::assertSame('', Cache::getPrefix());
	}

	public function testAPrefixOfALongNameIsAPrefix(): void
	{
		$prefix = str_repeat('a-long-name-of-an-application-', 3) . $this->prefix;
		Cache::setPrefix($prefix);
		self::assertSame($prefix, Cache::getPrefix());
		self::assertTrue(Cache::put('key', 1));
		Cache::setPrefix("$prefix-other");
		self::assertNull(Cache::get('key'));
		Cache::setPrefix($prefix);
		self::assertSame(1, Cache::get('key'));
	}

	/** Each application is another request of one process; an hour before the server is asked again. */
	public function testLogsOnceWhatAServerFailedOf(): void
	{
		$memcached = start_memcached();
		$memcached->kill();
		$log = new CollectedLog();
		Clock::freeze();
		foreach ([1, 2] as $outage) {
			foreach ([1, 2, 3] as $request) {
				$app = $this->application(['servers' => $memcached->address, 'retry_after' => 3600, 'log' => true]);
				$app->instance(\Psr\Log\LoggerInterface::class, $log);
				$app->make('cache')->put('key', $request, 60);
				$app->make('cache')->get('key');
			}
			self::assertCount($outage, $log->said);
			self::assertStringContainsString('connection refused', $log->said[$outage - 1]);
			Clock::advance(3601);
		}
	}

	/** A machine that only builds an application, say. */
	public function testSaysThatTheExtensionIsNotLoaded(): void
	{
		$settings = var_export(dirname(__DIR__, 2) . '/src/Laravel/Settings.php', true);
		$code = "require $settings; try { new McPatterns\\Adapters\\Laravel\\Settings([]); } catch (LogicException \$failure) { echo \$failure->getMessage(); }";
		exec(escapeshellarg(PHP_BINARY) . ' -n -r ' . escapeshellarg($code) . ' 2>&1', $output, $status);
		self::assertSame(0, $status, implode("\n", $output));
		self::assertStringContainsString('extension mcpatterns, which is not loaded', implode("\n", $output));
	}
}
