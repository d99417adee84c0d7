# By default a Windows library contains its link time, which makes every build different. zig
# ignores rustc's list of exports, and exports everything, unless the list is an input file.
export SOURCE_DATE_EPOCH=0
for argument do
    shift
    case $argument in
        -Wl,*.def) set -- "$@" "${argument#-Wl,}" ;;
        *) set -- "$@" "$argument" ;;
    esac
done
