# shellcheck shell=bash disable=SC2034,SC2154
# Settings and functions of all scripts of this folder. They source this file with "here" set to the folder.

# The folder of everything that is built, generated or written while the cluster runs.
REAL_CLUSTER_HOME=${REAL_CLUSTER_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/outpost/real-cluster}

# The priority of builds and of the cluster's processes: 0 is normal, 19 is the lowest.
REAL_CLUSTER_NICE=${REAL_CLUSTER_NICE:-5}

# How long "up" waits for each API server and for the node.
REAL_CLUSTER_START_SECONDS=${REAL_CLUSTER_START_SECONDS:-300}
export REAL_CLUSTER_HOME REAL_CLUSTER_NICE REAL_CLUSTER_START_SECONDS

bin=$REAL_CLUSTER_HOME/bin        # compiled programs
debian=$REAL_CLUSTER_HOME/debian  # Debian's packages: unpacked, not installed
etc=$REAL_CLUSTER_HOME/etc        # keys, certificates, kubeconfigs, configuration
images=$REAL_CLUSTER_HOME/images  # archives of images, which "up" loads
run=$REAL_CLUSTER_HOME/run        # data and logs of the current cluster; the next "up" deletes them

# The network namespaces of the node and of clients.
node_network=outpost-node
client_network=outpost-client

# In the order of their start. Those of the second cluster come last.
components=(
    etcd apiserver controller-manager scheduler containerd kubelet kube-proxy network gpus
    second-etcd second-apiserver second-controller-manager second-scheduler
)

say() { printf 'real-cluster: %s\n' "$*"; }

die() {
    printf 'real-cluster: %s\n' "$*" >&2
    exit 1
}

# Checks that this machine can run the cluster.
check_machine() {
    [ "$(uname -s)" = Linux ] || die "the real cluster needs Linux, and this is $(uname -s)"
    [ "$(id -u)" = 0 ] || die "the real cluster needs root, because it makes namespaces, mounts and cgroups"
    # The path is written into configuration files and is the start of names of Unix sockets, which are short.
    [[ $REAL_CLUSTER_HOME =~ ^/[A-Za-z0-9._/-]{1,69}$ ]] ||
        die "REAL_CLUSTER_HOME must be an absolute path of at most 70 letters, digits and . _ - / and is $REAL_CLUSTER_HOME"
    mkdir -p "$REAL_CLUSTER_HOME"
    [ "$(stat --file-system --format %T "$REAL_CLUSTER_HOME")" != overlayfs ] ||
        die "$REAL_CLUSTER_HOME is on overlayfs, where containerd cannot keep images; set REAL_CLUSTER_HOME to a folder on a disk"
}

# Prints the id of the process that holds the cluster's namespaces. Fails when the cluster is down.
holder() {
    local pid
    pid=$(cat "$run/holder.pid" 2>/dev/null) || return 1
    tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF lib/supervise.sh || return 1
    echo "$pid"
}

# Prints the id that the machine gives to the first process inside the namespaces.
supervisor() {
    local pid
    pid=$(holder) || return 1
    pid=$(tr -d ' ' <"/proc/$pid/task/$pid/children")
    [ -n "$pid" ] && echo "$pid"
}

check_up() { holder >/dev/null || die "the cluster is down; start it with $here/up"; }

# Runs a command in the node's network.
in_node_network() { nsenter --net="/run/netns/$node_network" "$@"; }

# Runs nft, which comes from the unpacked packages, in the node's network.
nft() {
    LD_LIBRARY_PATH=$(debian_libraries) in_node_network "$debian/usr/sbin/nft" "$@"
}

debian_libraries() {
    local architecture
    architecture=$(uname -m)-linux-gnu
    echo "$debian/usr/lib/$architecture:$debian/lib/$architecture"
}

# Runs kubectl as admin. REAL_CLUSTER_SECOND=1 chooses the second cluster.
kubectl() {
    in_node_network "$bin/kubectl" --kubeconfig "$etc/${REAL_CLUSTER_SECOND:+second/}admin.kubeconfig" "$@"
}

# Prints the top cgroups of pods: one with cgroup v2, one for each controller with cgroup v1.
pod_cgroups() {
    find /sys/fs/cgroup -maxdepth 2 -type d -name kubepods
}

# Removes empty cgroups. Those of pods remain when their processes are gone.
remove_pod_cgroups() {
    local group
    pod_cgroups | while read -r group; do
        find "$group" -depth -type d -exec rmdir {} +
    done
}

# Waits up to SECONDS for a command to succeed: await SECONDS COMMAND...
await() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}
