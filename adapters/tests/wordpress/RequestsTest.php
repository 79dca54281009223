<?php
/* Two requests of one site at a time: what each has read before the other changed it, lists of options that both write, and what a
 * request leaves for the next one of its address. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\{Metrics, Pool};
use PHPUnit\Framework\Attributes\DataProvider;

final class RequestsTest extends WordPressTestCase
{
	private string $prefix = '';

	protected function setUp(): void
	{
		parent::setUp();
		$this->prefix = bin2hex(random_bytes(6)) . '.';
		$this->pool = self::pool($this->prefix);
		$this->nextRequest();
	}

	protected function tearDown(): void
	{
		unset($_SERVER['REQUEST_URI'], $_SERVER['REQUEST_METHOD']);
		parent::tearDown();
	}

	/** Begins without what requests before have looked at. */
	private function request(): \WP_Object_Cache
	{
		Pool::endRequest();
		$this->nextRequest();
		return $GLOBALS['wp_object_cache'];
	}

	/** Meanwhile: what this process has looked at it goes on knowing. */
	private function inAnotherProcess(\Closure $do): void
	{
		$pid = pcntl_fork();
		if ($pid === 0) {
			$this->nextRequest(self::pool($this->prefix));
			$do($GLOBALS['wp_object_cache']);
			leave_without_shutdown();
		}
		pcntl_waitpid($pid, $status);
	}

	/** @return iterable<string, array{\Closure(): bool}> */
	public static function flushes(): iterable
	{
		yield 'of all' => [wp_cache_flush(...)];
		yield 'of the group' => [fn () => wp_cache_flush_group('transient') && wp_cache_flush_group('plugin')];
	}

	/** @param \Closure(): bool $flush */
	#[DataProvider('flushes')]
	public function testStoresWhatItSetsAfterItHasCountedAndFlushed(\Closure $flush): void
	{
		$this->request();
		wp_cache_set('number', '5', 'plugin');
		self::assertSame(6, wp_cache_incr('number', 1, 'plugin'));
		self::assertTrue($flush());
		self::assertTrue(wp_cache_set('number', 0, 'plugin'));
		$this->request();
		self::assertSame(0, wp_cache_get('number', 'plugin'));
	}

	public function testStoresWhatItSetsAfterAnAdditionOfItsOwn(): void
	{
		foreach ([0, 5, 60] as $expire) {
			$this->request();
			self::assertFalse(wp_cache_get("key $expire", 'plugin'));
			self::assertTrue(wp_cache_add("key $expire", 'pending', 'plugin', $expire));
			self::assertTrue(wp_cache_replace("key $expire", 'almost', 'plugin', 60));
			self::assertTrue(wp_cache_set("key $expire", 'result', 'plugin', 3600));
			$this->request();
			self::assertSame('result', wp_cache_get("key $expire", 'plugin'));
		}
	}

	public function testStoresAnObjectInPlaceOfOneThatItHasAdded(): void
	{
		foreach (['set' => wp_cache_set(...), 'replace' => wp_cache_replace(...)] as $key => $store) {
			$this->request();
			self::assertFalse(wp_cache_get($key, 'plugin'));
			$added = (object) ['rows' => [(object) ['n' => 1]]];
			self::assertTrue(wp_cache_add($key, $added, 'plugin', 60));
			$added->rows[0]->n = 2;
			self::assertTrue($store($key, $added, 'plugin', 60));
			$this->request();
			self::assertEquals($added, wp_cache_get($key, 'plugin'));
		}
	}

	public function testAddsALockThatAnotherRequestHasReleased(): void
	{
		$this->request();
		self::assertFalse(wp_cache_get('lock', 'plugin'));
		$this->inAnotherProcess(fn (\WP_Object_Cache $theirs) => $theirs->add('lock', 'theirs', 'plugin', 60) && $theirs->delete('lock', 'plugin'));
		self::assertTrue(wp_cache_add('lock', 'ours', 'plugin', 60));
		$this->inAnotherProcess(fn (\WP_Object_Cache $theirs) => self::assertFalse($theirs->add('lock', 'theirs', 'plugin', 60)));
	}

	/** @param \Closure(): bool $flush */
	#[DataProvider('flushes')]
	public function testStoresWhatItSetsAfterAFlushOfItsOwn(\Closure $flush): void
	{
		foreach ([false, true] as $looksAgain) {
			$this->request();
			self::assertFalse(get_transient("token $looksAgain"));
			self::assertTrue($flush());
			$looksAgain && get_transient("token $looksAgain");
			self::assertTrue(set_transient("token $looksAgain", 'abc', 3600));
			$this->request();
			self::assertSame('abc', get_transient("token $looksAgain"));
		}
	}

	/** @param \Closure(): bool $flush */
	#[DataProvider('flushes')]
	public function testAddsForOneRequestAfterAFlushOfItsOwn(\Closure $flush): void
	{
		$this->request();
		self::assertFalse(wp_cache_get('lock', 'plugin'));
		self::assertTrue($flush());
		self::assertTrue(wp_cache_add('lock', 'one', 'plugin', 60));
		$others = run_workers(2, function (): array {
			$this->nextRequest(self::pool($this->prefix));
			return [wp_cache_add('lock', 'other', 'plugin', 60), wp_cache_get('lock', 'plugin')];
		});
		self::assertSame([[false, 'one'], [false, 'one']], $others);
	}

	public function testStoresNothingThatWasReadBeforeAnotherDeletedIt(): void
	{
		foreach (['set', 'add'] as $how) {
			$reader = $this->request();
			self::assertFalse($reader->get($how, 'posts'));
			$this->inAnotherProcess(fn (\WP_Object_Cache $writer) => $writer->delete($how, 'posts'));
			self::assertFalse($reader->$how($how, 'read before', 'posts'));
			self::assertSame('read before', $reader->get($how, 'posts'), 'the request itself goes on with it');
			self::assertFalse($this->request()->get($how, 'posts', true), "$how: and no other has it");
		}
	}

	/** Locks are tried for again, and have an expiry. */
	public function testAddsWhatWasDeletedWhenItIsAskedToAgain(): void
	{
		$request = $this->request();
		foreach (['lock', 'other'] as $key) {
			$request->get($key, 'group');
			$this->inAnotherProcess(fn (\WP_Object_Cache $writer) => $writer->delete($key, 'group'));
		}
		self::assertTrue($request->add('lock', 1, 'group', 30));
		self::assertFalse($request->add('other', 1, 'group'));
		self::assertTrue($request->add('other', 1, 'group'));
		self::assertSame(1, $this->request()->get('other', 'group'));
	}

	public function testKeepsTheLastOfTwoTransientsAndTimesOfChange(): void
	{
		foreach ([['key', 'transient'], ['key', 'site-transient'], ['last_changed', 'posts']] as [$key, $group]) {
			$request = $this->request();
			$request->get($key, $group);
			$this->inAnotherProcess(function (\WP_Object_Cache $other) use ($key, $group): void {
				$other->get($key, $group);
				$other->set($key, 'first', $group);
			});
			self::assertTrue($request->set($key, 'last', $group));
			self::assertSame('last', $this->request()->get($key, $group));
		}
	}

	public function testSetsWhatItHasCountedOrReplacedItself(): void
	{
		$request = $this->request();
		$request->set('key', 1, 'group');
		$request->incr('key', 1, 'group');
		self::assertTrue($request->set('key', 7, 'group'));
		self::assertTrue($request->replace('key', 8, 'group'));
		self::assertTrue($request->set('key', 9, 'group'));
		self::assertSame(9, $this->request()->get('key', 'group'));
	}

	public function testKeepsWhatEachRequestHasChangedOfAllOptions(): void
	{
		$this->request()->set('alloptions', ['a' => '1', 'b' => '1', 'c' => '1'], 'options');
		[$one, $other] = [$this->request(), $this->request()];
		$one->get('alloptions', 'options');
		$other->get('alloptions', 'options');
		self::assertTrue($one->set('alloptions', ['a' => '2', 'b' => '1', 'c' => '1', 'new' => '1'], 'options'));
		self::assertTrue($other->set('alloptions', ['a' => '1', 'b' => '2'], 'options'));
		self::assertEquals(['a' => '2', 'b' => '2', 'new' => '1'], $this->request()->get('alloptions', 'options'));
	}

	public function testKeepsTheLastOfItsOwnChangesOfAllOptions(): void
	{
		$this->request()->set('alloptions', ['a' => '1'], 'options');
		$one = $this->request();
		$one->get('alloptions', 'options');
		self::assertTrue($one->replace('alloptions', ['a' => '2'], 'options'));
		self::assertTrue($one->set('alloptions', ['a' => '1'], 'options'));
		$other = $this->request();
		self::assertSame(['a' => '1'], $other->get('alloptions', 'options'));
		self::assertTrue($other->delete('alloptions', 'options'));
		self::assertTrue($other->set('alloptions', ['a' => '2'], 'options'));
		self::assertSame(['a' => '2'], $this->request()->get('alloptions', 'options'));
	}

	/** Nobody can say whose is the last one in the database. */
	public function testForgetsAllOptionsWhereTwoHaveChangedTheSame(): void
	{
		$this->request()->set('alloptions', ['a' => '1', 'b' => '1'], 'options');
		[$one, $other] = [$this->request(), $this->request()];
		$one->get('alloptions', 'options');
		$other->get('alloptions', 'options');
		self::assertTrue($one->set('alloptions', ['a' => '2', 'b' => '1'], 'options'));
		$other->get('alloptions', 'options', true);
		self::assertFalse($other->set('alloptions', ['a' => '3', 'b' => '1'], 'options'));
		self::assertFalse($this->request()->get('alloptions', 'options'));
	}

	public function testForgetsAllOptionsWhereAnotherHasForgottenThem(): void
	{
		$this->request()->set('alloptions', ['a' => '1'], 'options');
		$one = $this->request();
		$one->get('alloptions', 'options');
		$this->inAnotherProcess(fn (\WP_Object_Cache $other) => $other->delete('alloptions', 'options'));
		self::assertFalse($one->set('alloptions', ['a' => '2'], 'options'));
		self::assertFalse($this->request()->get('alloptions', 'options'));
	}

	public function testTakesAnOptionThatIsMadeOffTheListOfThoseThatAreNotThere(): void
	{
		foreach ([false, true] as $isMadeFirst) {
			wp_cache_flush();
			$this->request()->set('alloptions', ['a' => '1'], 'options');
			$this->request()->set('notoptions', ['none' => true], 'options');
			[$reader, $writer] = [$this->request(), $this->request()];
			$reader->get('notoptions', 'options');
			$writer->get_multiple(['notoptions', 'alloptions'], 'options');
			$looks = fn () => $reader->set('notoptions', ['none' => true, 'new' => true], 'options');
			$makes = fn () => $writer->set('alloptions', ['a' => '1', 'new' => '1'], 'options');
			array_map(fn (\Closure $do) => $do(), $isMadeFirst ? [$makes, $looks] : [$looks, $makes]);
			self::assertSame(['none' => true], $this->request()->get('notoptions', 'options'), $isMadeFirst ? 'made first' : 'looked first');
		}
	}

	public function testFetchesInOneGoWhatTheLastRequestOfTheAddressAskedFor(): void
	{
		[$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']] = ['GET', '/?p=5'];
		$groups = ['posts', 'terms', 'options', 'post_meta', 'users'];
		foreach ($groups as $group) {
			$this->request()->set('key', $group, $group);
		}
		$trips = [];
		for ($time = 0; $time < 3; $time++) {
			$request = $this->request();
			$before = self::calls();
			foreach ($groups as $group) {
				self::assertSame($group, $request->get('key', $group));
				self::assertFalse($request->get('none', $group), 'what is not there is fetched, too');
			}
			$trips[] = self::calls() - $before;
			$request->close();
		}
		self::assertGreaterThanOrEqual(10, $trips[0]);
		self::assertLessThanOrEqual(4, $trips[1]);
		self::assertLessThanOrEqual(4, $trips[2]);
		$_SERVER['REQUEST_URI'] = '/?p=6';
		$this->request()->get('key', 'posts');
		self::assertFalse($this->request()->get('another', 'posts'));
	}

	/** Each list was made by a request that asked for something new. What two of the last four asked for is fetched. */
	public function testFetchesNoLongerWhatThreeListsHadInVain(): void
	{
		[$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']] = ['GET', '/?p=7'];
		$this->request()->set('old', 1, 'group');
		$ask = function (string $key): void {
			$request = $this->request();
			$request->get($key, 'group');
			$request->close();
		};
		$ask('old');
		$ask('old');
		$found = [];
		for ($list = 0; $list < 4; $list++) {
			$request = $this->request();
			$request->get('old', 'posts');
			$before = self::calls();
			self::assertSame(1, $request->get('old', 'group'));
			$found[] = self::calls() === $before;
			$ask("new $list");
		}
		self::assertSame([true, true, true, false], $found);
	}

	/** As of a visitor's session. */
	public function testWritesItsListSeldomWhereEachRequestAsksForAKeyOfItsOwn(): void
	{
		[$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']] = ['GET', '/?p=8'];
		$this->request()->set('shared', 1, 'options');
		$before = self::written();
		for ($visitor = 0; $visitor < 100; $visitor++) {
			$request = $this->request();
			$request->get('shared', 'options');
			$request->get("of visitor $visitor", 'user_meta');
			$request->close();
		}
		self::assertSame(6, self::written() - $before);
		$request = $this->request();
		$request->get('another', 'options');
		$before = self::calls();
		self::assertSame(1, $request->get('shared', 'options'));
		self::assertSame($before, self::calls(), 'what all ask for is fetched');
	}

	/** An address is free to choose. */
	public function testHasABoundedNumberOfLists(): void
	{
		$_SERVER['REQUEST_METHOD'] = 'GET';
		$this->request()->set('key', 1, 'options');
		$items = fn (): int => (int) self::$memcached->stats()['curr_items'];
		$before = $items();
		for ($address = 0; $address < 300; $address++) {
			$_SERVER['REQUEST_URI'] = "/?x=$address";
			$request = $this->request();
			$request->get('key', 'options');
			$request->close();
		}
		self::assertLessThanOrEqual(64 + 1, $items() - $before);
	}

	/** How often a list was. */
	private static function written(): int
	{
		return (int) (array_column(Metrics::read()['groups'], 'stored', 'group')['mcpatterns-ahead:'] ?? 0);
	}

	public function testSeesItsOwnChangesOfWhatWasFetched(): void
	{
		[$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']] = ['GET', '/'];
		foreach (['set', 'deleted', 'counted', 'seen'] as $key) {
			$this->request()->set($key, 1, 'group');
		}
		$request = $this->request();
		$request->get_multiple(['set', 'deleted', 'counted', 'seen'], 'group');
		$request->close();
		$request = $this->request();
		self::assertSame(1, $request->get('seen', 'group'));
		$request->set('set', 2, 'group');
		$request->delete('deleted', 'group');
		$request->incr('counted', 1, 'group');
		$request->cache = [];
		self::assertSame(['set' => 2, 'deleted' => false, 'counted' => 2], $request->get_multiple(['set', 'deleted', 'counted'], 'group'));
	}

	/** WordPress looks at it, and takes it where it sees nothing. */
	public function testFetchesNoLockOfScheduledEvents(): void
	{
		[$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']] = ['POST', '/wp-cron.php'];
		$request = $this->request();
		$request->get_multiple(['doing_cron', 'other'], 'transient');
		$request->close();
		$request = $this->request();
		self::assertFalse($request->get('other', 'transient'));
		$this->inAnotherProcess(fn (\WP_Object_Cache $other) => $other->set_multiple(['doing_cron' => 'another', 'other' => 1], 'transient'));
		self::assertSame('another', $request->get('doing_cron', 'transient'));
	}

	private static function calls(): int
	{
		return (int) array_sum(array_column(Metrics::read()['servers'], 'calls'));
	}
}
