<?php
// curl_exec().
require 'ask.php';

$curl = handle(fn ($curl, $bytes) => take($bytes));
curl_exec($curl);
exit(curl_errno($curl));
