<?php
// curl_multi_exec() and curl_multi_select().
require 'ask.php';

function run(CurlMultiHandle $multi): array
{
    $results = [];
    do {
        curl_multi_exec($multi, $running);
        while ($done = curl_multi_info_read($multi)) {
            $results[] = $done['result'];
        }
        $running && curl_multi_select($multi, 10);
    } while ($running);
    return $results;
}

$multi = curl_multi_init();
$handles = [];
for ($n = 1; $n <= max($count, 1); $n++) {
    $handles[$n] = handle($count
        ? fn ($curl, $bytes) => file_put_contents($n, $bytes, FILE_APPEND)
        : fn ($curl, $bytes) => take($bytes));
    curl_multi_add_handle($multi, $handles[$n]);
}
$results = run($multi);
exit(count($results) == max($count, 1) ? max($results) : 99);
