# One request: the first argument is the URL, the second the body.
package require TclCurl

set easy [curl::init]
$easy configure -url [lindex $argv 0] -postfields [lindex $argv 1]
$easy perform
exit [expr {[$easy getinfo responsecode] != 200}]
