# TclCurl's easy interface.
source [file join [file dirname [info script]] ask.tcl]

set code [catch {[handle] perform} result]
flush stdout
exit [expr {$code ? $result : 0}]
