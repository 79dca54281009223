<?php
/* What threads.c has each of its threads run: a worker's loop, a request, or a loop that empties opcache; and before them and after them
 * what the counts are compared with. */
/* SPDX-License-Identifier: MIT */

use McPatterns\Pool;

require_once __DIR__ . '/site.inc';
require_once __DIR__ . '/scenes.inc';

/** One after another, and each of them in some requests only, so that the threads meet in ever other ones. */
function serve_request(Site $site): void
{
	$number = threads_add('requests');
	foreach (Scenes::EVERY as $scene => $every) {
		if ($number % $every === 0 && $scene !== getenv('THREADS_LEAVE_OUT')) {
			threads_add("scene $scene");
			[Scenes::class, $scene]($site, $number);
		}
	}
}

switch ($_SERVER['argv'][1]) {
	case 'begin':
		require_once __DIR__ . '/judge.inc';
		prepare();
		break;
	case 'worker':
		$site = new Site(is_of_worker: true);
		while (frankenphp_handle_request(fn () => serve_request($site))) {
			$begun = hrtime(true);
			Pool::endRequest();
			hrtime(true) - $begun > 1e9 && threads_add('slow ends');
		}
		break;
	case 'classic':
		$site = new Site();
		serve_request($site);
		break;
	case 'resetter':
		opcache_reset() ? threads_add('resets') : wrong('opcache is not emptied');
		McPatterns\Metrics::read();
		McPatterns\Metrics::prometheus();
		break;
	case 'rest':
		break;
	case 'end':
		require_once __DIR__ . '/judge.inc';
		judge() || exit(1);
}
