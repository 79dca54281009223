<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\OpenTelemetry;

use McPatterns\Metrics;
use OpenTelemetry\API\Metrics\AsynchronousInstrument;
use OpenTelemetry\API\Metrics\MeterInterface;
use OpenTelemetry\API\Metrics\ObservableCallbackInterface;
use OpenTelemetry\API\Metrics\ObserverInterface;

/**
 * What Metrics::read() says, as observable instruments: read once at each collection, and never in between.
 *
 * The numbers are those of all processes that share the memory, so one process of a host is to observe them: a command that
 * runs for ever, with the same mcpatterns.shared_memory_path as the workers. Keys are no attributes. OpenTelemetry has no
 * observable histogram: the distributions of times are counters by the attribute "le", as Prometheus has its buckets, each of
 * which counts what took at most so many seconds.
 *
 * @phpstan-import-type MetricsReading from Metrics
 * @phpstan-import-type MetricsGroup from Metrics
 * @phpstan-import-type MetricsServer from Metrics
 */
final class Meter
{
    /** Name => unit and what it is. All but the last two only ever grow until Metrics::reset(). */
    private const INSTRUMENTS = [
        'mcpatterns.cache.reads' => ['{read}', 'Reads by what they were answered'],
        'mcpatterns.cache.takeovers' => ['{election}', 'Elections after another caller\'s claim had run out'],
        'mcpatterns.cache.waits' => ['{wait}', 'Reads that waited for another caller\'s value'],
        'mcpatterns.cache.wait.time' => ['s', 'Time that reads waited for another caller\'s value'],
        'mcpatterns.cache.early_elections' => ['{election}', 'Elections before the end of the TTL'],
        'mcpatterns.cache.after_response' => ['{computation}', 'Computations after the response'],
        'mcpatterns.cache.computations' => ['{computation}', 'Values that were computed to be stored'],
        'mcpatterns.cache.compute.time' => ['s', 'Time spent computing values'],
        'mcpatterns.cache.compute.time.bucket' => ['{computation}', 'Computations that took at most le seconds'],
        'mcpatterns.cache.saved.time' => ['s', 'Computing time of the values that were served'],
        'mcpatterns.cache.stored' => ['{value}', 'Values stored'],
        'mcpatterns.cache.discarded' => ['{value}', 'Values not stored or not served, by the reason'],
        'mcpatterns.cache.errors' => ['{error}', 'Calls that no server answered in time'],
        'mcpatterns.server.calls' => ['{call}', 'Requests sent'],
        'mcpatterns.server.call.time' => ['s', 'Time that servers took to answer the requests that were timed, one of 64'],
        'mcpatterns.server.call.time.bucket' => ['{call}', 'Of the requests that were timed, those answered within le seconds'],
        'mcpatterns.server.timeouts' => ['{call}', 'Requests not answered in time'],
        'mcpatterns.server.failures' => ['{call}', 'Requests that something kept an answer from'],
        'mcpatterns.server.breaker.openings' => ['{opening}', 'How often a process began to leave a server alone'],
        'mcpatterns.server.when_down' => ['{answer}', 'Answers that objects gave in a server\'s place'],
        'mcpatterns.lock.acquisitions' => ['{lock}', 'Locks and permits acquired'],
        'mcpatterns.lock.contention' => ['{lock}', 'Tries that found a lock taken'],
        'mcpatterns.lock.losses' => ['{lock}', 'Locks that were lost before their release'],
        'mcpatterns.server.breaker.open' => ['1', '1 while a process leaves the server alone'],
        'mcpatterns.processes' => ['{process}', 'Processes that count'],
    ];
    private const GAUGES = ['mcpatterns.server.breaker.open', 'mcpatterns.processes'];

    private const OF_GROUP = [
        'mcpatterns.cache.takeovers' => 'takeovers', 'mcpatterns.cache.waits' => 'waits', 'mcpatterns.cache.wait.time' => 'wait_seconds',
        'mcpatterns.cache.early_elections' => 'early', 'mcpatterns.cache.after_response' => 'after_response',
        'mcpatterns.cache.computations' => 'computations', 'mcpatterns.cache.compute.time' => 'compute_seconds',
        'mcpatterns.cache.saved.time' => 'saved_seconds', 'mcpatterns.cache.stored' => 'stored', 'mcpatterns.cache.errors' => 'errors',
    ];
    private const RESULTS = ['hit' => 'hits', 'near_hit' => 'near_hits', 'stale' => 'stale', 'miss' => 'misses', 'election' => 'elections'];
    private const REASONS = ['refused', 'unstorable', 'unreadable', 'forged', 'gave_up', 'uncached'];
    private const OF_SERVER = [
        'mcpatterns.server.calls' => 'calls', 'mcpatterns.server.call.time' => 'seconds', 'mcpatterns.server.timeouts' => 'timeouts',
        'mcpatterns.server.failures' => 'failures', 'mcpatterns.server.breaker.openings' => 'breaker_openings', 'mcpatterns.server.when_down' => 'when_down',
    ];
    private const OF_LOCK = ['acquisitions', 'contention', 'losses'];

    /** @param array<string, ObserverInterface> $observers by instrument */
    private function __construct(private readonly array $observers)
    {
    }

    /** Until detach() of what is returned. */
    public static function observe(MeterInterface $meter): ObservableCallbackInterface
    {
        $names = array_keys(self::INSTRUMENTS);
        $observe = static fn (ObserverInterface ...$observers) => (new self(array_combine($names, $observers)))->tell(Metrics::read());
        return $meter->batchObserve($observe, ...array_map(fn (string $name) => self::instrument($meter, $name), $names));
    }

    private static function instrument(MeterInterface $meter, string $name): AsynchronousInstrument
    {
        [$unit, $description] = self::INSTRUMENTS[$name];
        return in_array($name, self::GAUGES, true)
            ? $meter->createObservableGauge($name, $unit, $description)
            : $meter->createObservableCounter($name, $unit, $description);
    }

    /** @param MetricsReading $reading */
    private function tell(array $reading): void
    {
        foreach ($reading['groups'] as $group) {
            $this->tellGroup($group, $reading['bounds']['compute_times']);
        }
        foreach ($reading['servers'] as $server) {
            $this->tellServer($server, $reading['bounds']['round_trips']);
        }
        foreach ($reading['locks'] as $lock) {
            foreach (self::OF_LOCK as $what) {
                $this->observers["mcpatterns.lock.$what"]->observe($lock[$what], ['mcpatterns.lock.name' => self::text($lock['lock'])]);
            }
        }
        $this->observers['mcpatterns.processes']->observe($reading['processes']);
    }

    /**
     * @param MetricsGroup $group
     * @param list<float> $bounds
     */
    private function tellGroup(array $group, array $bounds): void
    {
        $of = ['mcpatterns.cache.group' => $group['is_other'] ? '(other)' : self::text($group['group'])];
        foreach (self::OF_GROUP as $name => $what) {
            $this->observers[$name]->observe($group[$what], $of);
        }
        foreach (self::RESULTS as $result => $what) {
            $this->observers['mcpatterns.cache.reads']->observe($group[$what], $of + ['mcpatterns.cache.result' => $result]);
        }
        foreach (self::REASONS as $reason) {
            $this->observers['mcpatterns.cache.discarded']->observe($group[$reason], $of + ['mcpatterns.cache.reason' => $reason]);
        }
        $this->tellTimes('mcpatterns.cache.compute.time.bucket', $group['compute_times'], $bounds, $of);
    }

    /**
     * @param MetricsServer $server
     * @param list<float> $bounds
     */
    private function tellServer(array $server, array $bounds): void
    {
        $of = self::address($server['server']);
        foreach (self::OF_SERVER as $name => $what) {
            $this->observers[$name]->observe($server[$what], $of);
        }
        $this->observers['mcpatterns.server.breaker.open']->observe((int) $server['is_open'], $of);
        $this->tellTimes('mcpatterns.server.call.time.bucket', $server['round_trips'], $bounds, $of);
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
    private static function address(string $server): array
    {
        return preg_match('/^\[?([^\/]+?)\]?:(\d+)$/', $server, $parts)
            ? ['server.address' => self::text($parts[1]), 'server.port' => (int) $parts[2]]
            : ['server.address' => self::text(str_starts_with($server, 'unix://') ? substr($server, 7) : $server)];
    }

    /** Prefixes and names are any bytes, and attributes are UTF-8. */
    private static function text(string $bytes): string
    {
        $text = json_decode((string) json_encode($bytes, JSON_INVALID_UTF8_SUBSTITUTE));
        return is_string($text) ? $text : '';
    }
}
