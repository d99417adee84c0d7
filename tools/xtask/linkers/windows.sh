# A library for Windows says when it was linked, which would make it another file each time. And zig does not read the list of exports
# that rustc gives the linker, and exports everything, unless the list is an input.
export SOURCE_DATE_EPOCH=0
for argument do
    shift
    case $argument in
        -Wl,*.def) set -- "$@" "${argument#-Wl,}" ;;
        *) set -- "$@" "$argument" ;;
    esac
done
