<?php
/* What the reference says of a parameter of which its method's stub says nothing more than its name, by class and for all; and of the
 * round trips of methods whose stub counts none. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

const PARAMETERS = [
	'' => [
		'$pool' => 'The servers, and how they are used.',
		'$name' => 'What all processes and hosts that mean the same one call it: any string that is not empty, under the Pool\'s prefix.',
		'$key' => 'Any string that is not empty, behind the prefixes.',
		'$by' => 'How much, or how many.',
		'$wait' => 'Seconds to wait at most, fractions allowed; 0 does not wait.',
	],
	'Cache' => [
		'$key' => 'Any string that is not empty, behind the Cache\'s prefix and the Pool\'s.',
		'$keys' => 'The keys, as strings or integers.',
		'$default' => 'The answer where there is no value for this caller.',
		'$value' => 'Anything that the Pool\'s serializer can write, null included.',
		'$values' => 'Key => value.',
		'$ttl' => 'Seconds until the value is old, or a DateInterval; null: the object\'s; 0 or INF: it never is.',
		'$grace' => 'Seconds for which the old value is served after that; null: the object\'s.',
		'$change' => 'Makes the new value of the old one; may be called several times.',
		'$initial' => 'The number to begin with where none is; null: none is begun.',
		'$lease' => 'Seconds that the elected caller may take; null: the object\'s.',
		'$wait' => 'Seconds to wait for another caller\'s value at most; null: the object\'s.',
		'$stale' => 'Whether an old value may be answered; null: as the object has it.',
		'$staleOnError' => 'Whether the old value is answered when the computation throws; null: as the object has it.',
		'$early' => 'The beta of early rebuilds; null: the object\'s.',
		'$jitter' => 'By which part the TTL varies; null: the object\'s.',
		'$refresh' => 'When the elected caller computes, at once or after the response; null: at once.',
		'$tags' => 'The tags, each argument one or an array of them: any strings of 1 to 250 bytes that do not begin with a zero byte.',
		'$holdoff' => 'For how many seconds, above 0, what was read before a change may stay in a guarded Cache at most.',
	],
	'Audit' => ['$cache' => 'The Cache whose fresh hits of remember() are checked; of a view, the Cache that it is a view of.'],
	'Counter' => [
		'$value' => 'The number, 0 or more.',
		'$wait' => 'Seconds that a process waits for another one\'s initial value, or for its turn to drain; null: 2.5.',
	],
	'Lock' => [
		'$ttl' => 'Seconds, above 0, or a DateInterval.',
		'$owner' => 'The name that detach() or owner() has told.',
		'$skew' => 'As in the constructor.',
	],
	'Semaphore' => ['$ttl' => 'Seconds, above 0, or a DateInterval; null: the constructor\'s.'],
	'Clock' => ['$seconds' => 'How far: 0 or more, fractions allowed.'],
	'EventLog' => [
		'$event' => 'Anything that the Pool\'s serializer can write.',
		'$n' => 'How many at most.',
		'$limit' => 'How many at most.',
	],
	'Key' => [
		'$head' => 'What the key begins with, for people: any string that is not empty.',
		'$parts' => 'What the value depends on.',
		'$options' => 'What the value depends on: anything that serialize() takes.',
	],
	'MC' => [
		'$key' => 'Any string that is not empty.',
		'$cache' => 'The cache to work on.',
		'$data' => 'The value.',
		'$timeout' => 'Seconds until the value is old.',
		'$increment' => 'How much is added.',
	],
	'MemberSet' => [
		'$member' => 'Any string that is not empty, at most 65536 bytes.',
		'$members' => 'Any strings that are not empty, at most 65536 bytes each.',
	],
	'Metrics' => ['$group' => 'A Cache\'s prefix; null: those of all.'],
	'Pool' => [
		'$pool' => 'The Pool to look at; null: Pool::default().',
		'$timeout' => 'Seconds that a reply may take, from 0.001 to 60; null: 0.5.',
		'$compressAbove' => 'From how many bytes on a string or a serialized value is compressed.',
		'$password' => 'Goes with the user.',
		'$listener' => 'Is called with a message for people and a context for programs.',
	],
	'RateLimiter' => [
		'$limit' => 'How many attempts.',
		'$period' => 'In how many seconds, fractions allowed.',
		'$who' => 'Whose limit: any string, \'\' where one limit is for all.',
	],
	'SessionHandler' => [
		'$path' => 'session.save_path, which is not looked at.',
		'$name' => 'The cookie\'s name, which is not looked at.',
		'$id' => 'The session\'s id.',
		'$data' => 'The session in the handler\'s format.',
		'$max_lifetime' => 'Is not looked at: memcached ends sessions by itself.',
	],
	'Table' => [
		'$id' => 'Any string that is not empty, at most 65536 bytes.',
		'$default' => 'The answer where there is no row.',
		'$change' => 'Makes the new row of the old one; may be called several times.',
		'$row' => 'Anything that the Pool\'s serializer can write.',
		'$ids' => 'Which rows; null: all.',
	],
	'UniqueVisitors' => [
		'$visitor' => 'Any string, of any length.',
		'$others' => 'Those that are counted together with this one.',
	],
];

const ROUND_TRIPS = [
	'Cache::clear' => '1 per server; 2 more for each claim that is given back.',
	'Lock::token' => '1; where the server tells no statistics 2, or 6 and a wait when what tokens are counted on is new; none for later calls.',
	'Pool::diagnose' => '2 per server, over Direct 3 to 4; one for a server that fails.',
	'Pool::endRequest' => 'As at the end of a script: some for each claim, lock and permit that is held, none where none is.',
	'SessionHandler::close' => '1 where the lock is still held, else none.',
	'SessionHandler::read' => '1 over Direct, 2 by lock over libmemcached, and 1 for each look while it waits; 1 without a lock.',
	'SessionHandler::validateId' => 'As `read()`, which asks no more after it.',
	'SessionHandler::updateTimestamp' => 'As `write()`; none where `read()` has renewed the session.',
];
