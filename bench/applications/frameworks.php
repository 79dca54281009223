<?php
/* Plays the scenes of tests/applications with the adapters and with the frameworks' own caches; called by
 * bench/applications/frameworks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require dirname(__DIR__, 2) . '/tests/applications/scenes.inc';

[, $extension, $packages, $seconds] = $argv;
putenv('TEST_PHP_EXTENSION=' . realpath($extension));
$caches = ['ours' => 'mcpatterns'] + (file_exists(ini_get('extension_dir') . '/memcached.so') ? ['own' => 'its own'] : []);
printf("%-9s%-12s%-8s%8s%8s%8s%10s%10s%10s%10s%12s%10s\n", '', 'caches', 'memc.', 'pages', 'edits', 'old', 'for good', 'no page', 'slowest', 'its own', 'front, all', 'at once');
foreach (['symfony', 'laravel'] as $framework) {
	foreach ($caches as $which => $name) {
		$site = new ApplicationSite($framework, (string) realpath("$packages/$framework"), (string) realpath($extension), $which);
		foreach (array_keys(SCENES) as $scene) {
			$seen = play($site, $scene, (float) $seconds);
			printf("%-9s%-12s%-8s%8d%8d%8d%10d%10d%8.2f s%8.2f s%12d%10d\n", $framework, $name, $scene, $seen['pages'], $seen['edits'], count($seen['old']),
				count($seen['differs']), count($seen['wrong']), $seen['slowest'], $seen['waited'], $seen['front'], $seen['together']);
		}
		$site->dispose();
	}
}
