<?php
/* The router of PHP's own web server: an application whose sessions are as a block of a page has them, with an action for each path. The id
 * comes as ?id=, in place of a cookie, and ?locking= in place of the block's mode. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use Symfony\Bundle\FrameworkBundle\{FrameworkBundle, Kernel\MicroKernelTrait};
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\{JsonResponse, Request};
use Symfony\Component\HttpFoundation\Session\Session;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

require getenv('AUTOLOADER');
require __DIR__ . '/../../support/polyfill_php85.php';

final class SessionKernel extends Kernel
{
	use MicroKernelTrait;

	public function registerBundles(): iterable
	{
		yield new FrameworkBundle();
	}

	public function getProjectDir(): string
	{
		return (string) getenv('PROJECT');
	}

	private function configureContainer(ContainerConfigurator $container): void
	{
		$container->extension('framework', ['secret' => 'secret', 'http_method_override' => false, 'handle_all_throwables' => true, 'php_errors' => ['log' => true]]);
		$services = $container->services();
		eval('use McPatterns\{Locking, Pool, SessionHandler};
			use function Symfony\Component\DependencyInjection\Loader\Configurator\{env, service};' . str_replace('Locking::Merge', "Locking::{$this->getEnvironment()}", (string) getenv('BLOCK')));
	}

	private function configureRoutes(RoutingConfigurator $routes): void
	{
		$routes->add('action', '/{action}')->controller([$this, 'answer']);
	}

	public function answer(string $action, Request $request): JsonResponse
	{
		$session = $request->getSession();
		\assert($session instanceof Session);
		return new JsonResponse($this->act($action, $session, $request->query->getString('value')));
	}

	private function act(string $action, Session $session, string $value): mixed
	{
		return match ($action) {
			'put' => $session->set($value, true),
			'add' => $this->add($session, (int) $value),
			'all' => $session->all(),
			'flash' => $session->getFlashBag()->add('status', $value),
			'flashes' => $session->getFlashBag()->all(),
			'migrate' => [$session->start() && $session->migrate(true), $session->getId()],
			'invalidate' => [$session->start() && $session->invalidate(), $session->getId()],
			'start' => [$session->start(), $session->getId()],
		};
	}

	/**
	 * Waits until so many requests have read.
	 *
	 * @return array{string, int, int} the key that it adds, and when it had read and had not yet written
	 */
	private function add(Session $session, int $readers): array
	{
		$session->start();
		$begin = hrtime(true);
		touch(tempnam($this->getProjectDir(), 'reader'));
		for ($deadline = $begin + 20e9; count((array) glob($this->getProjectDir() . '/reader*')) < $readers && hrtime(true) < $deadline;) {
			usleep(1000);
		}
		$session->set($key = 'k' . bin2hex(random_bytes(4)), true);
		return [$key, $begin, hrtime(true)];
	}
}

$_COOKIE = array_filter(['PHPSESSID' => $_GET['id'] ?? '']);
$kernel = new SessionKernel($_GET['locking'] ?? 'Merge', false);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
