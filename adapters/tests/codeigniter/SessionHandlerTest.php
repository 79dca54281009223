<?php
/* CodeIgniter's sessions over the adapter, each request in a process of its own. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\CodeIgniter;

use Composer\Autoload\ClassLoader;
use Config\Session as Config;
use McPatterns\Adapters\CodeIgniter\SessionHandler;
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\{Clock, LockTimeoutException, ServerException};

require_once __DIR__ . '/../support/application.php';

final class SessionHandlerTest extends MemcachedTestCase
{
	/** @param array<string, mixed> $options of Config\Session, and $mcpatterns */
	private static function handler(array $options = [], string $ipAddress = '192.0.2.1'): SessionHandler
	{
		$config = new class () extends Config {
			/** @var array<string, mixed> */
			public array $mcpatterns = [];
		};
		foreach ($options + ['savePath' => self::$memcached->address] as $name => $value) {
			$config->$name = $value;
		}
		return new SessionHandler($config, $ipAddress);
	}

	/** @return resource its output */
	private static function start(string $cookie, string $what, string $settings = '[]')
	{
		$autoloader = dirname((string) (new \ReflectionClass(ClassLoader::class))->getFileName(), 2) . '/autoload.php';
		$command = [PHP_BINARY, '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), __DIR__ . '/request.php', $autoloader, self::$memcached->address, $cookie, $what, $settings];
		return popen(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', 'r') ?: self::fail('cannot start a process');
	}

	/**
	 * @param resource $request
	 * @return array{id: string, count: int}
	 */
	private static function end($request): array
	{
		$output = (string) stream_get_contents($request);
		pclose($request);
		$answer = json_decode($output, true);
		self::assertIsArray($answer, $output);
		return $answer;
	}

	/** @return array{id: string, count: int} */
	private static function request(string $cookie, string $what = 'count'): array
	{
		return self::end(self::start($cookie, $what));
	}

	public function testASessionIsFoundByTheNextRequest(): void
	{
		['id' => $id, 'count' => $first] = self::request('');
		self::assertMatchesRegularExpression('/^[0-9a-f]{32}$/', $id);
		self::assertSame([1, ['id' => $id, 'count' => 2]], [$first, self::request($id)]);
		['id' => $next, 'count' => $third] = self::request($id, 'regenerate');
		self::assertSame([3, true], [$third, $next !== $id]);
		self::assertSame(4, self::request($next)['count']);
		self::assertSame(1, self::request($id)['count'], 'the old id was destroyed');
	}

	public function testAnIdThatNobodyHasGivenIsNotAccepted(): void
	{
		$planted = str_repeat('a', 32);
		self::assertNotSame($planted, self::request($planted)['id']);
	}

	public function testADestroyedSessionIsGone(): void
	{
		['id' => $id] = self::request('');
		self::request($id, 'destroy');
		self::assertSame(1, self::request($id)['count']);
	}

	public function testRequestsOfOneSessionWaitForOneAnother(): void
	{
		['id' => $id] = self::request('');
		$requests = array_map(fn () => self::start($id, 'hold'), range(1, 3));
		self::assertEqualsCanonicalizing([2, 3, 4], array_column(array_map(self::end(...), $requests), 'count'));
	}

	public function testReadsWhatWasWritten(): void
	{
		$handler = self::handler();
		self::assertTrue($handler->open('', 'ci_session'));
		$id = $handler->create_sid();
		self::assertSame([false, ''], [$handler->validateId($id), $handler->read($id)]);
		self::assertTrue($handler->write($id, 'a|i:1;') && $handler->close());
		$next = self::handler();
		self::assertSame([true, 'a|i:1;'], [$next->validateId($id), $next->read($id)]);
		self::assertTrue($next->updateTimestamp($id, 'a|i:1;') && $next->close());
		self::assertIsInt($next->gc(3600));
	}

	public function testASessionEndsWithItsExpiration(): void
	{
		Clock::freeze();
		$id = self::write('kept', ['expiration' => 100]);
		Clock::advance(90);
		self::assertSame('x|s:4:"kept";', self::read($id));
		$id = self::write('gone', ['expiration' => 1]);
		Clock::unfreeze();
		usleep(2_200_000);
		self::assertSame('', self::read($id));
	}

	public function testASessionBelongsToItsAddressIfThatIsWanted(): void
	{
		$id = self::write('mine', ['matchIP' => true]);
		$other = self::handler(['matchIP' => true], '2001:db8::1');
		self::assertSame('', $other->read($id));
		$other->close();
		$same = self::handler(['matchIP' => true]);
		self::assertSame('x|s:4:"mine";', $same->read($id));
		$same->close();
	}

	public function testALongAddressAndCookieHaveASession(): void
	{
		$options = ['matchIP' => true, 'cookieName' => '__Host-my_web_shop_session_id'];
		$one = self::handler($options, '2001:0db8:85a3:0000:0000:8a2e:0370:7334');
		$id = $one->create_sid();
		self::assertSame('', $one->read($id));
		self::assertTrue($one->write($id, 'x|i:1;'));
		$one->close();
		self::assertSame('', self::handler($options, '2001:0db8:85a3:0000:0000:8a2e:0370:7335')->read($id));
	}

	public function testAHeldSessionIsAnExceptionWhenTheWaitIsOver(): void
	{
		$holder = self::handler();
		$id = $holder->create_sid();
		$holder->read($id);
		$waiting = self::handler(['mcpatterns' => ['lock_wait' => 0.05]]);
		$failure = run_workers(1, function () use ($waiting, $id): string {
			try {
				return $waiting->read($id);
			} catch (LockTimeoutException $timeout) {
				return $timeout::class;
			}
		});
		self::assertSame([LockTimeoutException::class], $failure);
		$holder->close();
	}

	public function testAServerThatIsDownLosesNoSession(): void
	{
		$memcached = start_memcached();
		$handler = self::handler(['savePath' => $memcached->address]);
		$memcached->kill();
		$this->expectException(ServerException::class);
		$handler->read(str_repeat('a', 32));
	}

	public function testThePagesSettingsAreUnderstood(): void
	{
		[, $block] = blocks_of('frameworks/codeigniter', 'php codeigniter');
		$config = eval('return new class () extends \Config\Session {' . $block . '};');
		self::assertSame(SessionHandler::class, $config->driver);
		self::assertTrue((new SessionHandler($config, '192.0.2.1'))->open('', ''));
	}

	/** @param array<string, mixed> $options */
	private static function write(string $value, array $options): string
	{
		$handler = self::handler($options);
		$id = $handler->create_sid();
		$handler->read($id);
		$handler->write($id, 'x|' . serialize($value));
		$handler->close();
		return $id;
	}

	private static function read(string $id): string
	{
		$handler = self::handler();
		$data = $handler->read($id);
		$handler->close();
		return $data;
	}
}
