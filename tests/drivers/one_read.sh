#!/bin/sh
# A driver behind a command for one read: one_read.sh ENGINE NAME N_LAYERS N_EXPERTS load|trust FILE
# prints the counters, and ends with 0 where the file was accepted, 1 where it was refused and 2 otherwise.
printf 'init %s %s %s\n%s %s\ncounts\n' "$2" "$3" "$4" "$5" "$6" | "$1" | awk '
    NR == 2 { status = $1 == "ok" ? 0 : $1 == "refused" ? 1 : 2 }
    NR > 2 && $1 != "ok" { print }
    END { exit NR > 2 ? status : 2 }'
