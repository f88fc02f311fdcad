#!/bin/bash
# Makes keys, certificates and kubeconfigs of a cluster: certificates.sh FOLDER ADDRESS SERVICE-ADDRESS. Where they are there, it
# does nothing.
set -euo pipefail
folder=$1 address=$2 service_address=$3
[ ! -e "$folder/complete" ] || exit 0
umask 077
mkdir -p "$folder"
cd "$folder"

# A key that begins with "BEGIN EC PRIVATE KEY" (SEC1).
ec_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }

# certificate NAME SUBJECT [ALTERNATIVE-NAMES]
certificate() {
    local extensions="basicConstraints=CA:FALSE
extendedKeyUsage=clientAuth,serverAuth"
    [ $# -lt 3 ] || extensions="$extensions
subjectAltName=$3"
    ec_key "$1"
    openssl req -new -key "$1.key" -subj "$2" |
        openssl x509 -req -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile <(echo "$extensions") -out "$1.crt" 2>/dev/null
}

# kubeconfig USER [KEY-FILE [NAMESPACE]] writes $KEY-FILE.kubeconfig.
kubeconfig() {
    local user=$1 key=${2:-$1} namespace=${3:-default}
    cat >"$key.kubeconfig" <<YAML
apiVersion: v1
kind: Config
clusters:
- name: real-cluster
  cluster:
    server: https://$address:6443
    certificate-authority-data: $(base64 -w0 ca.crt)
users:
- name: $user
  user:
    client-certificate-data: $(base64 -w0 "$user.crt")
    client-key-data: $(base64 -w0 "$key.key")
contexts:
- name: real-cluster
  context: {cluster: real-cluster, user: $user, namespace: $namespace}
current-context: real-cluster
YAML
}

ec_key ca
openssl req -x509 -new -key ca.key -subj /CN=real-cluster-ca -days 3650 -out ca.crt

certificate apiserver /CN=kube-apiserver \
    "DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:localhost,IP:127.0.0.1,IP:$address,IP:$service_address"
certificate apiserver-kubelet /O=system:masters/CN=apiserver-kubelet
certificate kubelet-server /CN=node1 "DNS:node1,IP:$address"
certificate node1 /O=system:nodes/CN=system:node:node1
certificate controller-manager /CN=system:kube-controller-manager
certificate scheduler /CN=system:kube-scheduler
certificate kube-proxy /CN=system:kube-proxy
certificate network /O=system:masters/CN=network
certificate gpus /O=system:masters/CN=gpus
certificate admin /O=system:masters/CN=admin
certificate ada /CN=ada
certificate nobody /CN=nobody
for user in node1 controller-manager scheduler kube-proxy network gpus admin; do
    kubeconfig "$user"
done
kubeconfig ada ada outpost
kubeconfig nobody nobody outpost
# The same key as "BEGIN PRIVATE KEY" (PKCS#8).
openssl pkcs8 -topk8 -nocrypt -in ada.key -out ada-pkcs8.key
kubeconfig ada ada-pkcs8 outpost

# The pair by which tokens of service accounts are signed and verified.
openssl genrsa -out service-accounts.key 2048 2>/dev/null
openssl rsa -in service-accounts.key -pubout -out service-accounts.pub 2>/dev/null
touch complete
