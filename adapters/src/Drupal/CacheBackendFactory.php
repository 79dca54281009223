<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Drupal;

use Drupal\Component\Datetime\TimeInterface;
use Drupal\Core\Cache\{CacheFactoryInterface, CacheTagsChecksumInterface};
use McPatterns\Pool;

/** The service cache.backend.mcpatterns. */
final class CacheBackendFactory implements CacheFactoryInterface
{
    public function __construct(private readonly Pool $pool, private readonly CacheTagsChecksumInterface $checksums, private readonly TimeInterface $time)
    {
    }

    /** @param string $bin */
    public function get($bin): CacheBackend
    {
        return new CacheBackend($this->pool, $bin, $this->checksums, $this->time);
    }
}
