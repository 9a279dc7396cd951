# WWW::Curl::Easy.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Ask;

exit Ask::handle->perform;
