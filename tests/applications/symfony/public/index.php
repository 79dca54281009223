<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use App\Kernel;
use Symfony\Component\HttpFoundation\Request;

require __DIR__ . '/../vendor/autoload.php';

// The environment chooses the caches: config/packages/ours or config/packages/own.
$kernel = new Kernel((string) getenv('SITE_CACHES'), false);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
