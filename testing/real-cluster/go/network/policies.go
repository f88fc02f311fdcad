package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// One transaction replaces the whole table. Packets meet it behind kube-proxy's translation of addresses, so they have the addresses
// of pods. Packets that the node itself sends, such as the kubelet's probes, pass neither chain.
const table = `table ip outpost_policies
delete table ip outpost_policies
table ip outpost_policies {
%s	chain forward {
		type filter hook forward priority filter; policy accept;
		ct state established,related accept
%s	}
	chain input {
		type filter hook input priority filter; policy accept;
		ct state established,related accept
%s	}
}
`

type direction struct {
	kind       networking.PolicyType
	chain      string
	peer, self string // the address of the other end and of the pod
}

var (
	ingress = direction{networking.PolicyTypeIngress, "ingress", "ip saddr", "ip daddr"}
	egress  = direction{networking.PolicyTypeEgress, "egress", "ip daddr", "ip saddr"}
)

type rule struct {
	peers []networking.NetworkPolicyPeer
	ports []networking.NetworkPolicyPort
}

type snapshot struct {
	pods       []*core.Pod
	namespaces map[string]labels.Set
}

// The rules of all policies, as nft reads them. The same objects give the same text.
func ruleset(pods []*core.Pod, namespaces []*core.Namespace, policies []*networking.NetworkPolicy) (string, error) {
	state := snapshot{namespaces: map[string]labels.Set{}}
	for _, namespace := range namespaces {
		state.namespaces[namespace.Name] = namespace.Labels
	}
	for _, pod := range pods {
		if pod.Status.PodIP != "" && !pod.Spec.HostNetwork && pod.Status.Phase != core.PodSucceeded && pod.Status.Phase != core.PodFailed {
			state.pods = append(state.pods, pod)
		}
	}
	slices.SortFunc(state.pods, func(a, b *core.Pod) int { return strings.Compare(a.Status.PodIP, b.Status.PodIP) })
	policies = slices.Clone(policies)
	slices.SortFunc(policies, func(a, b *networking.NetworkPolicy) int { return strings.Compare(string(a.UID), string(b.UID)) })

	var chains strings.Builder
	jumps := map[string][]string{}
	for _, direction := range []direction{egress, ingress} {
		for _, pod := range state.pods {
			lines, isolated, err := state.chain(direction, pod, policies)
			if err != nil {
				return "", err
			}
			if isolated {
				name := direction.chain + "_" + strings.ReplaceAll(pod.Status.PodIP, ".", "_")
				fmt.Fprintf(&chains, "\tchain %s { # %s/%s\n%s\t}\n", name, pod.Namespace, pod.Name, lines)
				jumps[direction.chain] = append(jumps[direction.chain], pod.Status.PodIP+" : jump "+name)
			}
		}
	}
	dispatch := func(directions ...direction) string {
		var lines strings.Builder
		for _, direction := range directions {
			if elements := jumps[direction.chain]; len(elements) > 0 {
				fmt.Fprintf(&lines, "\t\t%s vmap { %s }\n", direction.self, strings.Join(elements, ", "))
			}
		}
		return lines.String()
	}
	return fmt.Sprintf(table, chains.String(), dispatch(egress, ingress), dispatch(egress)), nil
}

// The rules for one pod. They return for what is allowed, since the other end may have rules as well, and drop the rest.
func (s snapshot) chain(direction direction, pod *core.Pod, policies []*networking.NetworkPolicy) (string, bool, error) {
	// No policy keeps a pod from itself.
	lines := []string{direction.peer + " " + pod.Status.PodIP}
	isolated := false
	for _, policy := range policies {
		selected, err := selects(&policy.Spec.PodSelector, pod.Labels)
		if err != nil {
			return "", false, fmt.Errorf("NetworkPolicy %s/%s: %w", policy.Namespace, policy.Name, err)
		}
		if policy.Namespace != pod.Namespace || !selected || !slices.Contains(policy.Spec.PolicyTypes, direction.kind) {
			continue
		}
		isolated = true
		for _, rule := range rules(policy, direction) {
			more, err := s.matches(direction, pod, policy.Namespace, rule)
			if err != nil {
				return "", false, fmt.Errorf("NetworkPolicy %s/%s: %w", policy.Namespace, policy.Name, err)
			}
			lines = append(lines, more...)
		}
	}
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "\t\t%s return\n", strings.TrimSpace(line))
	}
	text.WriteString("\t\tdrop\n")
	return text.String(), isolated, nil
}

func rules(policy *networking.NetworkPolicy, direction direction) []rule {
	var found []rule
	if direction.kind == networking.PolicyTypeIngress {
		for _, each := range policy.Spec.Ingress {
			found = append(found, rule{each.From, each.Ports})
		}
	} else {
		for _, each := range policy.Spec.Egress {
			found = append(found, rule{each.To, each.Ports})
		}
	}
	return found
}

// The matches of one rule: each peer with each port.
func (s snapshot) matches(direction direction, pod *core.Pod, namespace string, rule rule) ([]string, error) {
	blocks, peers, err := s.peers(direction, namespace, rule.peers)
	if err != nil {
		return nil, err
	}
	var lines []string
	add := func(peer string, port string) { lines = append(lines, strings.TrimSpace(peer+" "+port)) }
	ends := append(blocks, addressSet(direction, peers)...)
	if len(rule.ports) == 0 {
		rule.ports = []networking.NetworkPolicyPort{{}}
	}
	for _, port := range rule.ports {
		named := port.Port != nil && port.Port.Type == intstr.String
		switch {
		case named && direction.kind == networking.PolicyTypeEgress:
			// The name is one of the other end's.
			if len(rule.peers) == 0 {
				peers = s.pods
			}
			for _, peer := range peers {
				for _, number := range numbers(peer, port) {
					add(direction.peer+" "+peer.Status.PodIP, number)
				}
			}
		case named:
			for _, number := range numbers(pod, port) {
				for _, each := range ends {
					add(each, number)
				}
			}
		default:
			for _, each := range ends {
				add(each, number(port))
			}
		}
	}
	return lines, nil
}

// The blocks of addresses and the pods that peers mean. No peers mean everything: a block without a condition.
func (s snapshot) peers(direction direction, namespace string, peers []networking.NetworkPolicyPeer) ([]string, []*core.Pod, error) {
	if len(peers) == 0 {
		return []string{""}, nil, nil
	}
	var blocks []string
	found := map[string]*core.Pod{}
	for _, peer := range peers {
		if peer.IPBlock != nil {
			// The cluster has no IPv6.
			if !strings.Contains(peer.IPBlock.CIDR, ":") {
				blocks = append(blocks, block(direction, peer.IPBlock))
			}
			continue
		}
		for _, pod := range s.pods {
			meant, err := s.means(peer, namespace, pod)
			if err != nil {
				return nil, nil, err
			}
			if meant {
				found[pod.Status.PodIP] = pod
			}
		}
	}
	var pods []*core.Pod
	for _, address := range slices.Sorted(maps.Keys(found)) {
		pods = append(pods, found[address])
	}
	return blocks, pods, nil
}

func (s snapshot) means(peer networking.NetworkPolicyPeer, namespace string, pod *core.Pod) (bool, error) {
	if peer.NamespaceSelector == nil && pod.Namespace != namespace {
		return false, nil
	}
	if peer.NamespaceSelector != nil {
		if selected, err := selects(peer.NamespaceSelector, s.namespaces[pod.Namespace]); err != nil || !selected {
			return false, err
		}
	}
	if peer.PodSelector == nil {
		return true, nil
	}
	return selects(peer.PodSelector, pod.Labels)
}

func block(direction direction, block *networking.IPBlock) string {
	text := direction.peer + " " + block.CIDR
	if len(block.Except) > 0 {
		text += " " + direction.peer + " != { " + strings.Join(block.Except, ", ") + " }"
	}
	return text
}

func addressSet(direction direction, pods []*core.Pod) []string {
	if len(pods) == 0 {
		return nil
	}
	var addresses []string
	for _, pod := range pods {
		addresses = append(addresses, pod.Status.PodIP)
	}
	return []string{direction.peer + " { " + strings.Join(addresses, ", ") + " }"}
}

func selects(selector *meta.LabelSelector, set labels.Set) (bool, error) {
	parsed, err := meta.LabelSelectorAsSelector(selector)
	return err == nil && parsed.Matches(set), err
}

// The match of a port by number; empty for all ports.
func number(port networking.NetworkPolicyPort) string {
	switch {
	case port.Port == nil && port.Protocol == nil:
		return ""
	case port.Port == nil:
		return "meta l4proto " + protocol(port)
	case port.EndPort != nil:
		return fmt.Sprintf("%s dport %d-%d", protocol(port), port.Port.IntVal, *port.EndPort)
	default:
		return fmt.Sprintf("%s dport %d", protocol(port), port.Port.IntVal)
	}
}

// The matches of the ports of a pod that have a name.
func numbers(pod *core.Pod, named networking.NetworkPolicyPort) []string {
	var found []string
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		for _, port := range container.Ports {
			if port.Name == named.Port.StrVal && strings.EqualFold(string(port.Protocol), protocol(named)) {
				found = append(found, fmt.Sprintf("%s dport %d", protocol(named), port.ContainerPort))
			}
		}
	}
	return found
}

func protocol(port networking.NetworkPolicyPort) string {
	if port.Protocol == nil {
		return "tcp"
	}
	return strings.ToLower(string(*port.Protocol))
}
