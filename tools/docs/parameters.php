<?php
/* Descriptions of parameters that have none in their stub, by class and for all classes. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

const PARAMETERS = [
	'' => [
		'$pool' => 'The servers and how they are used.',
		'$name' => 'Name that all processes and hosts use for the same object: a non-empty string, under the Pool\'s prefix.',
		'$key' => 'A non-empty string, after the prefixes.',
		'$by' => 'Number or amount to add.',
		'$wait' => 'Maximum seconds to wait, fractions included. 0: do not wait.',
	],
	'Cache' => [
		'$key' => 'A non-empty string, after the prefixes of the Pool and the Cache.',
		'$default' => 'The result if this caller gets no value.',
		'$value' => 'Anything that the Pool\'s serializer can write, null included.',
		'$grace' => 'Seconds after the TTL in which the value can be served. null: the object\'s grace.',
	],
	'MC' => ['$cache' => 'The Cache to use.'],
];
