<?php
/* Laravel's sessions in a store of this package, which it has by the name of its own driver for memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Session\SessionManager;

final class SessionTest extends LaravelTestCase
{
	/** @return SessionManager as another process would make it */
	private function sessions(): SessionManager
	{
		$app = $this->application();
		$app['config']->set('session', ['driver' => 'memcached', 'store' => 'mcpatterns', 'lifetime' => 10, 'cookie' => 'session', 'serialization' => 'json']);
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
