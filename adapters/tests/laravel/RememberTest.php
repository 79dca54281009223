<?php
/* remember(), flexible(), memo() and the events of them all. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\Events\{CacheEvent, CacheFlushed, CacheFlushing, CacheHit, CacheMissed, ForgettingKey, KeyForgetFailed, KeyForgotten, KeyWriteFailed, KeyWritten, RetrievingKey, WritingKey};
use Illuminate\Auth\Access\AuthorizationException;
use Illuminate\Container\Container;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Database\Eloquent\ModelNotFoundException;
use Illuminate\Database\RecordNotFoundException;
use Illuminate\Support\Facades\{Cache, Event};
use McPatterns\Adapters\Laravel\{MemoizedRepository, Repository};
use McPatterns\{Clock, RebuildPausedException};
use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;

final class RememberTest extends LaravelTestCase
{
	private int $computed = 0;

	private function compute(): string
	{
		return 'computed ' . ++$this->computed;
	}

	public function testPrefetchedValuesAreAskedForOnce(): void
	{
		foreach (['a', 'b', 'c'] as $key) {
			Cache::put($key, [$key], 60);
		}
		$asked = fn (): int => (int) self::$memcached->stats()['cmd_get'];
		Cache::prefetch(['a', 'b', 'absent']);
		$before = $asked();
		foreach (['a', 'b'] as $key) {
			self::assertSame([$key], Cache::get($key));
			self::assertSame([$key], Cache::remember($key, 60, $this->compute(...)));
			self::assertSame([$key], Cache::flexible($key, [60, 120], $this->compute(...)));
		}
		self::assertSame($before, $asked());
		self::assertSame(['c'], Cache::get('c'));
		self::assertGreaterThan($before, $asked());
		Cache::put('a', 'changed', 60);
		self::assertSame('changed', Cache::get('a'));
		self::assertSame('computed 1', Cache::remember('absent', 60, $this->compute(...)));
	}

	public function testRemembersForTheTtl(): void
	{
		Clock::freeze();
		self::assertSame('computed 1', Cache::remember('key', 60, $this->compute(...)));
		self::assertSame('computed 1', Cache::get('key'));
		Clock::advance(59);
		self::assertSame('computed 1', Cache::remember('key', 60, $this->compute(...)));
		Clock::advance(1.001);
		self::assertNull(Cache::get('key'));
		self::assertSame('computed 2', Cache::remember('key', 60, $this->compute(...)));
	}

	/** @return iterable<string, array{\Closure(): mixed}> */
	public static function lifetimes(): iterable
	{
		yield 'interval' => [fn () => new \DateInterval('PT1M')];
		yield 'date' => [fn () => now()->addSeconds(60)];
		yield 'of the value' => [fn () => fn (string $value) => strlen($value) + 50];
	}

	#[DataProvider('lifetimes')]
	public function testTakesEveryTtlOfLaravel(\Closure $ttl): void
	{
		Clock::freeze();
		Cache::remember('key', $ttl(), $this->compute(...));
		Clock::advance(58);
		self::assertTrue(Cache::has('key'));
		Clock::advance(3);
		self::assertFalse(Cache::has('key'));
	}

	public function testRemembersForEver(): void
	{
		Clock::freeze();
		Cache::rememberForever('one', $this->compute(...));
		Cache::sear('two', $this->compute(...));
		Cache::remember('three', null, $this->compute(...));
		Clock::advance(86400 * 365);
		self::assertSame(['one' => 'computed 1', 'two' => 'computed 2', 'three' => 'computed 3'], Cache::many(['one', 'two', 'three']));
		self::assertSame('computed 1', Cache::sear('one', $this->compute(...)));
	}

	public function testDoesNotStoreForNoTime(): void
	{
		self::assertSame('computed 1', Cache::remember('key', 0, $this->compute(...)));
		self::assertSame('computed 2', Cache::remember('key', fn () => -1, $this->compute(...)));
		self::assertFalse(Cache::has('key'));
	}

	public function testFindsWhatWasPutAndTheOtherWayRound(): void
	{
		Cache::put('key', 'put', 60);
		self::assertSame('put', Cache::remember('key', 60, $this->compute(...)));
		Cache::forget('key');
		self::assertSame('computed 1', Cache::remember('key', 60, $this->compute(...)));
		self::assertSame('computed 1', Cache::pull('key'));
	}

	public function testComputesANullEachTime(): void
	{
		$null = function () {
			$this->computed++;
			return null;
		};
		self::assertNull(Cache::remember('key', 60, $null));
		self::assertNull(Cache::remember('key', 60, $null));
		self::assertSame(2, $this->computed);
		Cache::put('key', null, 60);
		self::assertSame('computed 3', Cache::remember('key', 60, $this->compute(...)));
	}

	/** As over Laravel's own stores. */
	public function testComputesWhatAsksForItsOwnKey(): void
	{
		foreach (['remember', 'flexible', 'rememberForever'] as $method) {
			$terms = ['remember' => [60], 'flexible' => [[60, 120]], 'rememberForever' => []][$method];
			$menu = function (int $depth) use (&$menu, $method, $terms): string {
				return $depth > 2 ? 'leaf' : Cache::$method($method, ...$terms, ...[fn () => "in({$menu($depth + 1)})"]);
			};
			self::assertSame('in(in(leaf))', $menu(1));
			self::assertSame('in(in(leaf))', Cache::get($method));
		}
		try {
			Cache::remember('key', 60, fn () => Cache::remember('key', 60, fn () => throw new \LogicException('its own')));
			self::fail('no exception');
		} catch (\LogicException $failure) {
			self::assertSame('its own', $failure->getMessage());
		}
	}

	public function testHoldsOffEachCallerWhileAComputationKeepsFailing(): void
	{
		Clock::freeze();
		$ask = fn (string $method, mixed $ttl, \Closure $compute) => $this->application()->make('cache')->$method($method, $ttl, $compute);
		foreach (['remember' => 60, 'flexible' => [60, 120]] as $method => $ttl) {
			$failures = 0;
			$fail = function () use (&$failures): never {
				throw new \DomainException('failure ' . ++$failures);
			};
			for ($try = 1, $pause = null; $pause === null && $try < 9; $try++) {
				try {
					$ask($method, $ttl, $fail);
				} catch (\DomainException $failure) {
					self::assertSame("failure $try", $failure->getMessage());
				} catch (RebuildPausedException $pause) {
				}
			}
			self::assertThat($failures, self::logicalOr(4, 5), 'so many pauses are waited out');
			self::assertNotNull($pause);
			Clock::advance($pause->retryAfter + 0.01);
			self::assertSame('there', $ask($method, $ttl, fn () => 'there'));
			self::assertSame('there', Cache::get($method));
		}
	}

	/** Of what is not there, say: it is asked for once more by each. */
	public function testHoldsOffNobodyAfterAnExceptionThatAnswers(): void
	{
		$answers = [new ModelNotFoundException(), new NotFoundHttpException(), new AuthorizationException(), new RecordNotFoundException()];
		foreach ([...$answers, ...$answers] as $answer) {
			foreach (['remember' => 60, 'flexible' => [60, 120]] as $method => $ttl) {
				try {
					Cache::$method('key', $ttl, fn () => throw $answer);
					self::fail('nothing was thrown');
				} catch (\Exception $thrown) {
					self::assertSame($answer, $thrown);
				}
			}
		}
		self::assertSame('there', Cache::remember('key', 60, fn () => 'there'));
		self::assertSame('there', Cache::get('key'));
	}

	public function testAnswersTheOldValueOnErrorAlsoWhereTheExceptionIsAnAnswer(): void
	{
		Clock::freeze();
		$cache = $this->application(['grace' => 30, 'stale_on_error' => true])->make('cache');
		$cache->remember('key', 60, fn () => 'old');
		Clock::advance(61);
		self::assertSame('old', $cache->remember('key', 60, fn () => throw new NotFoundHttpException()));
		self::assertSame('old', $cache->remember('key', 60, fn () => self::fail('is held off')));
	}

	public function testPassesOnAPauseOfTheCallbacksOwn(): void
	{
		$calls = 0;
		try {
			Cache::remember('key', 60, function () use (&$calls): never {
				$calls++;
				throw new RebuildPausedException('of another cache');
			});
			self::fail('no exception');
		} catch (RebuildPausedException $pause) {
			self::assertSame(['of another cache', 1], [$pause->getMessage(), $calls]);
		}
	}

	public function testServesTheOldValueWithAGraceWhileAnotherRebuilds(): void
	{
		Clock::freeze();
		$cache = $this->application(['grace' => 30])->make('cache');
		$another = $this->application(['grace' => 30])->make('cache');
		$cache->remember('key', 60, fn () => 'old');
		Clock::advance(61);
		self::assertSame('new', $cache->remember('key', 60, function () use ($another) {
			self::assertSame('old', $another->remember('key', 60, fn () => self::fail('rebuilt twice')));
			return 'new';
		}));
		Clock::advance(91);
		self::assertNull($cache->get('key'), 'nothing is served after TTL and grace');
	}

	public function testIsFlexible(): void
	{
		Clock::freeze();
		$flexible = fn () => Cache::flexible('key', [60, 180], $this->compute(...));
		self::assertSame('computed 1', $flexible());
		Clock::advance(59);
		self::assertSame('computed 1', $flexible());
		Clock::advance(2);
		self::assertSame('computed 1', Cache::get('key'), 'get() finds it until the second number');
		self::assertSame('computed 2', $flexible(), 'on the command line, which has no time after the response, at once');
		Clock::advance(181);
		self::assertNull(Cache::get('key'));
		self::assertSame('computed 3', $flexible());
	}

	/** As Laravel has it, where only a Closure is called. */
	public function testTakesAPlainValueForAFlexibleOne(): void
	{
		self::assertSame('plain', Cache::flexible('key', [60, 120], 'plain'));
		self::assertSame('plain', Cache::get('key'));
		self::assertSame('time', Cache::memo()->flexible('name of a function', [60, 120], 'time'));
		self::assertSame(['a', 'b'], Cache::tags('tag')->flexible('key', [60, 120], ['a', 'b']));
	}

	public function testTakesForItsAnswerTheNullThatAnotherComputedMeanwhile(): void
	{
		$seen = run_workers(4, function (int $worker): array {
			$cache = $this->application(['wait' => 30])->make('cache');
			$computed = 0;
			$value = $cache->remember('key', 60, function () use (&$computed): mixed {
				$computed++;
				usleep(300_000);
				return null;
			});
			return [$value, $computed];
		});
		self::assertSame([null, null, null, null], array_column($seen, 0));
		self::assertContains(0, array_column($seen, 1), 'each has computed');
	}

	public function testServesTheOldFlexibleValueWhileAnotherRebuilds(): void
	{
		Clock::freeze();
		$another = $this->application()->make('cache');
		Cache::flexible('key', [60, 120], fn () => 'old');
		Clock::advance(61);
		Cache::flexible('key', [60, 120], function () use ($another) {
			self::assertSame('old', $another->flexible('key', [60, 120], fn () => self::fail('rebuilt twice')));
			return 'new';
		}, lock: ['seconds' => 5]);
		self::assertSame('new', Cache::get('key'));
	}

	/** As where Laravel's own refreshes after the response. */
	public function testAnswersTheOldFlexibleValueAndReportsWhatItsRefreshThrew(): void
	{
		$handler = $this->createMock(ExceptionHandler::class);
		$handler->expects(self::once())->method('report')->with(self::isInstanceOf(\DomainException::class));
		$this->app->instance(ExceptionHandler::class, $handler);
		Container::setInstance($this->app);
		Clock::freeze();
		$refresh = fn (string $whose): \Closure => fn () => throw new \DomainException("api down for the $whose");
		Cache::flexible('key', [60, 120], fn () => 'old');
		Clock::advance(61);
		self::assertSame('old', Cache::flexible('key', [60, 120], $refresh('first')));
		self::assertSame('old', Cache::flexible('key', [60, 120], fn () => self::fail('is held off')));
		Clock::advance(0.2);
		self::assertSame('new', Cache::flexible('key', [60, 120], fn () => 'new'));
		Clock::advance(121);
		$this->expectExceptionMessage('api down for the one without a value');
		Cache::flexible('key', [60, 120], $refresh('one without a value'));
	}

	public function testMemoAsksOnce(): void
	{
		self::assertInstanceOf(MemoizedRepository::class, Cache::memo());
		self::assertSame(Cache::memo(), Cache::memo('mcpatterns'));
		self::assertSame('computed 1', Cache::memo()->remember('key', 60, $this->compute(...)));
		Cache::put('key', 'changed behind it', 60);
		self::assertSame('computed 1', Cache::memo()->get('key'));
		self::assertSame('computed 1', Cache::memo()->remember('key', 60, $this->compute(...)));
		Cache::memo()->put('key', 'changed', 60);
		self::assertSame('changed', Cache::memo()->get('key'));
		self::assertSame('computed 2', Cache::memo()->flexible('flexible', [60, 120], $this->compute(...)));
		self::assertSame('computed 2', Cache::get('flexible'));
		$this->app->forgetScopedInstances();
		Cache::put('key', 'of the next request', 60);
		self::assertSame('of the next request', Cache::memo()->get('key'));
	}

	public function testMemoAsksOnceForATaggedValue(): void
	{
		if (!class_exists(\Illuminate\Cache\MemoizedTaggedCache::class)) {
			self::assertFalse(Cache::memo()->supportsTags());
			return;
		}
		$tagged = Cache::memo()->tags('news');
		self::assertSame('computed 1', $tagged->remember('key', 60, $this->compute(...)));
		self::assertSame('computed 1', Cache::tags('news')->get('key'));
		Cache::tags('news')->put('key', 'changed behind it', 60);
		self::assertSame(['computed 1', true], Cache::memo()->tags(['news'])->rememberWithWarmth('key', 60, $this->compute(...)));
		self::assertSame('computed 1', $tagged->get('key'));
		self::assertSame('computed 2', $tagged->flexible('flexible', [60, 120], $this->compute(...)));
		self::assertSame('computed 3', $tagged->rememberForever('for ever', $this->compute(...)));
		$tagged->flush();
		self::assertNull(Cache::tags('news')->get('key'));
		self::assertNull($tagged->get('key'));
	}

	public function testTellsWhetherAValueWasThere(): void
	{
		foreach ([Cache::store(), Cache::tags('tag'), Cache::memo()] as $number => $cache) {
			self::assertSame(['value', false], $cache->rememberWithWarmth("key $number", 60, fn () => 'value'));
			self::assertSame(['value', true], $cache->rememberWithWarmth("key $number", 60, fn () => self::fail('is there')));
		}
	}

	/** @return list<string> */
	private function events(callable $work): array
	{
		$events = [];
		Event::listen('Illuminate\Cache\Events\*', function (string $name, array $arguments) use (&$events): void {
			[$event] = $arguments;
			self::assertSame('mcpatterns', $event->storeName);
			$value = property_exists($event, 'value') ? " $event->value" : '';
			$seconds = property_exists($event, 'seconds') ? ' ' . ($event->seconds ?? 'for ever') : '';
			$events[] = class_basename($name) . ($event instanceof CacheEvent ? " $event->key" : '') . $value . $seconds;
		});
		try {
			$work();
		} finally {
			Event::forget('Illuminate\Cache\Events\*');
		}
		return $events;
	}

	public function testAFakedDispatcherGetsEventsWithoutListeners(): void
	{
		Event::fake();
		Cache::put('key', 'value', 60);
		Cache::remember('key', 60, fn () => self::fail('is there'));
		Event::assertDispatched(KeyWritten::class, 1);
		Event::assertDispatched(CacheHit::class, 1);
	}

	public function testFiresTheEventsOfLaravel(): void
	{
		$ask = fn () => Cache::remember('key', 60, fn () => 'value');
		self::assertSame(['RetrievingKey key', 'CacheMissed key', 'WritingKey key value 60', 'KeyWritten key value 60'], $this->events($ask));
		self::assertSame(['RetrievingKey key', 'CacheHit key value'], $this->events($ask));
		self::assertSame(['RetrievingKey key', 'CacheHit key value'], $this->events(fn () => Cache::get('key')));
		self::assertSame(['RetrievingKey key', 'CacheHit key value', 'ForgettingKey key', 'KeyForgotten key'], $this->events(fn () => Cache::pull('key')));
		self::assertSame(['RetrievingKey key', 'CacheMissed key'], $this->events(fn () => Cache::pull('key')));
		self::assertSame(['ForgettingKey key', 'KeyForgetFailed key'], $this->events(fn () => Cache::forget('key')));
		self::assertSame(['RetrievingKey key', 'CacheMissed key', 'WritingKey key value for ever', 'KeyWritten key value for ever'],
			$this->events(fn () => Cache::rememberForever('key', fn () => 'value')));
		self::assertSame(['CacheFlushing', 'CacheFlushed'], $this->events(fn () => Cache::clear()));
		$large = random_bytes(1_100_000);
		self::assertSame(['RetrievingKey key', 'CacheMissed key', "WritingKey key $large 60", "KeyWriteFailed key $large 60"],
			$this->events(fn () => Cache::remember('key', 60, fn () => $large)));
		self::assertSame([], $this->events(fn () => Cache::add('key', 'value', 60)));
	}

	public function testFiresNoEventsWhereTheStoreWantsNone(): void
	{
		$cache = $this->application(['events' => false])->make('cache')->store();
		self::assertInstanceOf(Repository::class, $cache);
		self::assertNull($cache->getEventDispatcher());
		self::assertSame('value', $cache->remember('key', 60, fn () => 'value'));
	}
}
