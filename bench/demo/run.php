<?php
/* The demo's programme: each scene with each contender in turn, then the table and the picture. Started
 * by bin/demo, which has built the extension and keeps a memcached for it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

/** What this machine lacks, in a sentence that needs no line number. */
final class Unplayable extends \RuntimeException
{
}

foreach (['options', 'contender', 'scene', 'samples', 'board', 'display', 'worker', 'stage', 'report', 'steps', 'svg',
	'picture'] as $part) {
	require __DIR__ . "/$part.php";
}

/** @param array<string, array<string, Samples>> $played scene => contender => samples: what has been played so far,
 *  whatever happens next */
function play(Options $options, array $contenders, array &$played): void
{
	$stage = new Stage($options, new Display($options), dirname($options->socket));
	foreach (Scene::all($options) as $scene) {
		foreach ($contenders as $name => $contender) {
			if (in_array($scene->name, $contender->scenes(), true)) {
				$played[$scene->name][$name] = $stage->play($contender, $scene);
			}
		}
	}
}

function check_extensions(): void
{
	foreach (['pcntl', 'posix', 'shmop'] as $extension) {
		if (!extension_loaded($extension)) {
			throw new Unplayable("this PHP has no $extension extension");
		}
	}
}

/** Those that can play here. One that was asked for by name must. */
function able(Options $options, array $contenders): array
{
	foreach ($contenders as $name => $contender) {
		if ($contender->missing() === null) {
			continue;
		}
		if ($options->chose_contenders) {
			throw new Unplayable("contender $name needs {$contender->missing()}");
		}
		echo "without \"{$contender->title()}\", which needs {$contender->missing()}\n";
		unset($contenders[$name]);
	}
	return $contenders;
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
		printf("Other programs use this machine (%d %% idle): the measured waits are too long.\n", 100 * $idle);
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
	$played = [];
	$failures = attempt('the demo', function () use ($options, &$contenders, &$played): void {
		check_extensions();
		$contenders = able($options, $contenders);
		forget($options->out, 'demo.txt', 'demo.svg', 'demo.png');
		warn_of_load();
		play($options, $contenders, $played);
	});
	if ($played !== []) {
		$failures += attempt('the table', function () use ($options, $contenders, $played): void {
			$report = Report::text($options, $contenders, $played);
			echo $report, "\n";
			write($options->out, 'demo.txt', $report);
		});
		$failures += attempt('the picture', fn () =>
			write($options->out, 'demo.svg', Picture::svg($options, $contenders, $played)));
	}
	return $failures > 0 ? 1 : 0;
}

/** What fails is named, with the line of ours where it did; what comes after it is still attempted. */
function attempt(string $what, callable $do): int
{
	try {
		$do();
		return 0;
	} catch (\Throwable $failure) {
		$where = $failure instanceof Unplayable ? '' : sprintf(' (%s:%d)',
			str_replace(dirname(__DIR__, 2) . '/', '', $failure->getFile()), $failure->getLine());
		fwrite(STDERR, "\nbin/demo: $what failed: {$failure->getMessage()}$where\n");
		return 1;
	}
}

/** So that what is there afterwards is this run's. */
function forget(string $folder, string ...$names): void
{
	foreach ($names as $name) {
		if (is_file("$folder/$name")) {
			unlink("$folder/$name");
		}
	}
}

function write(string $folder, string $name, string $text): void
{
	if (!is_dir($folder) && !@mkdir($folder, 0777, true)) {
		throw new \RuntimeException("could not create the directory $folder");
	}
	if (@file_put_contents("$folder/$name", $text) === false) {
		throw new \RuntimeException("could not write $folder/$name");
	}
}

exit(main(array_slice($argv, 1)));
