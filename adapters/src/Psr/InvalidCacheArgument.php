<?php
/* What PSR-6 wants thrown for a key that is none, or an item of another pool. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use Psr\Cache\InvalidArgumentException;

final class InvalidCacheArgument extends \InvalidArgumentException implements InvalidArgumentException
{
}
