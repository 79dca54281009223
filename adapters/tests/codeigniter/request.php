<?php
/* A request's process: starts CodeIgniter's session of the given cookie, does what is asked, and writes the id and the data.
 * usage: request.php AUTOLOADER SERVER COOKIE count|hold|destroy|regenerate [SETTINGS] */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

ob_start();
[, $autoloader, $server, $cookie, $what] = $argv;
require $autoloader;
require __DIR__ . '/bootstrap.php';

$config = new class () extends Config\Session {
	/** @var array<string, mixed> */
	public array $mcpatterns = [];
};
$config->savePath = $server;
$config->mcpatterns = json_decode($argv[5] ?? '[]', true);
$_COOKIE = $cookie === '' ? [] : [$config->cookieName => $cookie];
$handler = new McPatterns\Adapters\CodeIgniter\SessionHandler($config, '192.0.2.1');
/** CodeIgniter starts none on a command line; this one does what it does elsewhere. */
$session = new class ($handler, $config) extends CodeIgniter\Session\Session {
	public function start(): static
	{
		$this->configure();
		$this->setSaveHandler();
		session_start();
		return $this;
	}
};
$session->start();
if ($what === 'hold') {
	usleep(300_000);
}
$session->set('count', ($session->get('count') ?? 0) + 1);
if ($what === 'regenerate') {
	$session->regenerate(true);
}
$answer = ['id' => session_id(), 'count' => $session->get('count')];
$what === 'destroy' ? session_destroy() : session_write_close();
ob_end_clean();
echo json_encode($answer);
