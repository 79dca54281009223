<?php
/* CodeIgniter's sessions by the extension's handler. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\CodeIgniter;

use CodeIgniter\Session\Handlers\BaseHandler;
use Config\Session as Config;
use McPatterns\Adapters\Arguments;
use McPatterns\{Pool, SessionHandler as Native};

/**
 * The $driver of Config\Session, whose $savePath has the servers, and whose array $mcpatterns the other parameters of
 * SessionHandler and Pool. A session that cannot be read or stored is an exception: an empty one would log its user out.
 */
final class SessionHandler extends BaseHandler implements \SessionIdInterface, \SessionUpdateTimestampHandlerInterface
{
	private readonly Native $handler;

	public function __construct(Config $config, string $ipAddress)
	{
		parent::__construct($config, $ipAddress);
		$settings = get_object_vars($config)['mcpatterns'] ?? [];
		$given = (new Arguments("Config\\Session's setting"))->of(is_array($settings) ? $settings : [], ['pool', 'servers', 'prefix', 'ttl'], Native::class, Pool::class);
		$prefix = $config->cookieName . '.' . ($config->matchIP ? "$ipAddress." : '');
		$pool = Arguments::make(Pool::class, ['servers' => $config->savePath, 'prefix' => Arguments::prefix($prefix)] + $given);
		$this->handler = Arguments::make(Native::class, ['pool' => $pool, 'ttl' => $config->expiration ?: null] + $given);
	}

	public function open(string $path, string $name): bool
	{
		return $this->handler->open($path, $name);
	}

	public function read(string $id): string
	{
		return $this->handler->read($id);
	}

	public function write(string $id, string $data): bool
	{
		return $this->handler->write($id, $data);
	}

	public function close(): bool
	{
		return $this->handler->close();
	}

	/** The cookie, too. */
	public function destroy(string $id): bool
	{
		return $this->handler->destroy($id) && $this->destroyCookie();
	}

	public function gc(int $max_lifetime): int
	{
		return $this->handler->gc($max_lifetime);
	}

	public function create_sid(): string
	{
		return $this->handler->create_sid();
	}

	public function validateId(string $id): bool
	{
		return $this->handler->validateId($id);
	}

	public function updateTimestamp(string $id, string $data): bool
	{
		return $this->handler->updateTimestamp($id, $data);
	}
}
