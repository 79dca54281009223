<?php
/* What a route's requests ask for is read before the next one asks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\LearnedKeys;
use McPatterns\Adapters\Symfony\{CacheAdapter, PrefetchesRoutes};
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Cache, Metrics, Pool};
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\HttpFoundation\{Request, Response};
use Symfony\Component\HttpKernel\Event\{RequestEvent, TerminateEvent};
use Symfony\Component\HttpKernel\{HttpKernelInterface, KernelEvents};

final class PrefetchesRoutesTest extends MemcachedTestCase
{
	private Cache $lists;

	protected function setUp(): void
	{
		parent::setUp();
		$this->lists = new Cache($this->pool, bin2hex(random_bytes(6)), near: LearnedKeys::NEAR);
	}

	/** @return list<string> what was on the list before */
	private function request(string ...$keys): array
	{
		$learned = new LearnedKeys($this->lists, 'shop', '/^rights/');
		array_map($learned->note(...), $keys);
		$learned->close();
		return $learned->keys() === (new LearnedKeys($this->lists, 'shop'))->keys() ? $learned->keys() : ['not kept'];
	}

	public function testKeepsWhatTwoOfTheLastFourRequestsAskedFor(): void
	{
		self::assertSame([], $this->request('a', 'b', 'rights of 17'));
		self::assertSame(['a'], $this->request('a', 'rights of 17'));
		self::assertSame(['a', 'b'], $this->request('a', 'b'));
		self::assertSame(['a', 'b'], $this->request('a'));
		self::assertSame(['a'], $this->request('a'));
		self::assertSame(['a', '7'], [...$this->request('a', '7'), ...array_diff($this->request('a', '7'), ['a'])]);
	}

	public function testWritesNothingWhereEveryRequestAsksForTheSame(): void
	{
		for ($request = 0; $request < 50; $request++) {
			$this->request('a', 'b');
		}
		self::assertSame(2, $this->lists->stats()['stored']);
	}

	/** Each visitor has keys of its own, as of a session. */
	public function testWritesSeldomWhereEachRequestAsksForAnotherKey(): void
	{
		for ($request = 0; $request < 100; $request++) {
			$on = $this->request('shared', "of visitor $request");
		}
		self::assertSame(['shared'], $on);
		self::assertSame(6, $this->lists->stats()['stored']);
	}

	public function testKeepsABoundedList(): void
	{
		$keys = array_map(fn (int $number): string => "key $number", range(1, 1000));
		$this->request(...$keys);
		self::assertCount(LearnedKeys::MOST, $this->request(...$keys));
	}

	public function testReadsInOneGoWhatTheRoutesRequestsAskedFor(): void
	{
		$pool = self::pool(bin2hex(random_bytes(6)));
		$trips = [];
		for ($request = 0; $request < 4; $request++) {
			Pool::endRequest();
			$cache = new CacheAdapter($pool, 'app', 600);
			$dispatcher = new EventDispatcher();
			$dispatcher->addSubscriber(new PrefetchesRoutes($cache, '/^rights/'));
			$kernel = self::createStub(HttpKernelInterface::class);
			$of = new Request(attributes: ['_route' => 'shop']);
			$before = self::calls();
			$dispatcher->dispatch(new RequestEvent($kernel, $of, HttpKernelInterface::MAIN_REQUEST), KernelEvents::REQUEST);
			foreach (['a', 'b', 'c', 'rights'] as $key) {
				self::assertSame($key, $cache->get($key, fn (): string => $key));
				self::assertSame($key, $cache->withSubNamespace('sub')->get($key, fn (): string => $key));
			}
			$trips[] = self::calls() - $before;
			$dispatcher->dispatch(new TerminateEvent($kernel, $of, new Response()), KernelEvents::TERMINATE);
		}
		self::assertGreaterThanOrEqual(8, $trips[0]);
		self::assertLessThanOrEqual(7, $trips[2], 'the list, then a, b and c, what is not on it, and what the sub-namespace asks for');
		self::assertLessThanOrEqual(7, $trips[3]);
	}

	private static function calls(): int
	{
		return (int) array_sum(array_column(Metrics::read()['servers'], 'calls'));
	}
}
