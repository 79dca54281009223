<?php
/* Laravel's sessions by the driver "mcpatterns", over Laravel's own Store. Each store is another request's. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Config\Repository as Config;
use Illuminate\Foundation\Application;
use Illuminate\Session\SessionServiceProvider;
use Illuminate\Session\Store;
use Illuminate\Support\Str;
use McPatterns\{LockTimeoutException, ServerException, SessionHandler};
use PHPUnit\Framework\Attributes\{DataProvider, TestWith};

require_once __DIR__ . '/../support/application.php';

final class SessionDriverTest extends LaravelTestCase
{
	private string $id;

	protected function setUp(): void
	{
		parent::setUp();
		$this->id = Str::random(40);
	}

	/**
	 * @param array<string, mixed> $given
	 * @param array<string, mixed> $session
	 */
	private function applicationWithSessions(array $given = [], array $session = []): Application
	{
		[$block] = blocks_of('start/sessions', 'ini', 'Laravel');
		$driver = parse_ini_string($block, scanner_mode: INI_SCANNER_RAW)['SESSION_DRIVER'];
		$app = $this->application();
		$app->make(Config::class)->set('session', $session + ['driver' => $driver, 'lifetime' => 10, 'cookie' => 'session',
			'mcpatterns' => $given + ['merge_depth' => 2, 'lock_wait' => 0]]);
		$app->register(SessionServiceProvider::class);
		return $app;
	}

	/**
	 * @param array<string, mixed> $given
	 * @param array<string, mixed> $session
	 */
	private function store(array $given = [], array $session = []): Store
	{
		$store = $this->applicationWithSessions($given, $session)->make('session')->driver();
		$store->setId($this->id);
		return $store;
	}

	/**
	 * @param array<string, mixed> $given
	 * @param array<string, mixed> $session
	 */
	private function started(array $given = [], array $session = []): Store
	{
		$store = $this->store($given, $session);
		$store->start();
		return $store;
	}

	/** @return array<string, mixed> */
	private function saved(): array
	{
		$store = $this->started(['locking' => 'none']);
		return $store->except(['_token', '_flash']);
	}

	public function testIsTheExtensionsOwnHandlerUnderLaravelsStore(): void
	{
		self::assertInstanceOf(SessionHandler::class, $this->store()->getHandler());
		self::assertSame(Store::class, $this->store()::class);
	}

	/** @return iterable<string, array{string}> */
	public static function modes(): iterable
	{
		yield 'lock' => ['lock'];
		yield 'merge' => ['merge'];
		yield 'none' => ['none'];
	}

	#[DataProvider('modes')]
	public function testKeepsASession(string $locking): void
	{
		for ($visits = 1; $visits <= 3; $visits++) {
			$store = $this->started(['locking' => $locking]);
			self::assertSame($visits, $store->increment('visits'));
			$store->save();
		}
		self::assertSame(['visits' => 3], $this->saved());
	}

	public function testSignsASessionByTheKeyOfTheApplication(): void
	{
		$keyed = function (string $key): Store {
			$app = $this->applicationWithSessions(['locking' => 'none']);
			$app->make(Config::class)->set('app', ['key' => $key]);
			$store = $app->make('session')->driver();
			$store->setId($this->id);
			$store->start();
			return $store;
		};
		$store = $keyed('base64:one');
		$store->put('name', 'ada');
		$store->save();
		self::assertSame(['ada', null], [$keyed('base64:one')->get('name'), $keyed('base64:other')->get('name')]);
	}

	public function testMergesWhatTwoRequestsChange(): void
	{
		$first = $this->started(['locking' => 'merge']);
		$first->put(['cart.apples' => 1, 'name' => 'ada']);
		$first->save();
		[$one, $other] = [$this->started(['locking' => 'merge']), $this->started(['locking' => 'merge'])];
		$one->put('cart.pears', 2);
		$one->forget('name');
		$other->put('cart.plums', 3);
		$one->save();
		$other->save();
		self::assertEquals(['cart' => ['apples' => 1, 'pears' => 2, 'plums' => 3]], $this->saved());
	}

	/** With the block of the page on moving over; the name of the setting is that of the parameter. */
	public function testFindsTheSessionsOfLaravelsDriverForMemcached(): void
	{
		[$block] = blocks_of('migrate/laravel', 'php session');
		$_ENV['CACHE_PREFIX'] = $this->prefix;
		try {
			['mcpatterns' => $given] = eval("return [$block];");
		} finally {
			unset($_ENV['CACHE_PREFIX']);
		}
		$payload = serialize(['_token' => 'token', 'login' => 17]);
		$server = stream_socket_client(self::$memcached->address);
		fwrite($server, "set $this->prefix$this->id 0 600 " . strlen($payload) . "\r\n$payload\r\n");
		self::assertSame("STORED\r\n", fgets($server));
		$store = $this->started($given);
		self::assertSame(17, $store->get('login'));
		$store->put('login', 18);
		$store->save();
		self::assertSame(18, $this->saved()['login']);
	}

	/** What another process, which waits for nothing, is told: handlers of one share their hold. */
	private function startElsewhere(): string
	{
		[$told] = run_workers(1, function (): string {
			try {
				$this->started()->save();
				return 'started';
			} catch (LockTimeoutException $held) {
				return $held->getMessage();
			}
		});
		return $told;
	}

	public function testHoldsASessionFromItsStartToItsSave(): void
	{
		$store = $this->started();
		$told = $this->startElsewhere();
		self::assertStringContainsString('locked by', $told);
		self::assertStringNotContainsString($this->id, $told);
		$store->save();
		self::assertSame('started', $this->startElsewhere());
	}

	/** Each in a process of its own, side by side; by lock they see each other's counts. */
	#[TestWith(['lock'])]
	#[TestWith(['merge'])]
	public function testLosesNothingOfRequestsSideBySide(string $locking): void
	{
		run_workers(4, function (int $worker) use ($locking): int {
			for ($request = 0; $request < 5; $request++) {
				$store = $this->started(['locking' => $locking, 'lock_wait' => 30]);
				$store->put("$worker.$request", true);
				$store->increment("count.$worker");
				if ($locking === 'lock') {
					$store->increment('all');
				}
				$store->save();
			}
			return 0;
		});
		$saved = $this->saved();
		self::assertEquals([5, 5, 5, 5], $saved['count'] ?? []);
		self::assertCount(20, array_merge(...array_map(fn (int $worker): array => array_values($saved[$worker]), range(0, 3))));
		self::assertSame($locking === 'lock' ? 20 : null, $saved['all'] ?? null);
	}

	#[DataProvider('modes')]
	public function testFlashesToTheNextRequestAlone(string $locking): void
	{
		$store = $this->started(['locking' => $locking]);
		$store->flash('status', 'stored');
		$store->save();
		$next = $this->started(['locking' => $locking]);
		self::assertSame('stored', $next->get('status'));
		$next->save();
		self::assertFalse($this->started(['locking' => $locking])->has('status'));
	}

	/** The request beside it began before, and saves after. */
	public function testFlashesBesideAnotherRequest(): void
	{
		$this->started(['locking' => 'merge'])->save();
		[$one, $other] = [$this->started(['locking' => 'merge']), $this->started(['locking' => 'merge'])];
		$one->flash('status', 'stored');
		$one->save();
		$other->put('seen', true);
		$other->save();
		$next = $this->started(['locking' => 'merge']);
		self::assertSame(['status' => 'stored', 'seen' => true], ['status' => $next->get('status'), 'seen' => $next->get('seen')]);
		$next->save();
		self::assertSame(['seen' => true], $this->saved());
	}

	#[DataProvider('modes')]
	public function testRegeneratesAndInvalidates(string $locking): void
	{
		$store = $this->started(['locking' => $locking]);
		$store->put('user', 'ada');
		$store->save();
		$store = $this->started(['locking' => $locking]);
		$old = $this->id;
		self::assertTrue($store->migrate(true));
		$store->save();
		self::assertSame([], $this->saved());
		$this->id = $store->getId();
		self::assertNotSame($old, $this->id);
		self::assertSame(['user' => 'ada'], $this->saved());
		$store = $this->started(['locking' => $locking]);
		self::assertTrue($store->invalidate());
		$store->save();
		self::assertSame([], $this->saved());
	}

	/** What was destroyed stays so, whatever ran beside it. */
	public function testARequestFromBeforeALogoutStoresNothingAgain(): void
	{
		$store = $this->started(['locking' => 'merge']);
		$store->put('user', 'ada');
		$store->save();
		[$beside, $logout] = [$this->started(['locking' => 'merge']), $this->started(['locking' => 'merge'])];
		$logout->invalidate();
		$logout->save();
		$beside->put('seen', true);
		$beside->save();
		self::assertSame([], $this->saved());
	}

	/** The id before it is kept, and no longer held when the request has ended. */
	#[DataProvider('modes')]
	public function testKeepsTheOldSessionOfARegeneratedId(string $locking): void
	{
		$app = $this->applicationWithSessions(['locking' => $locking]);
		$store = $app->make('session')->driver();
		$store->setId($this->id);
		$store->start();
		$store->put('user', 'ada');
		$store->save();
		$store->start();
		$store->regenerate();
		$store->save();
		$app->make('events')->dispatch('Laravel\Octane\Events\RequestTerminated');
		self::assertSame('started', $this->startElsewhere());
		self::assertSame(['user' => 'ada'], $this->saved());
		$this->id = $store->getId();
		self::assertSame(['user' => 'ada'], $this->saved());
	}

	/** A page that throws, or a worker's request without a save. */
	public function testIsHeldNoLongerThanTheRequestOfAWorker(): void
	{
		$app = $this->applicationWithSessions();
		$store = $app->make('session')->driver();
		$store->setId($this->id);
		$store->start();
		self::assertStringContainsString('locked by', $this->startElsewhere());
		$app->make('events')->dispatch('Laravel\Octane\Events\RequestTerminated');
		self::assertSame('started', $this->startElsewhere());
		self::assertSame([], $this->saved());
	}

	public function testAsksForNoIdThatLaravelRefuses(): void
	{
		foreach (['', 'short', str_repeat('/', 40), "\0" . str_repeat('a', 39)] as $id) {
			$store = $this->store();
			$store->setId($id);
			self::assertNotSame($id, $store->getId());
			$store->start();
			$store->save();
		}
		self::assertSame([], $this->saved());
	}

	/** What Laravel encodes in another way cannot be merged, and its requests wait for each other. */
	#[DataProvider('modes')]
	public function testKeepsJson(string $locking): void
	{
		foreach ([1, 2] as $visits) {
			$store = $this->started(['locking' => $locking], ['serialization' => 'json']);
			self::assertSame($visits, $store->increment('visits'));
			$store->save();
		}
	}

	public function testNeitherClearingTheCacheNorAnotherApplicationReachesSessions(): void
	{
		$store = $this->started();
		$store->put('user', 'ada');
		$store->save();
		$this->app->make('cache')->flush();
		self::assertSame(['user' => 'ada'], $this->saved());
		$this->prefix = 'another-';
		self::assertSame([], $this->saved());
	}

	public function testTakesTheServersOfAnotherStore(): void
	{
		$app = $this->applicationWithSessions(session: ['driver' => 'mcpatterns', 'store' => 'sessions', 'lifetime' => 10]);
		$app->make(Config::class)->set('cache.stores.sessions', ['driver' => 'mcpatterns', 'servers' => 'unix:///nonexistent']);
		$this->expectException(ServerException::class);
		$app->make('session')->driver()->start();
	}

	/** @return iterable<string, array{array<string, mixed>, array<string, mixed>, string}> */
	public static function mistakes(): iterable
	{
		yield 'unknown' => [['lock' => 1], [], "session's setting 'lock' is unknown"];
		yield 'decided by Laravel' => [['ttl' => 1], [], "'ttl'"];
		yield 'locking' => [['locking' => 'loc'], [], "'locking' must be one of Lock, Merge, None, 'loc' given"];
		yield 'depth' => [['merge_depth' => 9], [], '$mergeDepth'];
		yield 'store of another driver' => [[], ['store' => 'array'], 'session.store'];
		yield 'lifetime' => [[], ['lifetime' => 'long'], 'session.lifetime'];
	}

	/**
	 * @param array<string, mixed> $given
	 * @param array<string, mixed> $session
	 */
	#[DataProvider('mistakes')]
	public function testNamesWhatIsWrongInTheConfiguration(array $given, array $session, string $words): void
	{
		$app = $this->applicationWithSessions();
		$config = $app->make(Config::class);
		$config->set('cache.stores.array', ['driver' => 'array']);
		$config->set('session', $session + ['mcpatterns' => $given] + $config->get('session'));
		$this->expectExceptionMessage($words);
		$app->make('session')->driver();
	}

	public function testIsByLockUnlessTheEnvironmentSaysElse(): void
	{
		self::assertSame('lock', (require dirname(__DIR__, 2) . '/src/Laravel/session.php')['locking']);
		[$block] = blocks_of('start/sessions', 'ini', 'Laravel');
		foreach ($settings = parse_ini_string($block, scanner_mode: INI_SCANNER_RAW) as $name => $value) {
			$_ENV[$name] = $value;
		}
		try {
			self::assertSame('merge', (require dirname(__DIR__, 2) . '/src/Laravel/session.php')['locking']);
		} finally {
			array_map(function (string $name): void {
				unset($_ENV[$name]);
			}, array_keys($settings));
		}
	}
}
