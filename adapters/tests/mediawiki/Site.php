<?php
/* A private wiki: MediaWiki on SQLite, installed by its own command into a temporary folder, behind web servers of PHP,
 * with a memcached of its own. Gone when the test is. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\MediaWiki;

use McPatterns\Adapters\Tests\Support\WebWorkers;

require_once __DIR__ . '/../support/application.php';

final class Site
{
	public readonly \PrivateMemcached $memcached;
	public readonly string $folder;

	public function __construct()
	{
		$this->folder = make_temporary_folder('wiki');
		$this->memcached = start_memcached(['tcp' => true]);
		register_shutdown_function($this->dispose(...));
		$this->command('install.php', '--dbtype', 'sqlite', '--dbname', 'wiki', '--dbpath', "$this->folder/data", '--confpath', $this->folder,
			'--pass', bin2hex(random_bytes(8)), '--server', 'http://127.0.0.1', '--scriptpath', '', 'Wiki', 'Admin');
	}

	/** With LocalSettings.php as core has written it, and what is said of its caches. */
	public function serve(string $caches): WebWorkers
	{
		$settings = "$this->folder/" . md5($caches) . '.php';
		file_put_contents($settings, '<?php require ' . var_export("$this->folder/LocalSettings.php", true) . ";\n$caches;\n"
			. '$wgRateLimits = []; $wgJobRunRate = 0; $wgShowExceptionDetails = true; $wgGroupPermissions["*"]["editinterface"] = true;');
		return new WebWorkers(1, __DIR__ . '/site', ['WIKI_SETTINGS' => $settings, 'MEDIAWIKI' => (string) getenv('MEDIAWIKI')],
			['display_errors' => '0', 'error_reporting' => '0', 'memory_limit' => '256M']);
	}

	/** All caches as docs/frameworks/mediawiki.md says it. */
	public function documented(): string
	{
		[$block] = blocks_of('frameworks/mediawiki', 'php mediawiki');
		$places = ['/usr/share/php-mcpatterns/adapters' => dirname(__DIR__, 2), "'10.0.0.5:11211', '10.0.0.6:11211'" => "'{$this->memcached->address}'"];
		return strtr($block, $places);
	}

	/** All caches in a class of core's own. */
	public function core(string $class): string
	{
		return "\$wgObjectCaches['core'] = ['class' => '$class']; \$wgMemCachedServers = ['{$this->memcached->address}'];"
			. "\$wgMainCacheType = \$wgParserCacheType = \$wgMessageCacheType = \$wgSessionCacheType = 'core'";
	}

	/** The newest text of a page, out of the database itself. */
	public function text(string $title): string
	{
		$database = new \PDO("sqlite:$this->folder/data/wiki.sqlite");
		$query = $database->prepare('SELECT old_text, old_flags FROM page JOIN slots ON slot_revision_id = page_latest JOIN content ON content_id = slot_content_id
			JOIN text ON content_address = \'tt:\' || old_id WHERE page_namespace = ? AND page_title = ?');
		$query->execute(str_starts_with($title, 'MediaWiki:') ? [8, substr($title, 10)] : [0, $title]);
		[$text, $flags] = $query->fetch(\PDO::FETCH_NUM) ?: throw new \RuntimeException("there is no page $title");
		return str_contains($flags, 'gzip') ? (string) gzinflate($text) : $text;
	}

	public function dispose(): void
	{
		$this->memcached->dispose();
		exec('rm -rf ' . escapeshellarg($this->folder));
	}

	private function command(string $name, string ...$arguments): void
	{
		$command = [PHP_BINARY, '-d', 'error_reporting=0', getenv('MEDIAWIKI') . "/maintenance/$name", ...$arguments];
		exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $status);
		if ($status !== 0) {
			throw new \RuntimeException("$name failed: " . implode("\n", $output));
		}
	}
}
