<?php
/* A process that serves many requests inherits nothing that one of them has read or holds. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Contracts\Queue\Job;
use Illuminate\Queue\Events\{JobExceptionOccurred, JobFailed, JobProcessed};
use Illuminate\Queue\Jobs\SyncJob;
use Illuminate\Support\Facades\Cache;
use PHPUnit\Framework\Attributes\DataProvider;

final class RequestEndTest extends LaravelTestCase
{
	/** Whether what is put after another process's flush of its tag counts as computed before it, as within the one request that has looked. */
	private function isInherited(callable $end): bool
	{
		$cache = Cache::tags('tag');
		self::assertNull($cache->get('key'));
		$end();
		(new \Fiber(fn () => $cache->flush()))->start(); // another Fiber's is as another process's
		$cache->put('key', 'value', 60);
		return $cache->get('key') !== 'value' || $cache->many(['key']) !== ['key' => 'value'];
	}

	/** @return iterable<string, array{\Closure(self): mixed}> */
	public static function ends(): iterable
	{
		foreach (['RequestTerminated', 'TaskTerminated', 'TickTerminated'] as $name) {
			yield $name => [fn (self $test) => $test->app->make('events')->dispatch("Laravel\\Octane\\Events\\$name")];
		}
		yield 'a job' => [fn (self $test) => $test->app->make('events')->dispatch(new JobProcessed('redis', $test->createStub(Job::class)))];
		yield 'a failed job' => [fn (self $test) => $test->app->make('events')->dispatch(new JobFailed('redis', $test->createStub(Job::class), new \DomainException()))];
		yield 'a job that threw' => [fn (self $test) => $test->app->make('events')->dispatch(new JobExceptionOccurred('redis', $test->createStub(Job::class), new \DomainException()))];
		yield 'another application' => [fn (self $test) => $test->application()];
	}

	/** @param \Closure(self): mixed $end */
	#[DataProvider('ends')]
	public function testEndsWithTheRequestOfAWorker(\Closure $end): void
	{
		self::assertFalse($this->isInherited(fn () => $end($this)));
	}

	public function testDoesNotEndWithAJobThatARequestRunsItself(): void
	{
		$job = $this->createStub(SyncJob::class);
		self::assertTrue($this->isInherited(fn () => $this->app->make('events')->dispatch(new JobProcessed('sync', $job))));
	}
}
