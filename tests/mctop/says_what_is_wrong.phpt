--TEST--
mctop reports an error in 1 line and by its exit status
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/dashboard.inc';
require __DIR__ . '/../_support/mctop.inc';

function tell(string $case, array $told): void
{
    echo "$case: ", preg_replace('/127\.0\.0\.1:\d+/', 'HOST', trim($told[0])), " ($told[1])\n";
}

tell('no terminal', run_mctop([]));
tell('no option', run_mctop(['--all']));
tell('interval', run_mctop(['--interval', '0']));
tell('interval', run_mctop(['--interval']));
tell('no extension', run_mctop(['--once'], [], false));
tell('nothing there', run_mctop(['--once', 'http://127.0.0.1:' . find_free_port() . '/']));
$dashboard = start_dashboard(['MCPATTERNS_DASHBOARD_PASSWORD' => 'secret', 'DASHBOARD' => __DIR__ . '/far_away.inc']);
tell('password wanted', run_mctop(['--once', $dashboard->url]));
tell('wrong password', run_mctop(['--once', $dashboard->url], environment: 'MCPATTERNS_DASHBOARD_PASSWORD=wrong'));
echo preg_match('/^mctop  \S+, /', run_mctop(['--once', $dashboard->url], environment: 'MCPATTERNS_DASHBOARD_PASSWORD=secret')[0]) ? "right password\n" : "no\n";
$other = start_dashboard(['DASHBOARD' => __DIR__ . '/another_page.inc']);
tell('another page', run_mctop(['--once', $other->url]));
echo strtok(run_mctop(['-h'])[0], "\n"), "\n";
?>
--EXPECT--
no terminal: mctop: standard output is not a terminal; use mctop --once (2)
no option: mctop: "--all" is not an option or a URL; see mctop -h (2)
interval: mctop: --interval must be between 0.2 and 60 seconds (2)
interval: mctop: --interval must be between 0.2 and 60 seconds (2)
no extension: mctop: this PHP has not loaded the extension mcpatterns; see mctop -h, or pass the URL of a dashboard (1)
nothing there: mctop: http://HOST/ does not reply (1)
password wanted: mctop: http://HOST/ replied with status 401: A password is wanted. (1)
wrong password: mctop: http://HOST/ replied with status 401: A password is wanted. (1)
right password
another page: mctop: http://HOST/ is not a dashboard of mcpatterns (1)
usage: mctop [--once] [--interval SECONDS] [URL]
