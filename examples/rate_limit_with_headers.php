<?php
/* A limit for each client of an API, shown in the response's headers: 429 and Retry-After when it is used up.
 *
 *     php rate_limit_with_headers.php 10.0.0.1
 *
 * This script prints the headers. In a web server, pass them to header(). */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Pool, RateLimiter, ServerException};

[, $client] = $argv;

const LIMIT = 3;
$requests = new RateLimiter(Pool::default(), 'api', LIMIT, period: 60);

/** Returns whether the request is admitted, and the headers that show the limit.
 * @return array{bool, list<string>} */
function judge_request(RateLimiter $requests, string $client): array
{
    try {
        $may_go_on = $requests->attempt($client);
        $headers = ['RateLimit-Limit: ' . LIMIT, 'RateLimit-Remaining: ' . $requests->remaining($client)];
        if (!$may_go_on) {
            $headers[] = 'Retry-After: ' . max(1, (int) ceil($requests->availableIn($client)));
        }
        return [$may_go_on, $headers];
    } catch (ServerException) {
        // The server is down. A public API admits the request. A login would refuse it.
        return [true, []];
    }
}

[$may_go_on, $headers] = judge_request($requests, $client);
$status = $may_go_on ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 429 Too Many Requests';
echo implode("\n", [$status, ...$headers]), "\n";
