<?php
/* PSR-6's exception for an invalid key, or an item of another pool. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use Psr\Cache\InvalidArgumentException;

final class InvalidCacheArgument extends \InvalidArgumentException implements InvalidArgumentException
{
}
