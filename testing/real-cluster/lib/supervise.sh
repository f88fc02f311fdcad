#!/bin/bash
# The first process inside the cluster's namespaces of mounts, processes and network. "up" starts it. It prepares the namespaces,
# starts all components, and waits. A component that ends stays down until "fault start".
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=settings.sh
. "$here/lib/settings.sh"
# shellcheck source-path=SCRIPTDIR source=components.sh
. "$here/lib/components.sh"
export PATH=$bin:$debian/usr/sbin:/usr/sbin:/usr/bin:/sbin:/bin
LD_LIBRARY_PATH=$(debian_libraries)
export LD_LIBRARY_PATH

# Mounts that are made from here on are seen in this namespace only.
mount --make-rprivate /

# Programs have these paths built in. Here they are folders of $run.
for folder in /run/containerd /run/netns /var/lib/cni /var/lib/kubelet /var/log/pods /var/log/containers /var/run/cdi; do
    mkdir -p "$folder" "$run/host$folder"
    mount --bind "$run/host$folder" "$folder"
done

# PostgreSQL does not run as root, and other users may not enter a home folder.
mkdir -p /opt/outpost "$run/postgres"
mount --bind "$run/postgres" /opt/outpost

# The node has two addresses, of the API servers of the two clusters. Everything that has no route is unreachable.
ip link add node0 type bridge
ip address add 10.240.0.1/24 dev node0
ip address add 10.240.0.2/24 dev node0
ip link set node0 up
ip route add default dev node0
echo 1 >/proc/sys/net/ipv4/ip_forward

# The kubelet changes settings of the kernel, which would hold for the whole machine. So they are read-only from here on. Those
# that it insists on are covered by files that have its values.
mount --bind /proc/sys /proc/sys
mount -o remount,ro,bind /proc/sys
mkdir "$run/sysctl"
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
    kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    path=/proc/sys/${setting%=*}
    [ -e "$path" ] || continue
    echo "${setting#*=}" >"$run/sysctl/$(basename "$path")"
    mount --bind "$run/sysctl/$(basename "$path")" "$path"
done

# The API server ends without etcd, the kubelet without containerd, and other components without the API server's roles.
await_component() {
    case $1 in
        etcd) await "$REAL_CLUSTER_START_SECONDS" bash -c 'exec 3<>/dev/tcp/127.0.0.1/2379' ;;
        second-etcd) await "$REAL_CLUSTER_START_SECONDS" bash -c 'exec 3<>/dev/tcp/127.0.0.1/2479' ;;
        containerd) await "$REAL_CLUSTER_START_SECONDS" "$bin/ctr" --address "$run/containerd.sock" version ;;
        apiserver) await "$REAL_CLUSTER_START_SECONDS" "$bin/kubectl" --kubeconfig "$etc/admin.kubeconfig" get --raw /readyz ;;
        second-apiserver) await "$REAL_CLUSTER_START_SECONDS" "$bin/kubectl" --kubeconfig "$etc/second/admin.kubeconfig" get --raw /readyz ;;
    esac
}

for component in "${components[@]}"; do
    start_component "$component"
    await_component "$component" || die "$component does not answer; see $run/log/$component.log"
done
touch "$run/started"

# As the first process of its namespace, this one inherits processes whose parent ended. "wait" collects them, and it must not end.
sleep infinity &
wait
