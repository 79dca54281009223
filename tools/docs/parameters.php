<?php
/* Descriptions of parameters that have none in their stub, by class and for all classes. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

const PARAMETERS = [
	'' => [
		'$pool' => 'The servers and how they are used.',
		'$name' => 'Name that all processes and hosts use for the same object: a non-empty string, under the Pool\'s prefix.',
	],
	'Cache' => [
		'$key' => 'A non-empty string, after the prefixes of the Pool and the Cache.',
		'$default' => 'The result if this caller gets no value.',
		'$value' => 'Anything that the Pool\'s serializer can write, null included.',
	],
	'MC' => ['$cache' => 'The Cache to use.'],
];
