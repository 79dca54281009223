<?php
/* Descriptions of parameters that have none in their stub, by class and for all classes, and the round trips of methods whose stub has
 * no figure. */
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
	'Audit' => ['$cache' => 'The Cache whose fresh hits of remember() are checked. Of a view, the Cache that it was made from.'],
	'Counter' => [
		'$value' => 'The number, 0 or more.',
		'$wait' => 'Maximum seconds to wait for the initial value of another process, or for the turn to drain. null: 2.5.',
	],
	'Lock' => [
		'$ttl' => 'Seconds, above 0, or a DateInterval.',
		'$owner' => 'The name that detach() or owner() returned.',
		'$skew' => 'As in the constructor.',
	],
	'Semaphore' => ['$ttl' => 'Seconds, above 0, or a DateInterval. null: that of the constructor.'],
	'Clock' => ['$seconds' => 'Seconds to advance: 0 or more, fractions included.'],
	'EventLog' => [
		'$event' => 'Anything that the Pool\'s serializer can write.',
		'$n' => 'Maximum number of events.',
		'$limit' => 'Maximum number of events.',
	],
	'Key' => [
		'$head' => 'Readable beginning of the key: a non-empty string.',
		'$parts' => 'Parameters that the value depends on.',
		'$options' => 'Parameters that the value depends on: anything that serialize() accepts.',
	],
	'MC' => ['$cache' => 'The Cache to use.'],
	'MemberSet' => [
		'$member' => 'A non-empty string of at most 65536 bytes.',
		'$members' => 'Non-empty strings of at most 65536 bytes each.',
	],
	'Metrics' => ['$group' => 'Prefix of a Cache. null: all.'],
	'RateLimiter' => [
		'$limit' => 'Maximum number of attempts.',
		'$period' => 'Seconds in which they are counted, fractions included.',
		'$who' => 'Owner of the limit: any string. Use \'\' if one limit is for all.',
	],
	'SessionHandler' => [
		'$path' => 'session.save_path, not used.',
		'$name' => 'Name of the cookie, not used.',
		'$id' => 'Id of the session.',
		'$data' => 'The session in the handler\'s format.',
		'$max_lifetime' => 'Not used: memcached expires sessions itself.',
	],
	'Table' => [
		'$id' => 'A non-empty string of at most 65536 bytes.',
		'$default' => 'The result if no row exists.',
		'$change' => 'Returns the new row for the current one. It can be called several times.',
		'$row' => 'Anything that the Pool\'s serializer can write.',
		'$ids' => 'Ids of the rows. null: all.',
	],
	'UniqueVisitors' => [
		'$visitor' => 'Any string, of any length.',
		'$others' => 'Objects that are counted together with this one.',
	],
];

const ROUND_TRIPS = [
	'Lock::token' => '1. If the server reports no statistics 2, or 6 and a wait if the fence is new. None for later calls.',
	'SessionHandler::close' => '1 if the lock is still held, else none.',
	'SessionHandler::read' => '1 over Direct, 2 with a lock over libmemcached, and 1 for each poll while it waits. 1 without a lock.',
	'SessionHandler::validateId' => 'As `read()`, which then costs none.',
	'SessionHandler::updateTimestamp' => 'As `write()`. None if `read()` has renewed the session.',
];
