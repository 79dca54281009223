<?php
/* What exporters of OpenTelemetry's SDK are given of single calls, with ext-opentelemetry and without. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\OpenTelemetry;

use McPatterns\Adapters\OpenTelemetry\{ObservedCache, Spans};
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Cache, Counter, Entry, Lock, Pool, RateLimiter, ServerException, Status};
use OpenTelemetry\API\Trace\{SpanKind, StatusCode};
use OpenTelemetry\Context\Context;
use OpenTelemetry\SDK\Metrics\Data\{Histogram, HistogramDataPoint};
use OpenTelemetry\SDK\Metrics\{MeterProvider, MeterProviderInterface};
use OpenTelemetry\SDK\Metrics\MetricExporter\InMemoryExporter as MetricExporter;
use OpenTelemetry\SDK\Metrics\MetricReader\ExportingReader;
use OpenTelemetry\SDK\Trace\SpanExporter\InMemoryExporter;
use OpenTelemetry\SDK\Trace\SpanProcessor\SimpleSpanProcessor;
use OpenTelemetry\SDK\Trace\{EventInterface, SpanDataInterface, TracerProvider};
use RuntimeException;

require_once __DIR__ . '/../support/application.php';

final class SpansTest extends MemcachedTestCase
{
	private InMemoryExporter $spans;
	private MetricExporter $metrics;
	private MeterProviderInterface $meterProvider;
	private TracerProvider $tracerProvider;

	protected function setUp(): void
	{
		parent::setUp();
		$this->spans = new InMemoryExporter();
		$this->metrics = new MetricExporter();
		$this->tracerProvider = new TracerProvider(new SimpleSpanProcessor($this->spans));
		$this->meterProvider = MeterProvider::builder()->addReader(new ExportingReader($this->metrics))->build();
		Spans::start($this->tracerProvider, $this->meterProvider);
	}

	protected function tearDown(): void
	{
		Spans::stop();
		$this->tracerProvider->shutdown();
		$this->meterProvider->shutdown();
		parent::tearDown();
	}

	/** @return list<SpanDataInterface> those that ended since the last call, in the order of their ends */
	private function spans(): array
	{
		$spans = array_values($this->spans->getSpans());
		$this->spans->getStorage()->exchangeArray([]);
		return $spans;
	}

	private function span(): SpanDataInterface
	{
		$spans = $this->spans();
		self::assertCount(1, $spans, implode(', ', array_map(fn (SpanDataInterface $span) => $span->getName(), $spans)));
		return $spans[0];
	}

	/** @return list<string> */
	private static function events(SpanDataInterface $span): array
	{
		return array_map(fn (EventInterface $event) => $event->getName(), $span->getEvents());
	}

	/** @return array<string, HistogramDataPoint> by operation */
	private function durations(): array
	{
		$this->meterProvider->forceFlush();
		$points = [];
		foreach ($this->metrics->collect(reset: true) as $metric) {
			self::assertSame(['db.client.operation.duration', 's'], [$metric->name, $metric->unit]);
			self::assertInstanceOf(Histogram::class, $metric->data);
			foreach ($metric->data->dataPoints as $point) {
				$points[$point->attributes->get('db.operation.name')] = $point;
			}
		}
		return $points;
	}

	/** @return array{'server.address': string} */
	private static function server(): array
	{
		return ['server.address' => substr(self::$memcached->address, strlen('unix://'))];
	}

	private function cache(mixed ...$options): ObservedCache
	{
		return Spans::cache($this->pool, 'page:', ...$options + ['ttl' => 60, 'grace' => 60]);
	}

	public function testThePagesExampleRuns(): void
	{
		[$start] = blocks_of('frameworks/opentelemetry', 'php spans');
		[$tracerProvider, $meterProvider, $pool] = [$this->tracerProvider, $this->meterProvider, $this->pool];
		eval("$start return null;");
		self::assertSame(['remember page:'], array_map(fn (SpanDataInterface $span) => $span->getName(), $this->spans()));
	}

	public function testNothingIsToldBeforeStartAndAfterStop(): void
	{
		$cache = $this->cache();
		Spans::stop();
		self::assertTrue($cache->set('key', 1));
		self::assertSame(1, $cache->remember('key', 60, fn () => 2));
		self::assertSame([[], []], [$this->spans(), $this->durations()]);
	}

	public function testAStoredValueIsAClientSpanByTheConventions(): void
	{
		self::assertTrue($this->cache()->set('key', 'value'));
		$span = $this->span();
		self::assertSame('set ' . self::server()['server.address'], $span->getName());
		self::assertSame(SpanKind::KIND_CLIENT, $span->getKind());
		self::assertEquals(['db.system.name' => 'memcached', 'db.operation.name' => 'set', 'mcpatterns.cache.group' => 'page:'] + self::server(), $span->getAttributes()->toArray());
		self::assertSame(StatusCode::STATUS_UNSET, $span->getStatus()->getCode());
		self::assertGreaterThan(0, $span->getEndEpochNanos() - $span->getStartEpochNanos());
		self::assertLessThan(5e9, $span->getEndEpochNanos() - $span->getStartEpochNanos());
	}

	public function testAPortIsAnAttributeOfItsOwn(): void
	{
		$cache = Spans::cache(new Pool(['127.0.0.1:1', '[::1]:2'], retryAfter: 60));
		$cache->get('key');
		$attributes = $this->span()->getAttributes()->toArray();
		self::assertContains([$attributes['server.address'], $attributes['server.port']], [['127.0.0.1', 1], ['::1', 2]]);
		$cache->getMultiple(['a', 'b', 'c']);
		self::assertArrayNotHasKey('server.address', $this->span()->getAttributes()->toArray(), 'several servers can have the keys');
	}

	public function testManyKeysAreABatchAndOneIsNone(): void
	{
		$cache = $this->cache();
		$cache->setMultiple(['a' => 1, 'b' => 2]);
		$cache->getMultiple(['a', 'b', 'c']);
		$cache->deleteMultiple((fn () => yield from ['a', 'b'])());
		$cache->getMultiple(['a']);
		$cache->getMultiple(keys: (fn () => yield from ['a', 'b'])());
		$batches = array_map(fn (SpanDataInterface $span) => [$span->getAttributes()->get('db.operation.name'), $span->getAttributes()->get('db.operation.batch.size')], $this->spans());
		self::assertSame([['BATCH set', 2], ['BATCH get', 3], ['BATCH delete', null], ['get', null], ['BATCH get', 2]], $batches);
		$point = $this->durations()['BATCH set'];
		self::assertNull($point->attributes->get('db.operation.batch.size'));
	}

	public function testDurationsAreAHistogramInSecondsWithTheConventionsBuckets(): void
	{
		$cache = $this->cache();
		$cache->get('none');
		$cache->get('none');
		$point = $this->durations()['get'];
		self::assertSame([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10], $point->explicitBounds);
		self::assertSame(2, $point->count);
		self::assertGreaterThan(0, $point->sum);
		self::assertLessThan(5, $point->sum);
		self::assertEquals(['db.system.name' => 'memcached', 'db.operation.name' => 'get'] + self::server(), $point->attributes->toArray());
	}

	public function testAComputationIsAnEventAndTheParentOfWhatItCalls(): void
	{
		$cache = $this->cache();
		self::assertSame('part', $cache->remember('key', 60, function () use ($cache): string {
			usleep(5000);
			$cache->get('another key');
			return $cache->remember('part', 60, fn () => 'part');
		}));
		[$get, $part, $whole] = $this->spans();
		self::assertSame(['remember page:', SpanKind::KIND_INTERNAL], [$whole->getName(), $whole->getKind()]);
		self::assertSame('page:', $whole->getAttributes()->get('mcpatterns.cache.group'));
		self::assertSame(['mcpatterns.computed'], self::events($whole));
		self::assertGreaterThanOrEqual(0.005, $whole->getEvents()[0]->getAttributes()->get('mcpatterns.compute.time'));
		self::assertSame($whole->getSpanId(), $get->getParentSpanId());
		self::assertSame($whole->getSpanId(), $part->getParentSpanId());
		self::assertSame(['mcpatterns.computed'], self::events($part));
		self::assertSame(['get'], array_keys($this->durations()), 'a computation is no operation of a server');
	}

	public function testAHitHasNoEventAndIsOneOperation(): void
	{
		$cache = $this->cache();
		$cache->remember('key', 60, fn () => 1);
		$this->spans();
		self::assertSame(1, $cache->remember('key', 60, fn () => 2, entry: $entry));
		self::assertInstanceOf(Entry::class, $entry);
		self::assertSame(Status::Fresh, $entry->status);
		self::assertSame([], self::events($this->span()));
		self::assertSame(1, $this->durations()['remember']->count);
	}

	public function testAHitInsideAComputationIsNotTheOuterCalls(): void
	{
		$cache = $this->cache();
		$cache->set('old', 1);
		$cache->expire('old');
		(new Cache($this->pool, 'page:'))->lookup('old');
		$this->spans();
		$cache->remember('key', 60, fn () => $cache->remember('old', 60, fn () => 2));
		[$inner, $outer] = $this->spans();
		self::assertSame([['mcpatterns.stale'], ['mcpatterns.computed']], [self::events($inner), self::events($outer)]);
	}

	public function testAStaleValueServedIsAnEvent(): void
	{
		$cache = $this->cache();
		$cache->set('key', 'old');
		$cache->expire('key');
		(new Cache($this->pool, 'page:'))->lookup('key');
		$this->spans();
		self::assertSame('old', $cache->remember('key', 60, fn () => 'new'));
		self::assertSame(['mcpatterns.stale'], self::events($this->span()));
	}

	public function testAWaitForAnotherCallerIsAnEvent(): void
	{
		$child = pcntl_fork();
		if ($child === 0) {
			Spans::stop();
			(new Cache($this->pool, 'page:', ttl: 60))->remember('key', 60, function (): string {
				(new Cache($this->pool))->set('begun', 1);
				usleep(200_000);
				return 'of the other';
			});
			posix_kill(posix_getpid(), SIGKILL);
		}
		$plain = new Cache($this->pool);
		while (!$plain->has('begun')) {
			usleep(1000);
		}
		$this->spans();
		self::assertSame('of the other', $this->cache()->remember('key', 60, fn () => 'own', wait: 5));
		pcntl_waitpid($child, $status);
		self::assertSame(['mcpatterns.waited'], self::events($this->span()));
		self::assertArrayNotHasKey('remember', $this->durations());
	}

	public function testAnExceptionOfAComputationIsRecorded(): void
	{
		try {
			$this->cache()->remember('key', 60, fn () => throw new RuntimeException('no database'));
			self::fail('nothing was thrown');
		} catch (RuntimeException $thrown) {
			self::assertSame('no database', $thrown->getMessage());
		}
		$span = $this->span();
		self::assertSame([StatusCode::STATUS_ERROR, 'no database'], [$span->getStatus()->getCode(), $span->getStatus()->getDescription()]);
		self::assertContains('exception', self::events($span));
	}

	public function testAServerThatIsDownIsAnError(): void
	{
		$cache = Spans::cache(new Pool('127.0.0.1:1'), 'page:');
		self::assertFalse($cache->set('key', 1));
		$span = $this->span();
		self::assertSame('_OTHER', $span->getAttributes()->get('error.type'));
		self::assertSame(StatusCode::STATUS_ERROR, $span->getStatus()->getCode());
		self::assertStringContainsString('connection refused', $span->getStatus()->getDescription());
		self::assertSame('_OTHER', $this->durations()['set']->attributes->get('error.type'));
		self::assertSame('computed', $cache->remember('key', 60, fn () => 'computed'));
		self::assertSame(['mcpatterns.computed', 'mcpatterns.server_failed'], self::events($this->span()));
		try {
			$cache->update('key', fn () => 1);
			self::fail('nothing was thrown');
		} catch (ServerException) {
			self::assertSame(ServerException::class, $this->span()->getAttributes()->get('error.type'));
		}
	}

	public function testAnswersOfTheNearCacheAreNoOperations(): void
	{
		$cache = $this->cache(near: 5);
		$cache->set('key', 1);
		$cache->get('key');
		$this->spans();
		$this->durations();
		self::assertSame(1, $cache->get('key'));
		self::assertSame(['key' => 1], $cache->getMultiple(['key']));
		self::assertSame([], $this->spans());
		self::assertSame(1, $cache->remember('key', 60, fn () => 2));
		self::assertSame('remember page:', $this->span()->getName());
		self::assertSame([], $this->durations());
	}

	public function testAViewIsObservedToo(): void
	{
		$cache = $this->cache();
		$view = $cache->tagged('news');
		self::assertSame(1, $view->remember('key', 60, fn () => 1));
		self::assertSame('page:', $this->span()->getAttributes()->get('mcpatterns.cache.group'));
		self::assertTrue($cache->invalidateTags('news'));
		self::assertSame('invalidateTags ' . self::server()['server.address'], $this->span()->getName());
		self::assertSame(1, $view->stats()['stored']);
		self::assertSame([], $this->spans());
	}

	public function testManyValuesAreRememberedInOneSpan(): void
	{
		self::assertSame(['a' => 1, 'b' => 1], $this->cache()->rememberMany(['a', 'b'], 60, fn (array $keys) => array_fill_keys($keys, 1)));
		$span = $this->span();
		self::assertSame('rememberMany page:', $span->getName());
		self::assertSame(['mcpatterns.computed'], self::events($span));
	}

	public function testTheExtensionsHooksObserveAllObjects(): void
	{
		if (!extension_loaded('opentelemetry')) {
			self::markTestSkipped('ext-opentelemetry is not loaded');
		}
		$cache = new Cache($this->pool, prefix: 'page:');
		$view = $cache->tagged('news');
		$view->remember(compute: fn () => (new Counter($this->pool, 'n'))->increment(), key: 'key', ttl: 60);
		$lock = new Lock($this->pool, 'lock');
		self::assertTrue($lock->acquire());
		self::assertTrue((new RateLimiter($this->pool, 'limit', 1, 60))->attempt('me'));
		$names = array_map(fn (SpanDataInterface $span) => $span->getAttributes()->get('db.operation.name') ?? $span->getName(), $this->spans());
		self::assertSame(['counter.increment', 'remember page:', 'lock.acquire', 'rateLimiter.attempt'], $names);
		Spans::stop();
		$lock->release();
		self::assertSame([], $this->spans());
	}

	public function testACallOfASuspendedFiberIsNoParent(): void
	{
		$cache = $this->cache();
		$context = Context::getCurrent();
		$fiber = new \Fiber(function () use ($cache, $context): void {
			$scope = $context->activate();
			$cache->remember('key', 60, function (): int {
				\Fiber::suspend();
				return 1;
			});
			$scope->detach();
		});
		$fiber->start();
		$cache->get('another key');
		$fiber->resume();
		[$get, $remember] = $this->spans();
		self::assertNotSame($remember->getSpanId(), $get->getParentSpanId());
		self::assertSame(['mcpatterns.computed'], self::events($remember));
	}
}
