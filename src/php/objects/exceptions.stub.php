<?php

/**
 * The exceptions of McPatterns. A caller's mistake causes a TypeError or a ValueError, as elsewhere in PHP. A miss
 * never causes an exception. These exceptions report failures of the environment, and values that cannot be stored or
 * used.
 *
 * @generate-class-entries static
 */

namespace McPatterns;

/** Implemented by all exceptions of McPatterns. */
interface Exception extends \Throwable
{
}

/**
 * The server was unreachable, did not reply in time, or replied with an error.
 *
 * The message names the server and the reason, as Pool::lastErrors() does. If a write got no reply, its outcome is
 * unknown, and the message says so. See docs/operate/server-errors.md.
 */
class ServerException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * A wait ended before the caller acquired a lock (for Lock::run(), Counter::drain() or a session) or a permit (for
 * Semaphore::run()).
 */
class LockTimeoutException extends \RuntimeException implements \McPatterns\Exception
{
}

/** A lock or a permit expired or was removed while the work under it was still running. */
class LockLostException extends \RuntimeException implements \McPatterns\Exception
{
}

/**
 * The stored value, or the value to store, is unsuitable for the operation. Nothing was changed, except as the method
 * documents, or if the server rejected the new value as too large.
 *
 * Examples: the value is not a number, the value is too large for the server, or a counter would exceed PHP_INT_MAX.
 */
class StoredValueException extends \UnexpectedValueException implements \McPatterns\Exception
{
}

/**
 * Implemented by all exceptions for values that cannot be stored. The previously stored value is kept unless the server
 * rejects the new value.
 *
 * remember() and rememberMany() return such a value instead of throwing.
 */
interface UnstorableException extends \McPatterns\Exception
{
}

/** The value is larger than the server accepts, or larger than `mcpatterns.item_size_limit`. */
class TooLargeException extends StoredValueException implements UnstorableException
{
}

/** The value, or a part of it, cannot be serialized in a form that can be read again. */
class NotSerializableException extends \TypeError implements UnstorableException
{
}

/**
 * remember() or rememberMany() found no value and did not compute it, because earlier computations failed and the next
 * attempt was too far away to wait for.
 *
 * Send a temporary response, such as HTTP 503 with Retry-After, instead of blocking the worker.
 */
class RebuildPausedException extends \RuntimeException implements \McPatterns\Exception
{
    /** Seconds until the next attempt to compute the value. */
    public float $retryAfter = 0.0;
}
