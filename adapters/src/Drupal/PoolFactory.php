<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Drupal;

use Drupal\Core\Site\Settings;
use InvalidArgumentException;
use McPatterns\Pool;

/** The Pool of $settings['mcpatterns'], which has parameters of Pool's constructor by their names. */
final class PoolFactory
{
    /** What the hash salt is hashed with, so that the signing key is no key of anything else. */
    private const PURPOSE = 'the cache of mcpatterns';

    /** Unless they are given: a prefix of the site's own, and values signed by a key made of its hash salt. */
    public static function create(Settings $settings, string $sitePath): Pool
    {
        $given = $settings->get('mcpatterns', []);
        if (!is_array($given)) {
            throw new InvalidArgumentException("\$settings['mcpatterns'] must be an array of parameters of McPatterns\\Pool, by their names.");
        }
        $salt = $settings->getHashSalt();
        return new Pool(...$given + [    // @phpstan-ignore argument.type (it checks them itself)
            'prefix' => substr(hash_hmac('sha256', $sitePath, $salt), 0, 12) . ':',
            'signingKey' => hash_hmac('sha256', self::PURPOSE, $salt),
        ]);
    }
}
