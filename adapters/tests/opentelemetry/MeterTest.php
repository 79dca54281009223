<?php
/* What an exporter of OpenTelemetry's SDK is given. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\OpenTelemetry;

use McPatterns\Adapters\OpenTelemetry\Meter;
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Cache, Lock, Locking, Metrics, Pool, SessionHandler};
use OpenTelemetry\API\Metrics\ObservableCallbackInterface;
use OpenTelemetry\SDK\Metrics\Data\{Gauge, Metric, NumberDataPoint, Sum, Temporality};
use OpenTelemetry\SDK\Metrics\{MeterProvider, MeterProviderInterface};
use OpenTelemetry\SDK\Metrics\MetricExporter\InMemoryExporter;
use OpenTelemetry\SDK\Metrics\MetricReader\ExportingReader;

require_once __DIR__ . '/../support/application.php';

final class MeterTest extends MemcachedTestCase
{
	private InMemoryExporter $exporter;
	private MeterProviderInterface $provider;
	private ObservableCallbackInterface $callback;

	protected function setUp(): void
	{
		parent::setUp();
		Metrics::reset();
		$this->exporter = new InMemoryExporter(temporality: Temporality::CUMULATIVE);
		$this->provider = MeterProvider::builder()->addReader(new ExportingReader($this->exporter))->build();
		$this->callback = Meter::observe($this->provider->getMeter('mcpatterns'));
	}

	protected function tearDown(): void
	{
		$this->provider->shutdown();
		parent::tearDown();
	}

	public function testThePagesExampleRuns(): void
	{
		$blocks = blocks_of('frameworks/opentelemetry', 'php otel');
		self::assertCount(1, $blocks);
		$this->callback->detach();
		$meterProvider = $this->provider;
		$this->callback = eval("$blocks[0] return \$callback;");
		(new Cache($this->pool))->get('key');
		self::assertArrayHasKey('mcpatterns.cache.reads', $this->collect());
	}

	/** @return array<string, Metric> by name */
	private function collect(): array
	{
		self::assertTrue($this->provider->forceFlush());
		$metrics = $this->exporter->collect(reset: true);
		return array_combine(array_map(fn (Metric $metric) => $metric->name, $metrics), $metrics);
	}

	/**
	 * @param array<string, Metric> $metrics
	 * @param array<string, string|int> $attributes
	 */
	private static function value(array $metrics, string $name, array $attributes): int|float|null
	{
		ksort($attributes);
		$data = $metrics[$name]->data;
		self::assertTrue($data instanceof Sum || $data instanceof Gauge);
		foreach ($data->dataPoints as $point) {
			self::assertInstanceOf(NumberDataPoint::class, $point);
			$has = $point->attributes->toArray();
			ksort($has);
			if ($has === $attributes) {
				return $point->value;
			}
		}
		return null;
	}

	private function use(): Cache
	{
		$cache = new Cache($this->pool, 'page:', ttl: 60);
		$cache->remember('front', 60, function () {
			usleep(2000);
			return 'computed';
		});
		$cache->get('front');
		$cache->get('front');
		$cache->get('none');
		return $cache;
	}

	public function testTellsOfEachGroupWhatMetricsReads(): void
	{
		$this->use();
		$metrics = $this->collect();
		[$group] = array_values(array_filter(Metrics::read()['groups'], fn (array $group) => $group['group'] === 'page:'));
		$of = ['mcpatterns.cache.group' => 'page:'];
		foreach (['hit' => 'hits', 'near_hit' => 'near_hits', 'stale' => 'stale', 'miss' => 'misses', 'election' => 'elections'] as $result => $what) {
			self::assertSame($group[$what], self::value($metrics, 'mcpatterns.cache.reads', $of + ['mcpatterns.cache.result' => $result]), $result);
		}
		self::assertSame(2, $group['hits']);
		self::assertSame(1, self::value($metrics, 'mcpatterns.cache.stored', $of));
		self::assertSame(1, self::value($metrics, 'mcpatterns.cache.computations', $of));
		self::assertSame(0, self::value($metrics, 'mcpatterns.cache.errors', $of));
		self::assertSame($group['compute_seconds'], self::value($metrics, 'mcpatterns.cache.compute.time', $of));
		self::assertGreaterThan(0.002, self::value($metrics, 'mcpatterns.cache.saved.time', $of));
		self::assertSame(0, self::value($metrics, 'mcpatterns.cache.discarded', $of + ['mcpatterns.cache.reason' => 'forged']));
	}

	public function testTellsOfEachServerByTheConventionsForAddresses(): void
	{
		$this->use();
		(new Cache(new Pool('127.0.0.1:1', connectTimeout: 0.1)))->get('key');
		$metrics = $this->collect();
		$of = ['server.address' => substr(self::$memcached->address, strlen('unix://'))];
		[$server] = array_values(array_filter(Metrics::read()['servers'], fn (array $server) => $server['server'] === self::$memcached->address));
		self::assertGreaterThan(3, $server['calls']);
		self::assertSame($server['calls'], self::value($metrics, 'mcpatterns.server.calls', $of));
		self::assertSame(0, self::value($metrics, 'mcpatterns.server.breaker.open', $of));
		$none = ['server.address' => '127.0.0.1', 'server.port' => 1];
		self::assertGreaterThanOrEqual(1, self::value($metrics, 'mcpatterns.server.failures', $none));
		self::assertSame(1, self::value($metrics, 'mcpatterns.server.breaker.openings', $none));
		self::assertSame(1, self::value($metrics, 'mcpatterns.server.breaker.open', $none));
	}

	/**
	 * Le => how many, in the order of the bounds.
	 *
	 * @param array<string, Metric> $metrics
	 * @return array<string, int|float>
	 */
	private static function buckets(array $metrics, string $name, string $attribute, string $value): array
	{
		$data = $metrics[$name]->data;
		self::assertInstanceOf(Sum::class, $data);
		$counts = [];
		foreach ($data->dataPoints as $point) {
			self::assertInstanceOf(NumberDataPoint::class, $point);
			if ($point->attributes->get($attribute) === $value) {
				$counts[(string) $point->attributes->get('le')] = $point->value;
			}
		}
		uksort($counts, fn (int|string $a, int|string $b) => ($a === '+Inf') <=> ($b === '+Inf') ?: (float) $a <=> (float) $b);
		return $counts;
	}

	public function testTimesAreDistributedAsPrometheusWouldHaveThem(): void
	{
		$cache = $this->use();
		for ($i = 0; $i < 300; $i++) {
			$cache->get('front');
		}
		$metrics = $this->collect();
		$read = Metrics::read();
		[$group] = array_values(array_filter($read['groups'], fn (array $group) => $group['group'] === 'page:'));
		[$server] = array_values(array_filter($read['servers'], fn (array $server) => $server['server'] === self::$memcached->address));
		$address = substr(self::$memcached->address, strlen('unix://'));
		foreach ([
			[self::buckets($metrics, 'mcpatterns.cache.compute.time.bucket', 'mcpatterns.cache.group', 'page:'), $group['compute_times'], $read['bounds']['compute_times'], 1],
			[self::buckets($metrics, 'mcpatterns.server.call.time.bucket', 'server.address', $address), $server['round_trips'], $read['bounds']['round_trips'], 4],
		] as [$told, $times, $bounds, $least]) {
			$expected = [];
			$sum = 0;
			foreach ($times as $place => $count) {
				$sum += $count;
				$expected[] = $sum;
			}
			self::assertSame($expected, array_values($told));
			self::assertGreaterThanOrEqual($least, end($told));
			self::assertSame('+Inf', array_key_last($told));
			self::assertEqualsWithDelta($bounds, array_map(floatval(...), array_slice(array_keys($told), 0, -1)), 1e-9);
		}
		self::assertSame(0, self::buckets($metrics, 'mcpatterns.cache.compute.time.bucket', 'mcpatterns.cache.group', 'page:')['0.001']);
	}

	public function testTellsOfLocksAndProcesses(): void
	{
		$lock = new Lock($this->pool, 'report');
		self::assertTrue($lock->acquire());
		self::assertFalse((new Lock($this->pool, 'report'))->acquire());
		$metrics = $this->collect();
		$of = ['mcpatterns.lock.name' => 'report'];
		self::assertSame([1, 1, 0], array_map(fn (string $what) => self::value($metrics, "mcpatterns.lock.$what", $of), ['acquisitions', 'contention', 'losses']));
		self::assertGreaterThanOrEqual(1, self::value($metrics, 'mcpatterns.processes', []));
	}

	public function testTellsOfSessionsByTheirPrefix(): void
	{
		$handler = new SessionHandler(new Pool(self::$memcached->address, prefix: 'shop.'), Locking::Merge, ttl: 1440, format: 'php');
		$other = new SessionHandler(new Pool(self::$memcached->address, prefix: 'shop.'), Locking::Merge, ttl: 1440, format: 'php');
		self::assertSame('', $handler->read('one'));
		self::assertSame('', $other->read('one'));
		self::assertTrue($handler->write('one', 'refused|i:1;'));
		self::assertTrue($other->write('one', 'refused|i:2;'));
		$metrics = $this->collect();
		$of = ['mcpatterns.session.prefix' => 'shop.'];
		$told = array_map(fn (string $what) => self::value($metrics, "mcpatterns.session.$what", $of), ['starts', 'merges', 'conflicts', 'refused', 'failures']);
		self::assertSame([2, 1, 1, 0, 0], $told);
		self::assertSame(0.0, self::value($metrics, 'mcpatterns.session.wait.time', $of));
	}

	/** All that is read is told, each number by one instrument or attribute. */
	public function testTellsEachCountThatThereIs(): void
	{
		$this->use();
		self::assertTrue((new Lock($this->pool, 'report'))->acquire());
		self::assertSame('', (new SessionHandler($this->pool, ttl: 1440))->read('one'));
		$told = [];
		foreach ($this->collect() as $name => $metric) {
			self::assertTrue($metric->data instanceof Sum || $metric->data instanceof Gauge);
			foreach ($metric->data->dataPoints as $point) {
				$attributes = $point->attributes->toArray();
				$told[] = $name . ($attributes['mcpatterns.cache.result'] ?? $attributes['mcpatterns.cache.reason'] ?? '');
			}
		}
		$counts = Metrics::legend()['counts'];
		self::assertGreaterThan(25, count($counts));
		$others = ['mcpatterns.server.call.time', 'mcpatterns.server.call.time.bucket', 'mcpatterns.cache.compute.time.bucket', 'mcpatterns.server.breaker.open', 'mcpatterns.processes'];
		self::assertCount(count($counts), array_diff(array_unique($told), $others));
	}

	public function testReadsAnewAtEachCollection(): void
	{
		$cache = $this->use();
		$hits = ['mcpatterns.cache.group' => 'page:', 'mcpatterns.cache.result' => 'hit'];
		self::assertSame(2, self::value($this->collect(), 'mcpatterns.cache.reads', $hits));
		$cache->get('front');
		self::assertSame(3, self::value($this->collect(), 'mcpatterns.cache.reads', $hits));
		$this->callback->detach();
		foreach ($this->collect() as $name => $metric) {
			self::assertSame([], $metric->data->dataPoints, $name);
		}
	}

	public function testAttributesAreUtf8WhateverAPrefixIs(): void
	{
		(new Cache($this->pool, "\xff<\""))->get('key');
		$metrics = $this->collect();
		self::assertSame(1, self::value($metrics, 'mcpatterns.cache.reads', ['mcpatterns.cache.group' => "\u{fffd}<\"", 'mcpatterns.cache.result' => 'miss']));
	}

	public function testNamesAndUnitsFollowTheConventions(): void
	{
		$this->use();
		foreach ($this->collect() as $name => $metric) {
			self::assertMatchesRegularExpression('/^mcpatterns(\.[a-z]+(_[a-z]+)*)+$/', $name);
			self::assertMatchesRegularExpression('/^(s|1|\{[a-z]+\})$/', (string) $metric->unit, $name);
			self::assertNotSame('', (string) $metric->description);
			$grows = !in_array($name, ['mcpatterns.server.breaker.open', 'mcpatterns.processes', 'mcpatterns.cache.audit.oldest.time'], true);
			self::assertSame($grows, $metric->data instanceof Sum && $metric->data->monotonic, $name);
		}
	}
}
