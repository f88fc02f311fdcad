# What the launchers of a clone (./outpost) and of the zip (bin/outpost) share. They set ROOT, CALLER, RUNTIME_JAR, RUNTIME_CACHE and
# BACKEND_JAR, and the functions class_path and relay_class_path say what the command line and the relay run with.
# shellcheck shell=sh disable=SC2154

MIN_JAVA=25

die() {
    printf 'outpost: %s\n' "$*" >&2
    exit 1
}

# --- the end ---------------------------------------------------------------------------------------------------------

# What is ended or removed if a signal ends the launcher: a process that shows progress, the runtime that is trained with its folder, a
# file that is being written, and the lock of a build.
shower= trained= training= unfinished= locked=

clean_up() {
    end_shower
    [ -z "$trained" ] || kill -KILL "$trained" 2>/dev/null || true
    for left in "$training" "$unfinished" "$locked"; do
        [ -z "$left" ] || rm -rf "$left"
    done
}

clean_up_at_end() {
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap 'exit 129' HUP
}

# Removes the traps, unless something is still to be removed.
leave_end() {
    [ -n "$trained$training$unfinished$locked" ] || trap - EXIT INT TERM HUP
}

# --- progress --------------------------------------------------------------------------------------------------------

# Runs a command, and shows on standard error that it still works once that takes longer than 2 s: a line that is redrawn in a terminal,
# plain lines after 10, 20, 40 s and so on in a pipe. In a report of Maven's the modules are counted, which gives the time left.
# busy TITLE REPORT COMMAND...; the report may be empty. OUTPOST_PROGRESS=off shows nothing.
busy() {
    title=$1 report=$2
    shift 2
    if [ "${OUTPOST_PROGRESS:-}" = off ]; then
        "$@"
        return
    fi
    # It holds neither the locks of the launchers nor the standard output.
    show_progress "$title" "$report" >/dev/null 8<&- 9<&- &
    shower=$!
    clean_up_at_end
    status=0
    "$@" || status=$?
    end_shower
    leave_end
    return "$status"
}

end_shower() {
    [ -n "$shower" ] || return 0
    kill "$shower" 2>/dev/null || true
    wait "$shower" 2>/dev/null || true
    shower=
    if is_redrawn; then printf '\r\033[K' >&2 || true; fi
}

# Whether a process runs. One that has ended is also listed until its parent has asked for its status.
is_running() {
    kill -0 "$1" 2>/dev/null || return 1
    case $({ sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status" || ps -o stat= -p "$1"; } 2>/dev/null) in
        Z*) return 1 ;;
    esac
    return 0
}

# Whether a line of standard error can be redrawn.
is_redrawn() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }

show_progress() {
    passed=0 told=10
    # A launcher that was killed cannot end it.
    while sleep 1 >/dev/null 2>&1 && is_running $$; do
        passed=$((passed + 1))
        if is_redrawn; then
            [ "$passed" -lt 2 ] || printf '\r\033[K%s' "$(progress_line "$1" "$2" "$passed")" >&2
        elif [ "$passed" -ge "$told" ]; then
            told=$((told * 2))
            printf '%s\n' "$(progress_line "$1" "$2" "$passed")" >&2
        fi
    done
}

# "building Outpost: 12 of 31 modules, 0:40 passed, 1:05 left"
progress_line() {
    begun=
    [ ! -r "$2" ] || begun=$(sed -n 's/^\[INFO\] Building .*\[\([0-9]*\/[0-9]*\)\]$/\1/p' "$2" | tail -n 1)
    finished=$((${begun:+${begun%/*} - 1} + 0)) all=${begun#*/}
    printf '%s: ' "$1"
    [ -z "$begun" ] || printf '%s of %s modules, ' "$finished" "$all"
    printf '%d:%02d passed' $(($3 / 60)) $(($3 % 60))
    if [ "$finished" -ge 3 ]; then
        left=$(($3 * (all - finished) / finished))
        printf ', %d:%02d left' $((left / 60)) $((left % 60))
    fi
}

# --- Java ------------------------------------------------------------------------------------------------------------

# Whether $1 is the home of a Java that is new enough and has the tools in NEEDED_TOOLS. Its release file tells without starting it.
is_java() {
    [ -r "$1/release" ] || return 1
    for tool in java $NEEDED_TOOLS; do
        [ -x "$1/bin/$tool" ] || return 1
    done
    major=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9]*\).*/\1/p' "$1/release")
    [ "${major:-0}" -ge "$MIN_JAVA" ]
}

# The home of the java on the PATH. Asked of java itself, for it may be a shim of a version manager.
home_of_java_on_path() {
    command -v java >/dev/null 2>&1 || return 1
    java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

find_java() {
    if is_java "${JAVA_HOME:-}"; then return; fi
    if JAVA_HOME=$(home_of_java_on_path) && is_java "$JAVA_HOME"; then return; fi
    for JAVA_HOME in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/java/* /opt/jdk/* \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "${HOME:-}"/.local/share/mise/installs/java/* \
        "${HOME:-}"/.asdf/installs/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*; do
        if is_java "$JAVA_HOME"; then return; fi
    done
    die "$JAVA_KIND $MIN_JAVA or newer was not found in JAVA_HOME, on the PATH or in the usual folders:" \
        "get one, for instance from https://adoptium.net, and set JAVA_HOME to its folder."
}

# --- programs --------------------------------------------------------------------------------------------------------

# A JVM takes one collector only, and the user may have chosen another.
case "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" in
    *-XX:+Use*GC*) SERIAL_GC= ;;
    *) SERIAL_GC=-XX:+UseSerialGC ;;
esac
# What the CPU engine and Netty do below Java is meant; without these the JVM warns of it.
JAVA_FLAGS='--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow'
# For the mock's engine, which adds the Vector API when a kernel first wants it. The runtime's manifest says the same.
CLI_FLAGS="$JAVA_FLAGS --add-exports=java.base/jdk.internal.module=ALL-UNNAMED"
# For commands that compute nothing themselves: they end before the optimizing compiler would be of use.
QUICK_FLAGS="-XX:TieredStopAtLevel=1 $SERIAL_GC"
# Values are large arrays: in pages of 4 KiB a chain over a million elements took four times as long on a virtual machine. And at
# a start the compilers have less time to spend on what runs a few hundred times; patience of 5 would make the first minute slow.
# Loops of the Vector API are of use only once they are compiled, so little is gained by waiting for many calls of them; what they
# are made of has to be inlined whatever the JIT has seen by then, or each vector is an object for good: one start in eight had an
# exponential that took five times as long. The loops themselves are not to be inlined into who calls them: two or three in one
# method took half as long again as each by itself.
RUNTIME_FLAGS="$JAVA_FLAGS -XX:+UseTransparentHugePages -XX:CompileThresholdScaling=2 -XX:CompileCommand=quiet -XX:CompileCommand=CompileThresholdScaling,dev.outpost.runtime.engine.cpu.chain.Vector*::*,0.05 -XX:CompileCommand=CompileThresholdScaling,dev.outpost.runtime.engine.cpu.fold.Vector*::*,0.05 -XX:CompileCommand=CompileThresholdScaling,dev.outpost.runtime.engine.cpu.product.Vector*::*,0.05 -XX:CompileCommand=CompileThresholdScaling,dev.outpost.runtime.engine.cpu.strip.Vector*::*,0.05 -XX:CompileCommand=CompileThresholdScaling,dev.outpost.runtime.engine.cpu.tile.Vector*::*,0.05 -XX:CompileCommand=CompileThresholdScaling,dev.outpost.runtime.engine.cpu.vector.Vector*::*,0.05 -XX:CompileCommand=CompileThresholdScaling,dev.outpost.runtime.engine.cpu.window.Vector*::*,0.05 -XX:CompileCommand=inline,dev.outpost.runtime.engine.cpu.vector.VectorMath::* -XX:CompileCommand=inline,dev.outpost.runtime.engine.cpu.chain.VectorSteps::* -XX:CompileCommand=dontinline,dev.outpost.runtime.engine.cpu.chain.VectorChain*::run -XX:CompileCommand=dontinline,dev.outpost.runtime.engine.cpu.tile.VectorTranscendentals::* -XX:CompileCommand=dontinline,dev.outpost.runtime.engine.cpu.fold.VectorFolds::* -XX:CompileCommand=dontinline,dev.outpost.runtime.engine.cpu.tile.VectorNumbers::* -XX:CompileCommand=dontinline,dev.outpost.runtime.engine.cpu.tile.VectorTiles::*"
# 512 MB are enough for the rows of 10,000 machines. A backend without memory ends, so that it is started again.
BACKEND_FLAGS="$JAVA_FLAGS -Xmx512m -XX:+ExitOnOutOfMemoryError"
# What passes is in direct memory: 64 KiB and what is under way, for each side of a connection that is held up.
RELAY_FLAGS="$JAVA_FLAGS -Xmx64m -XX:MaxDirectMemorySize=384m $SERIAL_GC"

# Runs the command line in a process of its own.
# shellcheck disable=SC2086 # the flags are separate words
java_cli() {
    "$JAVA_HOME/bin/java" $CLI_FLAGS -cp "$(class_path)" dev.outpost.cli.Outpost "$@"
}

# The programs below replace the launcher's process.
# shellcheck disable=SC2086 # the flags are separate words
exec_cli() {
    classes=$(class_path)
    cd "$CALLER"
    exec "$JAVA_HOME/bin/java" $CLI_FLAGS -cp "$classes" dev.outpost.cli.Outpost "$@"
}

# Refuses what is no file with a Java program. check_program [FILE]
check_program() {
    [ $# -gt 0 ] || die "run which file? outpost run FILE.java [ARGUMENT...]"
    case $1 in
        *.java) ;;
        *) die "run $1: the name of a Java program ends with .java: outpost run FILE.java [ARGUMENT...]" ;;
    esac
    (cd "$CALLER" && [ -r "$1" ]) || die "run $1: there is no such file, or it cannot be read"
}

# Whether a program uses a package of models, or names a machine that is a process. uses_models FILE; names_process FILE
uses_models() { (cd "$CALLER" && grep -Eq 'dev\.outpost\.(models|inference)' "$1"); }
names_process() { (cd "$CALLER" && grep -q '"process' "$1"); }

# Runs a program in one file, which the JVM compiles. Its own JVM computes, unless a machine is named.
# shellcheck disable=SC2086 # the flags are separate words
exec_program() {
    classes=$(class_path)
    cd "$CALLER"
    export OUTPOST_MACHINE="${OUTPOST_MACHINE:-mock:any}"
    exec "$JAVA_HOME/bin/java" $CLI_FLAGS -cp "$classes" "$@"
}

# The same for commands that compute nothing themselves. The zip has a cache of classes for them in CLI_CACHE.
# shellcheck disable=SC2086 # the flags are separate words
exec_quick_cli() {
    classes=$(class_path)
    cd "$CALLER"
    cache=
    [ ! -s "${CLI_CACHE:-}" ] || cache=-XX:AOTCache=$CLI_CACHE
    # A cache of another Java is ignored, and not worth a warning.
    exec "$JAVA_HOME/bin/java" $QUICK_FLAGS ${cache:+"$cache" -Xlog:aot*=off} $CLI_FLAGS -cp "$classes" dev.outpost.cli.Outpost "$@"
}

# shellcheck disable=SC2086 # the flags are separate words
exec_runtime() {
    cd "$CALLER"
    cache=$(cache_flag)
    exec "$JAVA_HOME/bin/java" $RUNTIME_FLAGS ${cache:+"$cache"} -jar "$RUNTIME_JAR" "$@"
}

# What the runtime's manifest says, for a runtime on a class path. Its cache cannot be used with these flags.
RUNTIME_OPENS="--add-exports=java.base/jdk.internal.module=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"

# A runtime that others find, with what runs ONNX models beside it; onnx_class_path says where that is.
# shellcheck disable=SC2086 # the flags are separate words
exec_announced() {
    classes=$(onnx_class_path)
    cd "$CALLER"
    exec "$JAVA_HOME/bin/java" $RUNTIME_FLAGS $RUNTIME_OPENS -cp "$classes" dev.outpost.runtime.server.RuntimeMain "$@"
}

# shellcheck disable=SC2086 # the flags are separate words
exec_backend() {
    cd "$CALLER"
    exec "$JAVA_HOME/bin/java" $BACKEND_FLAGS -jar "$BACKEND_JAR" "$@"
}

# A machine of the provider "mock" computes in the server's process, as a runtime does in its own.
# shellcheck disable=SC2086 # the flags are separate words
exec_serve() {
    cd "$CALLER"
    exec "$JAVA_HOME/bin/java" $RUNTIME_FLAGS --add-exports=java.base/jdk.internal.module=ALL-UNNAMED \
        -jar "$SERVING_JAR" "$@"
}

# shellcheck disable=SC2086 # the flags are separate words
exec_relay() {
    classes=$(relay_class_path)
    cd "$CALLER"
    exec "$JAVA_HOME/bin/java" $RELAY_FLAGS -cp "$classes" dev.outpost.relay.RelayMain "$@"
}

# Whether a machine may be a process on this host, by the arguments or by $OUTPOST_MACHINE: the runtime is then needed as well.
wants_process() {
    for argument in "${OUTPOST_MACHINE:-}" "$@"; do
        case $argument in
            process | process:* | *=process | *=process:* | worker) return 0 ;;
        esac
    done
    return 1
}

# How the provider "process" starts a runtime, unless the caller says otherwise.
export_process_settings() {
    export OUTPOST_PROCESS_JAR="${OUTPOST_PROCESS_JAR:-$RUNTIME_JAR}"
    if [ -n "$RUNTIME_CACHE" ]; then export OUTPOST_PROCESS_CACHE="${OUTPOST_PROCESS_CACHE:-$RUNTIME_CACHE}"; fi
    export OUTPOST_PROCESS_FLAGS="${OUTPOST_PROCESS_FLAGS:-$RUNTIME_FLAGS}"
}

# Whether a cache can be written to this file. Without a cache, a program starts all the same, only slower.
is_cache_writable() {
    [ -n "$1" ] && mkdir -p "${1%/*}" 2>/dev/null && [ -w "${1%/*}" ] && { true >"$1.$$"; } 2>/dev/null && rm -f "$1.$$"
}

# Puts a new cache in its place. Where a training wrote none, an empty file says that it was tried. keep_cache FILE
keep_cache() {
    [ -e "$1.$$" ] || { true >"$1.$$"; } 2>/dev/null || return 0
    mv -f "$1.$$" "$1" 2>/dev/null || rm -f "$1.$$"
}

# A short life under observation: what it loaded and compiled goes into a cache that later starts map into memory.
train_runtime() {
    is_cache_writable "$RUNTIME_CACHE" || return 0
    echo "preparing the runtime for quick starts (once) ..." >&2
    rm -f "$RUNTIME_CACHE"
    clean_up_at_end
    training=$(mktemp -d)
    unfinished=$RUNTIME_CACHE.$$
    # Looked into right away, perhaps before the runtime's shell has made it.
    : >"$training/out"
    # shellcheck disable=SC2086 # the flags are separate words
    "$JAVA_HOME/bin/java" $RUNTIME_FLAGS "-XX:AOTCacheOutput=$unfinished" -Doutpost.cpu.vectors=false \
        -jar "$RUNTIME_JAR" --host 127.0.0.1 --port 0 >"$training/out" 2>"$training/log" 9<&- &
    trained=$!
    busy "preparing the runtime" "" use_trained_runtime || die "the runtime did not start: $(cat "$training/log")"
    rm -rf "$training"
    keep_cache "$RUNTIME_CACHE"
    trained= training= unfinished=
    leave_end
}

# Trains a model on the runtime under observation, and ends it, which writes the cache. False if it does not start.
use_trained_runtime() {
    until grep -q '^device' "$training/out"; do
        kill -0 $trained 2>/dev/null || return 1
        sleep 0.1
    done
    OUTPOST_TOKEN=$(sed -n 's/^token *//p' "$training/out") java_cli demo --epochs 1 \
        --endpoint "$(sed -n 's/^endpoint *//p' "$training/out")" >/dev/null 2>&1 || true
    kill $trained
    wait $trained || true
}

# The flag that uses the cache; without one the runtime starts all the same, only slower.
cache_flag() {
    [ ! -s "$RUNTIME_CACHE" ] || printf '%s' "-XX:AOTCache=$RUNTIME_CACHE"
}
