--TEST--
Cache(guarded: true) beside a database: whatever readers, writers, evictions, kills and frozen servers do, no row is kept that was read before its key's delete, and no other old one for longer than $holdoff (V1, V2); without the guard some are
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const KEYS = 24;
const HOLDOFF = 0.5;
const READERS = 5;
const WRITERS = 2; // who delete; one more looks, changes and sets

/* The database: each row's version, read and counted up under a lock of the file. A version is current from its write on. */
final class Rows
{
    private $file;

    public function __construct(private string $path)
    {
        $this->open('c+');
        ftruncate($this->file, 8 * KEYS);
    }

    /** A file handle of its own, as locks belong to those. */
    public function connect(): void
    {
        $this->open('r+');
    }

    /** Without a buffer, which would have what the file had before. */
    private function open(string $mode): void
    {
        $this->file = fopen($this->path, $mode);
        stream_set_read_buffer($this->file, 0);
    }

    public function read(int $row): int
    {
        return $this->within(LOCK_SH, fn () => $this->at($row));
    }

    public function change(int $row): int
    {
        return $this->within(LOCK_EX, function () use ($row) {
            $version = $this->at($row) + 1;
            fseek($this->file, 8 * $row);
            fwrite($this->file, pack('P', $version));
            fflush($this->file);
            return $version;
        });
    }

    private function at(int $row): int
    {
        fseek($this->file, 8 * $row);
        return unpack('P', fread($this->file, 8))[1];
    }

    private function within(int $lock, callable $work): int
    {
        flock($this->file, $lock);
        try {
            return $work();
        } finally {
            flock($this->file, LOCK_UN);
        }
    }
}

/* A client: of ours, guarded or not, or php-memcached. */
final class Client
{
    private Cache|Memcached $cache;

    public function __construct(string $kind, PrivateMemcached $server, Transport $transport)
    {
        if ($kind === 'php-memcached') {
            $this->cache = new Memcached();
            $this->cache->setOption(Memcached::OPT_SEND_TIMEOUT, 300_000);
            $this->cache->setOption(Memcached::OPT_RECV_TIMEOUT, 300_000);
            $this->cache->setOption(Memcached::OPT_POLL_TIMEOUT, 300);
            $this->cache->setOption(Memcached::OPT_RETRY_TIMEOUT, 0);
            $this->cache->setOption(Memcached::OPT_SERVER_FAILURE_LIMIT, 1_000_000);
            $this->cache->addServer($server->host, $server->port);
            return;
        }
        $pool = new Pool($server->address, transport: $transport, timeout: 0.3, retryAfter: 0.05);
        $this->cache = new Cache($pool, ttl: 600, lease: 1, guarded: $kind === 'guarded', holdoff: HOLDOFF);
    }

    public function get(string $key): ?int
    {
        $value = $this->cache->get($key);
        return is_string($value) ? (int) $value : null;
    }

    public function get_many(array $keys): array
    {
        return $this->cache instanceof Cache
            ? array_map(fn ($value) => $value === null ? null : (int) $value, $this->cache->getMultiple($keys))
            : array_map(intval(...), $this->cache->getMulti($keys) ?: []) + array_fill_keys($keys, null);
    }

    public function set(string $key, int $version): bool
    {
        return $this->cache instanceof Cache ? $this->cache->set($key, self::text($version)) : $this->cache->set($key, self::text($version), 600);
    }

    public function set_many(array $versions): bool
    {
        $values = array_map(self::text(...), $versions);
        return $this->cache instanceof Cache ? $this->cache->setMultiple($values) : $this->cache->setMulti($values, 600);
    }

    /** Whether it is known to be away. */
    public function delete(string $key): bool
    {
        return $this->cache->delete($key) || ($this->cache instanceof Memcached && $this->cache->getResultCode() === Memcached::RES_NOTFOUND);
    }

    /** Its version where it would be served as fresh. */
    public function fresh(string $key): ?int
    {
        if ($this->cache instanceof Memcached) {
            return $this->get($key);
        }
        $entry = $this->cache->entry($key);
        return $entry->status->name === 'Fresh' ? (int) $entry->value : null;
    }

    private static function text(int $version): string
    {
        return $version . str_repeat(' ', 300);
    }
}

/* One reader: each turn is a request. */
function read_rows(Client $client, Rows $rows, int $index, float $end): array
{
    $sums = ['operations' => 0, 'stored' => 0, 'refused' => 0];
    while (microtime(true) < $end) {
        Pool::endRequest();
        if ($index % 3 === 2) {
            $rows_wanted = array_rand(array_fill(0, KEYS, 0), 5);
            $found = $client->get_many(array_map(fn ($row) => "row$row", $rows_wanted));
            $missing = array_filter($rows_wanted, fn ($row) => $found["row$row"] === null);
            $read = [];
            foreach ($missing as $row) {
                $read["row$row"] = $rows->read($row);
            }
            mt_rand(0, 3) || usleep(mt_rand(0, 3000));
            $sums['operations'] += 1 + count($read);
            $read === [] || $sums[$client->set_many($read) ? 'stored' : 'refused']++;
            continue;
        }
        $row = mt_rand(0, KEYS - 1);
        $sums['operations']++;
        if ($client->get("row$row") !== null) {
            continue;
        }
        $version = $rows->read($row);
        mt_rand(0, 3) || usleep(mt_rand(0, 3000));
        $index % 3 === 1 && $client->get("row$row");
        $sums['operations']++;
        $sums[$client->set("row$row", $version) ? 'stored' : 'refused']++;
    }
    return $sums;
}

/* One writer: of the rows that are its own it knows the version that an acknowledged delete has followed, or which it has set. */
function write_rows(Client $client, Client $deleter, Rows $rows, int $index, float $end, int $pause): array
{
    $sums = ['operations' => 0, 'looked' => 0, 'old' => 0, 'acknowledged' => []];
    $key = 0;
    while (microtime(true) < $end) {
        Pool::endRequest();
        usleep(mt_rand(0, $pause));
        $row = $index + (WRITERS + 1) * mt_rand(0, intdiv(KEYS, WRITERS + 1) - 1);
        $sets = $index === WRITERS;
        if (!$sets && ($sums['acknowledged'][$row] ?? -1) > 0) {
            // Nobody else changes it: what is found is of before the delete, or of after it.
            $found = $client->fresh("row$row");
            $sums['looked']++;
            $sums['old'] += $found !== null && $found !== $sums['acknowledged'][$row];
        }
        $sets && $client->get("row$row");
        $version = $rows->change($row);
        // Who sets what it has changed may be refused; now and then it deletes besides.
        $is_set = $sets && $client->set("row$row", $version);
        if (!$sets || mt_rand(0, 3) === 0) {
            $is_acknowledged = (mt_rand(0, 1) ? $client : $deleter)->delete("row$row");
            $sums['acknowledged'][$row] = $is_acknowledged ? $version : -1;
        } else {
            $sums['acknowledged'][$row] = $is_set ? $version : -1;
        }
        $sums['operations'] += 2;
    }
    return $sums;
}

/* Evicts: fills the server's memory with items of the rows' size and of others. */
function fill_memory(PrivateMemcached $server, float $end): array
{
    $cache = new Cache(new Pool($server->address, timeout: 0.3, retryAfter: 0.05), 'filler.', ttl: 600);
    for ($n = 0; microtime(true) < $end; $n++) {
        $cache->setMultiple(array_fill_keys(array_map(fn ($i) => 'f' . ($n * 100 + $i), range(1, 100)), str_repeat('x', mt_rand(0, 1) ? 300 : 20)));
        usleep(3000);
    }
    return ['operations' => 0];
}

function play(string $kind, Transport $transport, float $seconds): array
{
    $server = start_memcached(['memory' => 2]);
    $path = tempnam(is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir(), 'rows');
    $rows = new Rows($path);
    $pause = 4000;
    $end = microtime(true) + $seconds + 0.3;
    $readers = READERS + 2; // two of them are killed
    $workers = new Workers($readers + WRITERS + 2, function (int $index) use ($kind, $transport, $server, $rows, $readers, $end, $pause) {
        mt_srand($index * 7919 + getmypid());
        $rows->connect();
        $client = new Client($kind, $server, $transport);
        $deleter = new Client(extension_loaded('memcached') ? 'php-memcached' : 'unguarded', $server, $transport);
        if ($index < $readers) {
            return read_rows($client, $rows, $index, $end);
        }
        return $index - $readers <= WRITERS ? write_rows($client, $deleter, $rows, $index - $readers, $end, $pause) : fill_memory($server, $end);
    }, 30 + $seconds);
    $workers->release();
    $at = fn (float $part) => usleep((int) max(0, 1e6 * ($end - $seconds * (1 - $part) - microtime(true))));
    for ($round = 0; $round < max(1, (int) ($seconds / 10)); $round++) {
        $at(($round + 0.3) / max(1, (int) ($seconds / 10)));
        $round === 0 && $workers->kill(0);
        $server->freeze();
        usleep(450_000);
        $server->thaw();
        $at(($round + 0.7) / max(1, (int) ($seconds / 10)));
        $round === 0 && $workers->kill(1);
        $server->restart();
    }
    $results = array_filter($workers->results());
    usleep((int) (1e6 * (HOLDOFF + (at_full_size() ? 2 : 0.3))));
    $judge = new Client($kind, $server, $transport);
    $told = ['judged' => 0, 'old' => 0, 'unacknowledged' => 0, 'old of those' => 0];
    foreach (array_column($results, 'acknowledged') as $acknowledged) {
        foreach ($acknowledged as $row => $version) {
            $current = $rows->read($row);
            $found = $judge->fresh("row$row");
            $is_old = $found !== null && $found !== $current;
            $told[$version === $current ? 'judged' : 'unacknowledged']++;
            $told[$version === $current ? 'old' : 'old of those'] += $is_old;
        }
    }
    unlink($path);
    foreach (['operations', 'stored', 'refused', 'looked'] as $what) {
        $told[$what] = array_sum(array_column($results, $what));
    }
    $told['old'] += array_sum(array_column($results, 'old'));
    $told['evictions'] = (int) $server->stats()['evictions'];
    $server->dispose();
    return $told;
}

$seconds = (float) (getenv('GUARDED_SECONDS') ?: (at_full_size() ? 60 : 0.8));
foreach (['libmemcached' => Transport::Libmemcached, 'direct' => Transport::Direct] as $name => $transport) {
    $told = play('guarded', $transport, $seconds);
    report_figures("guarded, $name: " . json_encode($told));
    echo "$name: $told[old] old ones", $told['looked'] > 0 ? '' : ', none judged', $told['stored'] > 10 ? '' : ', none stored', "\n";
}
// One such scene may do no harm; some of many do.
for ($old = 0, $try = 0; $old === 0 && $try < 20; $try++) {
    foreach (extension_loaded('memcached') ? ['unguarded', 'php-memcached'] : ['unguarded'] as $kind) {
        $told = play($kind, Transport::Libmemcached, $seconds);
        report_figures("$kind: " . json_encode($told));
        $old += $told['old'];
    }
}
echo 'without the guard: ', $old > 0 ? 'some' : 'none', "\n";
?>
--EXPECT--
libmemcached: 0 old ones
direct: 0 old ones
without the guard: some
