#!/bin/sh
# Arguments for a C compiler become those for its linker, which rustc tells first for which system it is to link.
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
