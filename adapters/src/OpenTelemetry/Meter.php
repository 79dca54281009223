<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\OpenTelemetry;

use McPatterns\Metrics;
use OpenTelemetry\API\Metrics\MeterInterface;
use OpenTelemetry\API\Metrics\ObservableCallbackInterface;
use OpenTelemetry\API\Metrics\ObserverInterface;

/**
 * Observable instruments for the numbers of Metrics::read(), which are read once per collection.
 *
 * The numbers are those of all processes that share the memory, so only one process of a host should observe them: a
 * command that runs permanently, with the same mcpatterns.shared_memory_path as the workers. Keys are not attributes.
 * OpenTelemetry has no observable histogram, so the distributions of times are counters with the attribute "le", like
 * Prometheus' buckets. Each counts the events that took at most that number of seconds.
 *
 * @phpstan-import-type MetricsReading from Metrics
 */
final class Meter
{
    /** Name => unit and description, for instruments that are not counts of Metrics::legend(). */
    private const COUNTERS = [
        'mcpatterns.cache.reads' => ['{read}', 'Reads by result'],
        'mcpatterns.cache.compute.time.bucket' => ['{computation}', 'Computations that took at most le seconds'],
        'mcpatterns.cache.discarded' => ['{value}', 'Values not stored or not served, by reason'],
        'mcpatterns.server.call.time' => ['s', 'Time until the reply to a request; 1 in 64 requests is sampled'],
        'mcpatterns.server.call.time.bucket' => ['{call}', 'Sampled requests with a reply within le seconds'],
    ];
    private const GAUGES = [
        'mcpatterns.server.breaker.open' => ['1', '1 while any process has an open circuit breaker for the server'],
        'mcpatterns.processes' => ['{process}', 'Live processes that count'],
    ];
    /** Counts that share an instrument: value of its attribute. */
    private const RESULTS = ['hits' => 'hit', 'near_hits' => 'near_hit', 'stale' => 'stale', 'misses' => 'miss', 'elections' => 'election'];
    private const REASONS = ['discarded', 'unstorable', 'unreadable', 'forged', 'gave_up', 'uncached'];
    /** Names of other instruments that differ from their count. All others have the name of the count, times without their unit. */
    private const NAMES = ['early' => 'early_elections', 'breaker_openings' => 'breaker.openings', 'trace_failures' => 'trace.failures'];

    /** @param array<string, ObserverInterface> $observers by instrument */
    private function __construct(private readonly array $observers)
    {
    }

    /** Observes until detach() is called on the result. */
    public static function observe(MeterInterface $meter): ObservableCallbackInterface
    {
        $counters = self::COUNTERS;
        $gauges = self::GAUGES;
        foreach (Metrics::legend()['counts'] as ['of' => $of, 'name' => $name, 'kind' => $kind, 'unit' => $unit, 'help' => $help]) {
            $told = [$unit === 's' ? 's' : '{' . $unit . '}', rtrim($help, '.')];
            if ($kind === 'peak') {
                $gauges[self::instrument($of, $name)] = $told;
            } elseif (self::attribute($of, $name) === null) {
                $counters[self::instrument($of, $name)] = $told;
            }
        }
        $instruments = [];
        foreach ($counters as $name => [$unit, $description]) {
            $instruments[$name] = $meter->createObservableCounter($name, $unit, $description);
        }
        foreach ($gauges as $name => [$unit, $description]) {
            $instruments[$name] = $meter->createObservableGauge($name, $unit, $description);
        }
        $names = array_keys($instruments);
        $observe = static fn (ObserverInterface ...$observers) => (new self(array_combine($names, $observers)))->tell(Metrics::read());
        return $meter->batchObserve($observe, ...array_values($instruments));
    }

    /** @param string $of as Metrics::legend() has it */
    private static function instrument(string $of, string $name): string
    {
        $name = self::NAMES[$name] ?? preg_replace(['/_seconds$/', '/^audit_/'], ['.time', 'audit.'], $name);
        return ($of === 'host' ? 'mcpatterns.' : "mcpatterns.$of.") . $name;
    }

    /**
     * Returns the instrument and the attribute of a count that shares an instrument; null for other counts.
     *
     * @return ?array{string, array<non-empty-string, string>}
     */
    private static function attribute(string $of, string $name): ?array
    {
        return match (true) {
            $of !== 'cache' => null,
            isset(self::RESULTS[$name]) => ['mcpatterns.cache.reads', ['mcpatterns.cache.result' => self::RESULTS[$name]]],
            in_array($name, self::REASONS, true) => ['mcpatterns.cache.discarded', ['mcpatterns.cache.reason' => $name]],
            default => null,
        };
    }

    /** @param MetricsReading $reading */
    private function tell(array $reading): void
    {
        $this->tellCounts('host', $reading, []);
        foreach ($reading['groups'] as $group) {
            $of = ['mcpatterns.cache.group' => $group['is_other'] ? '(other)' : self::text($group['group'])];
            $this->tellCounts('cache', $group, $of);
            $this->tellTimes('mcpatterns.cache.compute.time.bucket', $group['compute_times'], $reading['bounds']['compute_times'], $of);
        }
        foreach ($reading['servers'] as $server) {
            $of = self::address($server['server']);
            $this->tellCounts('server', $server, $of);
            $this->observers['mcpatterns.server.call.time']->observe($server['seconds'], $of);
            $this->observers['mcpatterns.server.breaker.open']->observe((int) $server['is_open'], $of);
            $this->tellTimes('mcpatterns.server.call.time.bucket', $server['round_trips'], $reading['bounds']['round_trips'], $of);
        }
        foreach ($reading['locks'] as $lock) {
            $this->tellCounts('lock', $lock, ['mcpatterns.lock.name' => self::text($lock['lock'])]);
        }
        foreach ($reading['sessions'] as $session) {
            $this->tellCounts('session', $session, ['mcpatterns.session.prefix' => self::text($session['prefix'])]);
        }
        $this->observers['mcpatterns.processes']->observe($reading['processes']);
    }

    /**
     * All counts that Metrics::legend() has of such a thing.
     *
     * @param array<string, mixed> $counted
     * @param array<non-empty-string, string|int> $attributes
     */
    private function tellCounts(string $of, array $counted, array $attributes): void
    {
        foreach (Metrics::legend()['counts'] as ['of' => $thing, 'name' => $name]) {
            $number = $counted[$name] ?? null;
            if ($thing === $of && (is_int($number) || is_float($number))) {
                [$instrument, $more] = self::attribute($of, $name) ?? [self::instrument($of, $name), []];
                $this->observers[$instrument]->observe($number, $attributes + $more);
            }
        }
    }

    /**
     * Each bucket counts those below it, too; the last one has no bound.
     *
     * @param list<int> $times how many are above the bound before and not above their own
     * @param list<float> $bounds
     * @param array<non-empty-string, string|int> $of
     */
    private function tellTimes(string $name, array $times, array $bounds, array $of): void
    {
        $count = 0;
        foreach ($times as $place => $more) {
            $count += $more;
            $bound = isset($bounds[$place]) ? rtrim(rtrim(sprintf('%.9F', $bounds[$place]), '0'), '.') : '+Inf';
            $this->observers[$name]->observe($count, $of + ['le' => $bound]);
        }
    }

    /** @return array<non-empty-string, string|int> */
    public static function address(string $server): array
    {
        return preg_match('/^\[?([^\/]+?)\]?:(\d+)$/', $server, $parts)
            ? ['server.address' => self::text($parts[1]), 'server.port' => (int) $parts[2]]
            : ['server.address' => self::text(str_starts_with($server, 'unix://') ? substr($server, 7) : $server)];
    }

    /** Prefixes and names are any bytes, and attributes are UTF-8. */
    public static function text(string $bytes): string
    {
        $text = json_decode((string) json_encode($bytes, JSON_INVALID_UTF8_SUBSTITUTE));
        return is_string($text) ? $text : '';
    }
}
