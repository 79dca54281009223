<?php
/* The store "mcpatterns" needs no entry: its servers and its grace are MCPATTERNS_SERVERS and MCPATTERNS_GRACE. To compare with, both stores
 * over Laravel's own driver for memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

$server = explode(':', env('MCPATTERNS_SERVERS'));
$own = ['driver' => 'memcached', 'servers' => [['host' => $server[0], 'port' => (int) $server[1], 'weight' => 100]]];
$guarded = ['driver' => 'mcpatterns', 'servers' => env('MCPATTERNS_SERVERS'), 'log' => true, 'guarded' => true];
$is_ours = env('SITE_CACHES') === 'ours';

return [
	'default' => $is_ours ? 'mcpatterns' : 'memcached',
	'prefix' => 'articles-',
	'stores' => [
		'memcached' => $own,
		'rows' => ['prefix' => 'rows-'] + ($is_ours ? $guarded : $own),
	],
];
