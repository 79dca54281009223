<?php
/* Laravel's sessions in a store of this package, by the settings that docs/start/adapters.md has. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Session\SessionManager;

require_once __DIR__ . '/../support/application.php';

final class SessionTest extends LaravelTestCase
{
	/** @return SessionManager as another process would make it */
	private function sessions(): SessionManager
	{
		[, $block] = blocks_of('adapters', 'ini', 'Laravel');
		$settings = parse_ini_string($block, scanner_mode: INI_SCANNER_RAW);
		$app = $this->application();
		$app['config']->set('session', ['driver' => $settings['SESSION_DRIVER'], 'store' => $settings['SESSION_STORE'], 'lifetime' => 10, 'cookie' => 'session', 'serialization' => 'json']);
		return new SessionManager($app);
	}

	public function testKeepsASessionInTheStore(): void
	{
		$session = $this->sessions()->driver();
		$session->start();
		$session->put('user', 'ada');
		$session->save();
		$other = $this->sessions()->driver();
		$other->setId($session->getId());
		$other->start();
		self::assertSame('ada', $other->get('user'));
		self::assertIsString($this->app['cache']->store('mcpatterns')->get($session->getId()));
		$other->invalidate();
		$again = $this->sessions()->driver();
		$again->setId($session->getId());
		$again->start();
		self::assertNull($again->get('user'));
	}
}
