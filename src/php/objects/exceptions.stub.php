<?php

/**
 * What McPatterns throws. A caller's mistake is a TypeError or a ValueError as everywhere in PHP, a
 * miss is a value and never an exception: what is left is an environment that failed.
 *
 * @generate-class-entries static
 */

namespace McPatterns;

/** Catch this to catch everything that McPatterns throws on its own account. */
interface Exception extends \Throwable
{
}

/**
 * The server could not be reached, did not answer in time, or answered what libmemcached
 * took for an error. The message says which server it was and why, as Pool::lastErrors() does. Whether a
 * write happened that got no answer is not known; the message says so then.
 */
class ServerException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * What is for one at a time could not be had within the time given to wait: the lock of Lock::run(), the
 * turn of Counter::drain().
 */
class LockTimeoutException extends \RuntimeException implements \McPatterns\Exception
{
}

/** A lock ran out, or was taken away, while the work under it was still running. */
class LockLostException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * What is stored, or would be stored, is not what the operation needs: not a number, too large for
 * the server, a counter beyond PHP_INT_MAX. Nothing was changed.
 */
class StoredValueException extends \UnexpectedValueException implements \McPatterns\Exception
{
}

/**
 * Catch this for every value that cannot be stored, for whatever reason. What was stored before is still there.
 * remember() and rememberMany() return such a value instead of throwing.
 */
interface UnstorableException extends \McPatterns\Exception
{
}

/** The value is larger than a server takes, or than mcpatterns.item_size_limit lets anybody read. */
class TooLargeException extends StoredValueException implements UnstorableException
{
}

/** The value, or something in it, cannot be serialized so that it could be read again. */
class NotSerializableException extends \TypeError implements UnstorableException
{
}

/**
 * remember() found no value, and does not compute one: the computation has failed before, and the next try is further
 * off than is worth waiting for. An answer for now ("503, Retry-After") is better than a worker that waits.
 */
class RebuildPausedException extends \RuntimeException implements \McPatterns\Exception
{
    /** Seconds until the key's computation is tried again. */
    public float $retryAfter = 0.0;
}
