#!/bin/sh
# Converts arguments for a C compiler to arguments for its linker. rustc passes the target system
# first.
set -f
for argument do
    shift
    case $argument in
        -Wl) ;;
        -Wl,*)
            before=$IFS
            IFS=,
            set -- "$@" ${argument#-Wl,}
            IFS=$before
            ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec '@LLD@' "$@"
