#!/bin/sh
# Builds the documentation in docs as a web site by MkDocs, and serves it; ./outpost docs starts this.
set -eu

MERMAID=11.14.0

usage() {
    cat <<'EOT'
./outpost docs [--address HOST:PORT]   builds the documentation as a web site and serves it, by default on 127.0.0.1:8000
./outpost docs --build DIR             only writes the site to a folder, which any web server can serve; fails on a dead link
It needs Python 3.10 or newer with the modules venv and ensurepip.
EOT
}

# die and busy
. "$(dirname -- "$0")/../dist/src/main/sh/common.sh"

wrong_usage() {
    printf 'outpost: %s\nTry: ./outpost docs --help\n' "$*" >&2
    exit 2
}

find_python() {
    for python in python3 python; do
        if command -v "$python" >/dev/null 2>&1 &&
            "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            "$python" -c 'import ensurepip, venv' 2>/dev/null ||
                die "docs: Python's modules venv and ensurepip are missing; on Debian and Ubuntu the package python3-venv has them"
            return
        fi
    done
    die "docs: no Python 3.10 or newer is on the PATH; install one, or read the pages as they are, from docs/README.md on"
}

# The virtual environment is made again when the list of its libraries changes.
make_environment() {
    if [ -x "$TOOLS/venv/bin/mkdocs" ] && cmp -s packaging/site/requirements.txt "$TOOLS/requirements.txt"; then return; fi
    find_python
    echo "downloading MkDocs ..." >&2
    rm -f "$TOOLS/requirements.txt"
    busy "downloading MkDocs" "" install_tools || {
        tail -n 3 "$TOOLS/output" >&2
        die "docs: the libraries of packaging/site/requirements.txt could not be installed"
    }
    cp packaging/site/requirements.txt "$TOOLS/requirements.txt"
}

install_tools() {
    {
        "$python" -m venv --clear "$TOOLS/venv" &&
            "$TOOLS/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r packaging/site/requirements.txt
    } >"$TOOLS/output" 2>&1
}

# The library that draws diagrams is part of the site, so that a reader's browser asks no other host.
find_mermaid() {
    OUTPOST_DOCS_MERMAID=$TOOLS/mermaid-$MERMAID.min.js
    export OUTPOST_DOCS_MERMAID
    if [ -r "$OUTPOST_DOCS_MERMAID" ]; then return; fi
    busy "downloading Mermaid" "" unpack_mermaid || {
        tail -n 3 "$TOOLS/output" >&2
        die "docs: the library Mermaid $MERMAID could not be downloaded"
    }
    mv "$TOOLS/mermaid/META-INF/resources/webjars/mermaid/$MERMAID/dist/mermaid.min.js" "$OUTPOST_DOCS_MERMAID"
    rm -rf "$TOOLS/mermaid"
}

unpack_mermaid() {
    ./mvnw -q --non-recursive dependency:unpack "-Dartifact=org.webjars.npm:mermaid:$MERMAID" \
        -Dmdep.unpack.includes='**/dist/mermaid.min.js' "-DoutputDirectory=$TOOLS/mermaid" >"$TOOLS/output" 2>&1
}

build_site() { "$TOOLS/venv/bin/mkdocs" build --quiet --strict --site-dir "$directory" >"$TOOLS/output" 2>&1; }

directory= address=127.0.0.1:8000
while [ $# -gt 0 ]; do
    case $1 in
        --help | -h)
            usage
            exit
            ;;
        --build | --address)
            [ $# -ge 2 ] && [ -n "$2" ] || wrong_usage "docs $1: a value is missing"
            if [ "$1" = --build ]; then directory=$2; else address=$2; fi
            shift
            ;;
        *) wrong_usage "docs does not know $1" ;;
    esac
    shift
done
case $address in
    *:*) ;;
    *) wrong_usage "docs --address: expected HOST:PORT, got $address" ;;
esac
case $directory in
    '' | /*) ;;
    *) directory=${OUTPOST_CALLER:-$PWD}/$directory ;;
esac
cd "$(dirname -- "$0")/../.."
# MkDocs deletes all files of the folder.
if [ -d "$directory" ] && ! [ -e "$directory/sitemap.xml" ] && [ -n "$(ls -A "$directory")" ]; then
    die "docs: $directory has other files; name a new folder, or one with an earlier site"
fi
TOOLS=$PWD/target/site-tools
mkdir -p "$TOOLS"
# One process at a time makes the environment.
if command -v flock >/dev/null 2>&1; then
    exec 8>"$TOOLS/lock"
    flock 8
fi
make_environment
find_mermaid
exec 8>&-
# MkDocs reports the end of life of its theme in each run.
export NO_MKDOCS_2_WARNING=1
if [ -n "$directory" ]; then
    busy "building the site" "" build_site || {
        cat "$TOOLS/output" >&2
        die "docs: the site was not built"
    }
    echo "the site is in $directory"
else
    exec "$TOOLS/venv/bin/mkdocs" serve --dev-addr "$address"
fi
