<?php
/* What an exporter of OpenTelemetry's SDK is given. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\OpenTelemetry;

use McPatterns\Adapters\OpenTelemetry\Meter;
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Cache, Lock, Metrics, Pool};
use OpenTelemetry\API\Metrics\ObservableCallbackInterface;
use OpenTelemetry\SDK\Metrics\Data\{Gauge, Metric, NumberDataPoint, Sum, Temporality};
use OpenTelemetry\SDK\Metrics\{MeterProvider, MeterProviderInterface};
use OpenTelemetry\SDK\Metrics\MetricExporter\InMemoryExporter;
use OpenTelemetry\SDK\Metrics\MetricReader\ExportingReader;

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
			$grows = !in_array($name, ['mcpatterns.server.breaker.open', 'mcpatterns.processes'], true);
			self::assertSame($grows, $metric->data instanceof Sum && $metric->data->monotonic, $name);
		}
	}
}
