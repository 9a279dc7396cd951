<?php
// What the scripts share: URL BODY [LIMIT [COUNT]].
const NO_LIMIT = PHP_INT_MAX;
[, $url, $body] = $argv;
$limit = (int) ($argv[3] ?? '') ?: NO_LIMIT;
$count = (int) ($argv[4] ?? '');

// Prints bytes until there were $limit; says how many it took.
function take(string $bytes): int
{
    global $limit;
    $taken = $limit == NO_LIMIT ? $bytes : substr($bytes, 0, $limit);
    $limit -= $limit == NO_LIMIT ? 0 : strlen($taken);
    echo $taken;
    return $limit ? strlen($bytes) : 0;
}

function handle(callable $write): CurlHandle
{
    global $url, $body;
    $curl = curl_init($url);
    if ($body !== '') {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    }
    curl_setopt($curl, CURLOPT_WRITEFUNCTION, $write);
    return $curl;
}
