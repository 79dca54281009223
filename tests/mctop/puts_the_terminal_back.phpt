--TEST--
mctop redraws when resized and restores the terminal after q and signals
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
$process = @proc_open(['true'], [['pty'], ['pty'], ['pty']], $pipes);
$process !== false || die('skip needs pseudo terminals, which this PHP or this machine does not have');
?>
--FILE--
<?php
require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../_support/mctop.inc';

/** mctop in a terminal of 50 columns and 12 rows, whose settings are noted before and after. */
final class Session
{
    public string $seen = '';
    public string $folder;
    private $process;
    private array $pipes = [];

    public function __construct()
    {
        $this->folder = make_temporary_folder('mctop');
        register_shutdown_function(fn () => remove_folder($this->folder));
        $shell = 'cd "$0"; tty > tty; stty rows 12 cols 50; stty -g > before; trap : INT; "$@"; echo $? > status; stty -g > after';
        $settings = ini_get('extension_dir') && is_file(ini_get('extension_dir') . '/pcntl.so') ? ['extension' => 'pcntl'] : [];
        $command = mctop_command(['--interval', '0.2'], []);
        array_splice($command, 2, 0, $settings ? ['-d', 'extension=pcntl'] : []);
        $this->process = proc_open(['setpriv', '--pdeathsig', 'KILL', 'sh', '-c', $shell, $this->folder, ...$command], [['pty'], ['pty'], ['pty']], $this->pipes);
        stream_set_blocking($this->pipes[1], false);
    }

    /** Until the condition holds; false after some seconds. */
    public function await(callable $condition): bool
    {
        $deadline = microtime(true) + 15;
        do {
            $this->seen .= (string) @fread($this->pipes[1], 65536);
            if ($condition($this->seen)) {
                return true;
            }
            usleep(5000);
        } while (microtime(true) < $deadline);
        return false;
    }

    public function file(string $name): string
    {
        return trim((string) @file_get_contents("$this->folder/$name"));
    }

    public function type(string $key): void
    {
        fwrite($this->pipes[0], $key);
    }

    public function signal(int $signal): void
    {
        $shell = proc_get_status($this->process)['pid'];
        foreach (preg_split('/\s+/', (string) file_get_contents("/proc/$shell/task/$shell/children"), -1, PREG_SPLIT_NO_EMPTY) as $child) {
            send_signal((int) $child, $signal);
        }
    }

    public function end(): string
    {
        $is_over = $this->await(fn () => $this->file('after') !== '');
        return ($is_over ? 'ended ' . $this->file('status') : 'still there') . ($this->file('before') === $this->file('after') ? ', settings as before' : ', settings changed')
            . (str_contains($this->seen, "\e[?25h\e[?1049l") ? ', screen as before' : ', screen changed');
    }
}

/** The longest line of the newest picture, and how many there are. */
function size_of(string $seen): string
{
    $pictures = explode("\e[H", $seen);
    $lines = explode("\n", preg_replace('/\e\[[\d;]*[A-Za-z]|\r/', '', explode("\e[?25h", $pictures[count($pictures) - 2])[0]));
    return max(array_map(fn (string $line): int => preg_match_all('/./su', $line), $lines)) . ' columns, ' . count($lines) . ' lines';
}

$session = new Session();
var_dump($session->await(fn (string $seen) => substr_count($seen, 'mctop ') >= 3));
echo 'at most 50 and 12: ', size_of($session->seen), "\n";
exec('stty -F ' . escapeshellarg($session->file('tty')) . ' rows 30 cols 40');
$session->signal(SIGWINCH);
$session->seen = '';
$session->await(fn (string $seen) => substr_count($seen, 'mctop ') >= 4);
echo 'at most 40: ', size_of($session->seen), "\n";
$session->type('x');
$session->type('q');
echo 'q: ', $session->end(), "\n";
foreach (['SIGTERM' => SIGTERM, 'SIGHUP' => SIGHUP, 'SIGINT' => SIGINT, 'SIGQUIT' => SIGQUIT] as $name => $signal) {
    $session = new Session();
    $session->await(fn (string $seen) => substr_count($seen, 'mctop ') >= 2);
    $session->signal($signal);
    echo "$name: ", $session->end(), "\n";
}
?>
--EXPECTF--
bool(true)
at most 50 and 12: 50 columns, %d lines
at most 40: 40 columns, %d lines
q: ended 0, settings as before, screen as before
SIGTERM: ended 0, settings as before, screen as before
SIGHUP: ended 0, settings as before, screen as before
SIGINT: ended 0, settings as before, screen as before
SIGQUIT: ended 0, settings as before, screen as before
