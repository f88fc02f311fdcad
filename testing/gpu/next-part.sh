#!/bin/sh
# Runs the next open part of gpu-check where there is a GPU for a few minutes: next-part.sh [--minutes NUMBER] [--output DIR] [FOLDER]
# FOLDER is a source tree, an unpacked pack, or has gpu-check.tar.gz in it; unless given, it is looked for from here on upwards. The
# output of each part, and the record by which the next call knows which part comes next, go to DIR, ./gpu-check-output unless given.
# More options for gpu-check follow "--".
set -eu

die() {
    printf 'next-part: %s\n' "$*" >&2
    exit 2
}

# The command that starts gpu-check from a folder, in $command; fails where there is none.
find_command() {
    if [ -x "$1/gpu-check" ] && [ -d "$1/runtime" ]; then
        command=$1/gpu-check
        words=
    elif [ -x "$1/gpu-check/gpu-check" ]; then
        command=$1/gpu-check/gpu-check
        words=
    elif [ -r "$1/gpu-check.tar.gz" ]; then
        tar -xzf "$1/gpu-check.tar.gz" -C "$1"
        command=$1/gpu-check/gpu-check
        words=
    elif [ -x "$1/outpost" ] && [ -r "$1/pom.xml" ]; then
        command=$1/outpost
        words=gpu-check
    else
        return 1
    fi
}

minutes=3
output=gpu-check-output
folder=
while [ $# -gt 0 ]; do
    case $1 in
        --minutes | --output)
            [ $# -ge 2 ] || die "$1: its value is missing"
            if [ "$1" = --minutes ]; then minutes=$2; else output=$2; fi
            shift
            ;;
        --)
            shift
            break
            ;;
        -*) die "$1 is not known: next-part.sh [--minutes NUMBER] [--output DIR] [FOLDER] [-- OPTIONS]" ;;
        *) folder=$1 ;;
    esac
    shift
done

if [ -n "$folder" ]; then
    folder=$(CDPATH='' cd -- "$folder" && pwd -P) || die "there is no folder $folder"
    find_command "$folder" || die "$folder has neither a pack of gpu-check nor a source tree"
else
    folder=$PWD
    until find_command "$folder"; do
        [ "$folder" != / ] || die "neither a pack of gpu-check nor a source tree is here or above: name its folder"
        folder=$(dirname "$folder")
    done
fi

# A source tree is built first, which is not the part's time.
# shellcheck disable=SC2086 # there may be no word
"$command" $words --list >/dev/null

# The part keeps to its time by itself. What hangs, such as a driver that does not answer, is ended two minutes later.
mkdir -p "$output"
output=$(CDPATH='' cd -- "$output" && pwd -P)
limit=$(awk -v minutes="$minutes" 'BEGIN { printf "%d", 60 * minutes + 120 }')
status=0
# shellcheck disable=SC2086 # there may be no word
(cd "$folder" && exec timeout --kill-after=10 "$limit" "$command" $words --next --minutes "$minutes" --output "$output" "$@") \
    >"$output/last.txt" 2>&1 || status=$?
cat "$output/last.txt"
if [ "$status" = 124 ] || [ "$status" = 137 ]; then
    echo "next-part: the part did not end within $limit seconds; $output/last.txt has what it found, gpu-check.results what is recorded" >&2
fi
exit "$status"
