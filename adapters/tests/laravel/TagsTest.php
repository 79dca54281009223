<?php
/* Cache::tags(). */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\Events\{CacheHit, KeyWritten};
use Illuminate\Support\Facades\{Cache, Event};
use McPatterns\Clock;

final class TagsTest extends LaravelTestCase
{
	public function testFindsAValueByItsTagsAlone(): void
	{
		Cache::tags(['people', 'artists'])->put('John', 'a singer', 60);
		Cache::tags(['people', 'authors'])->put('John', 'a writer', 60);
		self::assertSame('a singer', Cache::tags(['people', 'artists'])->get('John'));
		self::assertSame('a writer', Cache::tags('people', 'authors')->get('John'));
		self::assertNull(Cache::get('John'));
		self::assertNull(Cache::tags('people')->get('John'));
		self::assertNull(Cache::tags(['people|artists'])->get('John'));
	}

	public function testFlushesWhatHasAnyOfTheTags(): void
	{
		Cache::put('key', 'without tags');
		Cache::tags(['people', 'artists'])->put('John', 1, 60);
		Cache::tags(['people', 'authors'])->put('Anne', 2, 60);
		Cache::tags('authors')->put('Paul', 3, 60);
		self::assertTrue(Cache::tags(['artists', 'unused'])->flush());
		self::assertNull(Cache::tags(['people', 'artists'])->get('John'));
		self::assertSame(2, Cache::tags(['people', 'authors'])->get('Anne'));
		self::assertTrue(Cache::tags('people')->flush());
		self::assertNull(Cache::tags(['people', 'authors'])->get('Anne'));
		self::assertSame(3, Cache::tags('authors')->get('Paul'));
		self::assertSame('without tags', Cache::get('key'));
		self::assertTrue(Cache::flush());
		self::assertNull(Cache::tags('authors')->get('Paul'));
	}

	public function testStoresAgainAfterAFlush(): void
	{
		$tags = Cache::tags(['news']);
		self::assertSame('first', $tags->remember('front', 60, fn () => 'first'));
		$tags->flush();
		self::assertSame('second', $tags->remember('front', 60, fn () => 'second'));
		self::assertSame('second', Cache::tags('news')->rememberForever('front', fn () => self::fail('computed again')));
	}

	public function testDoesNotStoreAsFreshWhatWasComputedBeforeAFlush(): void
	{
		$answer = Cache::tags('news')->remember('front', 60, function () {
			Cache::tags('news')->flush();
			return 'of before';
		});
		self::assertSame('of before', $answer);
		self::assertNull(Cache::tags('news')->get('front'));
	}

	public function testStoresAfterAFlushOfItsOwnAlsoWhatItHadLookedAt(): void
	{
		$flushes = ['all tags' => fn () => Cache::tags(['news', 'sport'])->flush(), 'one' => fn () => Cache::tags('sport')->flush(), 'the store' => fn () => Cache::flush()];
		foreach ($flushes as $what => $flush) {
			$tags = fn () => Cache::tags(['news', 'sport']);
			$tags()->put($what, 'old', 60);
			self::assertSame(['old', null], [$tags()->get($what), $tags()->get("added $what")]);
			self::assertTrue($flush());
			self::assertTrue($tags()->put($what, 'new', 60));
			self::assertSame('new', $tags()->get($what), $what);
			self::assertSame([true, false, 1], [$tags()->add("added $what", 1, 60), $tags()->add("added $what", 2, 60), $tags()->get("added $what")], $what);
			self::assertTrue($flush());
			self::assertNull($tags()->get($what), $what);
			self::assertTrue($tags()->put($what, 'newer', 60));
			self::assertSame('newer', $tags()->get($what), $what);
		}
	}

	public function testStoresAsOldWhatAnotherProcessFlushedAfterTheLook(): void
	{
		$tags = Cache::tags(['news', 'sport']);
		self::assertNull($tags->get('key'));
		self::assertSame([true], run_workers(1, fn () => $this->application()->make('cache')->tags('news')->flush()));
		self::assertTrue($tags->put('key', 'of before', 60));
		self::assertNull($tags->get('key'));
	}

	public function testDoesEverythingThatACacheDoes(): void
	{
		Clock::freeze();
		$tags = Cache::tags(['a', 'b']);
		self::assertTrue($tags->putMany(['one' => 1, 'two' => 2], 60));
		self::assertSame(['one' => 1, 'two' => 2, 'three' => 'default'], $tags->many(['one' => null, 'two' => null, 'three' => 'default']));
		self::assertSame(['two' => 2, 'one' => 1], $tags->many(['two', 'one']));
		self::assertSame([12 => null], $tags->many(['12']));
		self::assertSame(2, $tags->increment('one'));
		self::assertSame(1, $tags->decrement('one'));
		self::assertSame(1, $tags->increment('count'));
		self::assertTrue($tags->add('added', 1, 60));
		self::assertFalse($tags->add('added', 2, 60));
		self::assertSame(1, $tags->pull('added'));
		self::assertTrue($tags->forget('two'));
		self::assertFalse($tags->has('two'));
		self::assertTrue($tags->forever('two', 2));
		self::assertSame('old', $tags->flexible('flexible', [10, 20], fn () => 'old'));
		Clock::advance(11);
		self::assertSame('new', $tags->flexible('flexible', [10, 20], fn () => 'new'));
		Clock::advance(60);
		self::assertSame(['one' => null, 'two' => 2], $tags->many(['one', 'two']));
		self::assertTrue($tags->clear());
		self::assertNull($tags->get('two'));
	}

	public function testTellsListenersTheTags(): void
	{
		$told = [];
		Event::listen([KeyWritten::class, CacheHit::class], function (object $event) use (&$told): void {
			$told[] = [class_basename($event), $event->key, $event->tags, $event->storeName];
		});
		Cache::tags(['a', 'b'])->remember('key', 60, fn () => 1);
		Cache::tags(['a', 'b'])->remember('key', 60, fn () => 1);
		self::assertSame([['KeyWritten', 'key', ['a', 'b'], 'mcpatterns'], ['CacheHit', 'key', ['a', 'b'], 'mcpatterns']], $told);
	}

	public function testTakesLongTags(): void
	{
		$long = str_repeat('long', 100);
		Cache::tags(["{$long}1"])->put('key', 1, 60);
		Cache::tags(["{$long}2"])->put('key', 2, 60);
		self::assertTrue(Cache::tags(["{$long}1"])->flush());
		self::assertSame([null, 2], [Cache::tags(["{$long}1"])->get('key'), Cache::tags(["{$long}2"])->get('key')]);
	}

	public function testTakesNoTagsForAPlaceOfTheirOwn(): void
	{
		self::assertTrue(Cache::tags([])->put('key', 1, 60));
		self::assertSame([1, null], [Cache::tags([])->get('key'), Cache::get('key')]);
		self::assertTrue(Cache::tags([])->flush());
	}

	public function testRefusesMoreTagsThanAValueCanHave(): void
	{
		$this->expectException(\ValueError::class);
		Cache::tags(array_map(strval(...), range(1, 256)));
	}

	public function testSaysThatAServerCouldNotBeTold(): void
	{
		$cache = $this->application(['servers' => 'unix:///there/is/none', 'log' => false])->make('cache');
		self::assertFalse($cache->tags('news')->flush());
	}
}
