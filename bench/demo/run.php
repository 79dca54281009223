<?php
/* The demo's programme: each scene with each contender in turn, then the table and the picture. Started
 * by bin/demo, which has built the extension and keeps a memcached for it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

foreach (['options', 'contender', 'scene', 'samples', 'board', 'display', 'worker', 'stage', 'report', 'steps', 'svg',
	'picture'] as $part) {
	require __DIR__ . "/$part.php";
}

/** @return array<string, array<string, Samples>> scene => contender => samples */
function play(Options $options, array $contenders, string $folder): array
{
	$stage = new Stage($options, new Display($options), $folder);
	$played = [];
	foreach (Scene::all($options) as $scene) {
		foreach ($contenders as $name => $contender) {
			if (in_array($scene->name, $contender->scenes(), true)) {
				$played[$scene->name][$name] = $stage->play($contender, $scene);
			}
		}
	}
	return $played;
}

function check(array $contenders): void
{
	foreach (['pcntl', 'posix', 'shmop'] as $extension) {
		if (!extension_loaded($extension)) {
			throw new \RuntimeException("this PHP has no $extension extension");
		}
	}
	foreach ($contenders as $name => $contender) {
		if ($contender->missing() !== null) {
			throw new \RuntimeException("contender $name needs {$contender->missing()}");
		}
	}
}

/** Waits are only worth something on a machine that has nothing else to do. */
function warn_of_load(): void
{
	$before = idle_ticks();
	usleep(200_000);
	$after = idle_ticks();
	if ($before === null || $after === null || $after[1] <= $before[1]) {
		return;
	}
	$idle = ($after[0] - $before[0]) / ($after[1] - $before[1]);
	if ($idle < 0.6) {
		printf("Other programs keep this machine busy (%d %% idle): waits will look longer than they are.\n", 100 * $idle);
	}
}

/** @return ?array{int, int} idle and all ticks of the processors since the start (proc(5), /proc/stat) */
function idle_ticks(): ?array
{
	$line = strtok((string) @file_get_contents('/proc/stat'), "\n");
	$ticks = array_map(intval(...), array_slice(preg_split('/ +/', (string) $line), 1));
	return isset($ticks[4]) ? [$ticks[3] + $ticks[4], array_sum($ticks)] : null;
}

function main(array $arguments): int
{
	try {
		$options = Options::parse($arguments);
		$contenders = load_contenders($options->contenders);
	} catch (UsageError $mistake) {
		fwrite(STDERR, "bin/demo: {$mistake->getMessage()}; see bin/demo -h\n");
		return 2;
	}
	if ($options->is_check) {
		return 0;
	}
	try {
		check($contenders);
		warn_of_load();
		$played = play($options, $contenders, dirname($options->socket));
		$report = Report::text($options, $contenders, $played);
		echo $report, "\n";
		write($options->out, 'demo.txt', $report);
		write($options->out, 'demo.svg', Picture::svg($options, $contenders, $played));
		return 0;
	} catch (\Throwable $failure) {
		fwrite(STDERR, "\nbin/demo: {$failure->getMessage()}\n");
		return 1;
	}
}

function write(string $folder, string $name, string $text): void
{
	if (!is_dir($folder) && !@mkdir($folder, 0777, true)) {
		throw new \RuntimeException("could not make the folder $folder");
	}
	if (@file_put_contents("$folder/$name", $text) === false) {
		throw new \RuntimeException("could not write $folder/$name");
	}
}

exit(main(array_slice($argv, 1)));
