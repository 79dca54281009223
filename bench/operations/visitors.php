<?php
/* Different visitors of a page. What is left of them differs: one number is about as large as they were, and marks with a
 * counter beside them are exact, cost a key for each visitor, and count again whom memcached has forgotten. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Pool, UniqueVisitors};

/** Of one page, before the next one begins: so few that most of them change its registers. */
const VISITORS_OF_A_PAGE = 1000;

/** @return array<string, callable> a visitor that this process knows already; bare, his mark, which lives for an hour from now on */
function seeing(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$unique = new UniqueVisitors($pool, 'page');
			return function (int $calls) use ($unique): void {
				for ($call = 0; $call < $calls; $call++) {
					$unique->hit('visitor 4711');
				}
			};
		},
		'memcached' => fn (\Memcached $memcached): callable => function (int $calls) use ($memcached): void {
			for ($call = 0; $call < $calls; $call++) {
				$memcached->set('mem-visitor-4711', 1, 3600);
			}
		},
	];
}

/** @return array<string, callable> visitors that were never there; bare, a mark that was not there either, and a counter */
function welcoming(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$run = bin2hex(random_bytes(6));
			$unique = null;
			$visitor = 0;
			return function (int $calls) use ($pool, $run, &$unique, &$visitor): void {
				for ($call = 0; $call < $calls; $call++) {
					if ($visitor % VISITORS_OF_A_PAGE === 0) {
						$unique = new UniqueVisitors($pool, "page-$run-$visitor");
					}
					$unique->hit("$run-$visitor");
					$visitor++;
				}
			};
		},
		'memcached' => function (\Memcached $memcached): callable {
			$run = bin2hex(random_bytes(6));
			$memcached->set("mem-visitors-$run", 0);
			$visitor = 0;
			return function (int $calls) use ($memcached, $run, &$visitor): void {
				for ($call = 0; $call < $calls; $call++) {
					if ($memcached->add("mem-visitor-$run-$visitor", 1, 3600)) {
						$memcached->increment("mem-visitors-$run");
					}
					$visitor++;
				}
			};
		},
	];
}
