<?php
// One request: $argv[1] is the URL, $argv[2] the body.
$curl = curl_init($argv[1]);
curl_setopt($curl, CURLOPT_POSTFIELDS, $argv[2]);
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
$answer = curl_exec($curl);
echo $answer === false ? curl_error($curl) : $answer;
exit((int) (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) != 200));
