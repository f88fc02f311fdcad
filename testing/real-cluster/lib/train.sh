#!/bin/bash
# Trains the runtime's AOT cache as deploy/Containerfile does: train.sh TREE JDK FOLDER. FOLDER becomes /opt/outpost, and so it must
# run in namespaces of its own for mounts and network.
set -euo pipefail
tree=$1 jdk=$2 folder=$3
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
ip link set lo up
mount --make-rprivate /
mkdir -p /opt/outpost
mount --bind "$folder" /opt/outpost

/opt/outpost/java/bin/java @/opt/outpost/java.options -XX:AOTCacheOutput=/opt/outpost/runtime.aot \
    -Doutpost.cpu.vectors=false -jar /opt/outpost/runtime.jar --host 127.0.0.1 --port 0 >"$work/printed" 2>"$work/log" &
runtime=$!
until grep -qs '^device' "$work/printed"; do
    kill -0 $runtime || {
        cat "$work/log" >&2
        exit 1
    }
    sleep 0.1
done
OUTPOST_TOKEN=$(sed -n 's/^token *//p' "$work/printed") "$jdk/bin/java" @/opt/outpost/java.options \
    -cp "$tree/cli/core/target/classes:$(cat "$tree/cli/core/target/classpath")" dev.outpost.cli.Outpost \
    demo --epochs 1 --endpoint "$(sed -n 's/^endpoint *//p' "$work/printed")" >>"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
kill $runtime
wait $runtime || true
test -s /opt/outpost/runtime.aot || {
    cat "$work/log" >&2
    exit 1
}
