<?php
/* The live demo's programme: three web servers, visitors for two of them, and a line on the terminal about what they meet.
 * Started by bin/demo --live, which has built the extension and keeps a memcached for it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Live;

foreach (['options', 'server', 'visitors'] as $part) {
	require __DIR__ . "/$part.php";
}

const TITLES = ['naive' => 'get, compute, set', 'ours' => 'mcpatterns'];

final class Demo
{
	/** @var array<string, Server> */
	private array $servers = [];
	/** @var array<string, Visitors> */
	private array $visitors = [];
	private readonly string $folder;
	private bool $is_over = false;

	public function __construct(private readonly Options $options)
	{
		$this->folder = dirname($options->socket) . '/live';
	}

	public function play(): void
	{
		mkdir($this->folder, 0700);
		pcntl_async_signals(true);
		foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
			pcntl_signal($signal, fn () => $this->is_over = true);
		}
		try {
			$this->start();
			$this->run();
		} finally {
			array_map(fn (Server $server) => $server->stop(), $this->servers);
		}
	}

	/** The page and the dashboard have a server of their own: the stampede would make them wait, too. */
	private function start(): void
	{
		$environment = ['MCPATTERNS_LIVE_SOCKET' => $this->options->socket, 'MCPATTERNS_LIVE_FOLDER' => $this->folder,
			'MCPATTERNS_LIVE_TTL' => (string) $this->options->ttl, 'MCPATTERNS_LIVE_REBUILD' => (string) $this->options->rebuild];
		// Without settings, as this process.
		$php = php_ini_loaded_file() === false && php_ini_scanned_files() === false ? [PHP_BINARY, '-n'] : [PHP_BINARY];
		foreach (['extension' => getenv('MCPATTERNS_LIVE_EXTENSION'), 'mcpatterns.shared_memory_path' => "$this->folder/shared",
			'display_errors' => '0', 'log_errors' => '1', 'opcache.enable_cli' => '0'] as $name => $value) {
			array_push($php, '-d', "$name=$value");
		}
		foreach (['naive' => 0, 'ours' => 0, 'pages' => $this->options->port] as $name => $port) {
			$workers = $name === 'pages' ? 3 : $this->options->workers;
			$this->servers[$name] = new Server($php, $port, $workers, $environment, "$this->folder/$name.log");
		}
		foreach ($this->servers as $server) {
			$server->await();
		}
		foreach (array_keys(TITLES) as $side) {
			$this->visitors[$side] = new Visitors($this->servers[$side], "/$side", $this->options->workers);
		}
		$address = $this->servers['pages']->address;
		echo "side by side  http://$address/\ndashboard     http://$address/dashboard\n";
		echo "{$this->options->workers} visitors and as many workers for each side; a query of {$this->options->rebuild} ms is cached for "
			. "{$this->options->ttl} s. Ctrl-C ends it, or {$this->options->seconds} s.\n\n";
	}

	private function run(): void
	{
		$end = microtime(true) + $this->options->seconds;
		$told = $shown = 0.0;
		while (!$this->is_over && ($now = microtime(true)) < $end) {
			$this->wait();
			foreach ($this->visitors as $visitors) {
				$visitors->step();
			}
			if ($now - $told > 0.2) {
				$told = $now;
				$states = $this->tell();
				if ($now - $shown > (stream_isatty(STDOUT) ? 0.2 : 5.0)) {
					$this->show($states, $shown > 0);
					$shown = $now;
				}
			}
		}
		$this->show($this->tell(), true);
	}

	/** Until something has come, or a hundredth of a second. */
	private function wait(): void
	{
		$read = array_merge(...array_values(array_map(fn (Visitors $visitors) => $visitors->connections(), $this->visitors)));
		$write = $except = [];
		if ($read === []) {
			usleep(10_000);
		} elseif (@stream_select($read, $write, $except, 0, 10_000) === false) {
			usleep(1000);
		}
	}

	/** Writes what the page asks for. @return array<string, array> */
	private function tell(): array
	{
		$states = [];
		foreach ($this->visitors as $side => $visitors) {
			$states[$side] = $visitors->state(count(glob("$this->folder/$side.[0-9]*") ?: []));
		}
		$state = ['now' => microtime(true), 'span' => Visitors::SPAN, 'workers' => $this->options->workers, 'ttl' => $this->options->ttl,
			'rebuild' => $this->options->rebuild, 'titles' => TITLES, 'sides' => $states];
		file_put_contents("$this->folder/state.new", json_encode($state));
		rename("$this->folder/state.new", "$this->folder/state.json");
		return $states;
	}

	/** On a terminal two lines that are written over and over. */
	private function show(array $states, bool $again): void
	{
		$is_terminal = stream_isatty(STDOUT);
		echo $is_terminal && $again ? "\e[" . count($states) . 'A' : '';
		foreach ($states as $side => $state) {
			$running = min($state['running'], $this->options->workers);
			$bar = str_repeat('█', $running) . str_repeat('·', $this->options->workers - $running);
			$colour = $is_terminal ? ($side === 'naive' ? "\e[31m" : "\e[32m") : '';
			printf("%s%-18s %s%s%s %2d slow queries running, %4d so far for %6d pages, longest wait lately %.2f s%s%s\n", $is_terminal ? "\r\e[2K" : '', TITLES[$side],
				$colour, $bar, $is_terminal ? "\e[0m" : '', $state['running'], $state['queries'], $state['pages'], $state['longest'],
				$state['failures'] ? ", {$state['failures']} failed" : '', $is_terminal ? "\e[K" : '');
		}
	}
}

function main(array $arguments): int
{
	try {
		$options = Options::parse($arguments);
	} catch (UsageError $mistake) {
		fwrite(STDERR, "bin/demo: {$mistake->getMessage()}; see bin/demo -h\n");
		return 2;
	}
	if ($options->is_check) {
		return 0;
	}
	foreach (['pcntl', 'posix'] as $extension) {
		if (!extension_loaded($extension)) {
			fwrite(STDERR, "bin/demo: this PHP has no $extension extension\n");
			return 1;
		}
	}
	try {
		(new Demo($options))->play();
	} catch (\RuntimeException $failure) {
		fwrite(STDERR, "bin/demo: {$failure->getMessage()}\n");
		return 1;
	}
	return 0;
}

exit(main(array_slice($argv, 1)));
