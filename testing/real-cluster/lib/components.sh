# shellcheck shell=bash disable=SC2154
# The components of the cluster and how they run. Sourced inside the cluster's namespaces, after settings.sh.

# The command line of a component goes to the array "command".
command_of() {
    local cluster=$etc listen=10.240.0.1 services=10.96.0.0/16 etcd=2379 data=$run/etcd ports=()
    case $1 in
        second-*) cluster=$etc/second listen=10.240.0.2 services=10.97.0.0/16 etcd=2479 data=$run/second-etcd ports=(--secure-port=0) ;;
    esac
    local controllers=() user=$cluster/${1#second-}.kubeconfig
    case $1 in
        etcd | second-etcd)
            command=(etcd --name "$1" --data-dir "$data" --unsafe-no-fsync --log-level warn
                --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd"
                --listen-peer-urls "http://127.0.0.1:$((etcd + 1))" --initial-advertise-peer-urls "http://127.0.0.1:$((etcd + 1))"
                --initial-cluster "$1=http://127.0.0.1:$((etcd + 1))")
            ;;
        apiserver | second-apiserver)
            command=(kube-apiserver --etcd-servers "http://127.0.0.1:$etcd"
                --bind-address "$listen" --advertise-address "$listen" --secure-port 6443
                --service-cluster-ip-range "$services" --allow-privileged
                --authorization-mode "Node,RBAC" --enable-admission-plugins NodeRestriction
                --client-ca-file "$cluster/ca.crt"
                --tls-cert-file "$cluster/apiserver.crt" --tls-private-key-file "$cluster/apiserver.key"
                --service-account-issuer https://kubernetes.default.svc.cluster.local
                --service-account-key-file "$cluster/service-accounts.pub"
                --service-account-signing-key-file "$cluster/service-accounts.key"
                --kubelet-certificate-authority "$cluster/ca.crt" --kubelet-preferred-address-types InternalIP
                --kubelet-client-certificate "$cluster/apiserver-kubelet.crt"
                --kubelet-client-key "$cluster/apiserver-kubelet.key"
                --audit-policy-file "$etc/audit.yaml" --audit-log-path "$run/log/$1.audit.log")
            ;;
        controller-manager | second-controller-manager)
            # The nodes of the second cluster have no kubelet, so they would be given up for their silence.
            [ "$1" = controller-manager ] || controllers=(--controllers '*,-node-lifecycle-controller')
            command=(kube-controller-manager --kubeconfig "$user"
                --authentication-kubeconfig "$user" --authorization-kubeconfig "$user"
                --service-account-private-key-file "$cluster/service-accounts.key" --root-ca-file "$cluster/ca.crt"
                --cluster-signing-cert-file "$cluster/ca.crt" --cluster-signing-key-file "$cluster/ca.key"
                --use-service-account-credentials --leader-elect=false --bind-address 127.0.0.1 "${ports[@]}" "${controllers[@]}")
            ;;
        scheduler | second-scheduler)
            command=(kube-scheduler --kubeconfig "$user"
                --authentication-kubeconfig "$user" --authorization-kubeconfig "$user"
                --leader-elect=false --bind-address 127.0.0.1 "${ports[@]}")
            ;;
        containerd) command=(containerd --config "$etc/containerd.toml") ;;
        kubelet)
            command=(kubelet --config "$etc/kubelet.yaml" --kubeconfig "$etc/node1.kubeconfig"
                --hostname-override node1 --node-ip 10.240.0.1 --v 2)
            ;;
        kube-proxy)
            # Without a limit for connections, which it would write to the kernel's settings.
            command=(kube-proxy --kubeconfig "$user" --proxy-mode nftables --hostname-override node1
                --cluster-cidr 10.244.0.0/16 --conntrack-max-per-core 0
                --conntrack-tcp-timeout-established 0 --conntrack-tcp-timeout-close-wait 0)
            ;;
        network) command=(network "$user") ;;
        gpus) command=(gpus "$user" "$run/gpus.json") ;;
        # Of the backend, started by "backend". Like etcd, it does not wait for the disk.
        postgres)
            command=(setpriv --reuid nobody --regid nogroup --clear-groups /opt/outpost/bin/postgres -D /opt/outpost/data
                -k /opt/outpost/data -h 10.240.0.1 -c fsync=off -c max_connections=200)
            ;;
        *) die "there is no component $1; there are ${components[*]}" ;;
    esac
}

# Whether a component has a process.
is_running() {
    local pid
    pid=$(cat "$run/pids/$1" 2>/dev/null) && [ -e "/proc/$pid" ] && ! grep -q '^State:[[:space:]]*Z' "/proc/$pid/status"
}

is_stopped() { ! is_running "$1"; }

start_component() {
    local command=()
    command_of "$1"
    if is_running "$1"; then die "$1 is already running"; fi
    nice -n "$REAL_CLUSTER_NICE" setsid "${command[@]}" >>"$run/log/$1.log" 2>&1 </dev/null &
    echo $! >"$run/pids/$1"
    echo "$(date +%T.%3N) started $1" >>"$run/log/components.log"
}

signal_component() {
    is_running "$1" || die "$1 is not running"
    kill -s "$2" "$(cat "$run/pids/$1")"
    echo "$(date +%T.%3N) SIG$2 to $1" >>"$run/log/components.log"
}

# Until a process in a state other than stopped may end.
end_component() {
    signal_component "$1" "$2"
    await 30 is_stopped "$1" || die "$1 did not end within 30 s"
}
