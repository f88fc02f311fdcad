package main

import (
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func pod(namespace, name, address string) *core.Pod {
	return &core.Pod{
		ObjectMeta: meta.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}},
		Spec: core.PodSpec{Containers: []core.Container{{
			Ports: []core.ContainerPort{{Name: "web", ContainerPort: 8080, Protocol: core.ProtocolTCP}},
		}}},
		Status: core.PodStatus{PodIP: address},
	}
}

func selector(key, value string) *meta.LabelSelector {
	return &meta.LabelSelector{MatchLabels: map[string]string{key: value}}
}

var (
	pods = []*core.Pod{pod("a", "one", "10.0.0.1"), pod("a", "two", "10.0.0.2"), pod("b", "one", "10.0.0.3")}

	namespaces = []*core.Namespace{
		{ObjectMeta: meta.ObjectMeta{Name: "a", Labels: map[string]string{"name": "a"}}},
		{ObjectMeta: meta.ObjectMeta{Name: "b", Labels: map[string]string{"name": "b"}}},
	}
)

func policy(spec networking.NetworkPolicySpec) *networking.NetworkPolicy {
	return &networking.NetworkPolicy{ObjectMeta: meta.ObjectMeta{Namespace: "a", Name: "p"}, Spec: spec}
}

// The rules of one chain, which end with "drop".
func chainOf(t *testing.T, name string, policies ...*networking.NetworkPolicy) []string {
	t.Helper()
	text, err := ruleset(pods, namespaces, policies)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(text, "chain "+name+" {")
	if !found {
		return nil
	}
	body, _, _ := strings.Cut(rest, "\n\t}")
	var lines []string
	for _, line := range strings.Split(body, "\n")[1:] {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("expected\n%s\ngot\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}

func TestOnlySelectedPodsAreIsolatedInTheDirectionsOfThePolicy(t *testing.T) {
	deny := policy(networking.NetworkPolicySpec{
		PodSelector: *selector("app", "one"), PolicyTypes: []networking.PolicyType{networking.PolicyTypeIngress}})
	expect(t, chainOf(t, "ingress_10_0_0_1", deny), "ip saddr 10.0.0.1 return", "drop")
	for _, other := range []string{"egress_10_0_0_1", "ingress_10_0_0_2", "ingress_10_0_0_3"} {
		if lines := chainOf(t, other, deny); lines != nil {
			t.Errorf("%s: expected no chain, got %v", other, lines)
		}
	}
}

func TestPeersAreSelectedByNamespaceAndLabels(t *testing.T) {
	port := intstr.FromInt32(80)
	last := int32(90)
	allow := policy(networking.NetworkPolicySpec{
		PodSelector: *selector("app", "two"),
		PolicyTypes: []networking.PolicyType{networking.PolicyTypeIngress},
		Ingress: []networking.NetworkPolicyIngressRule{
			{From: []networking.NetworkPolicyPeer{{PodSelector: selector("app", "one")}}},
			{
				From:  []networking.NetworkPolicyPeer{{NamespaceSelector: selector("name", "b"), PodSelector: selector("app", "one")}},
				Ports: []networking.NetworkPolicyPort{{Port: &port, EndPort: &last}},
			},
			{From: []networking.NetworkPolicyPeer{{PodSelector: selector("app", "missing")}}},
		},
	})
	expect(t, chainOf(t, "ingress_10_0_0_2", allow),
		"ip saddr 10.0.0.2 return",
		"ip saddr { 10.0.0.1 } return",
		"ip saddr { 10.0.0.3 } tcp dport 80-90 return",
		"drop")
}

func TestNamedPortsAreThoseOfTheReceiver(t *testing.T) {
	port := intstr.FromString("web")
	ports := []networking.NetworkPolicyPort{{Port: &port}}
	expect(t, chainOf(t, "ingress_10_0_0_1", policy(networking.NetworkPolicySpec{
		PodSelector: *selector("app", "one"),
		PolicyTypes: []networking.PolicyType{networking.PolicyTypeIngress},
		Ingress:     []networking.NetworkPolicyIngressRule{{Ports: ports}},
	})), "ip saddr 10.0.0.1 return", "tcp dport 8080 return", "drop")
	expect(t, chainOf(t, "egress_10_0_0_1", policy(networking.NetworkPolicySpec{
		PodSelector: *selector("app", "one"),
		PolicyTypes: []networking.PolicyType{networking.PolicyTypeEgress},
		Egress: []networking.NetworkPolicyEgressRule{{
			To: []networking.NetworkPolicyPeer{{PodSelector: &meta.LabelSelector{}}}, Ports: ports}},
	})), "ip daddr 10.0.0.1 return", "ip daddr 10.0.0.1 tcp dport 8080 return", "ip daddr 10.0.0.2 tcp dport 8080 return", "drop")
}

func TestBlocksHaveExceptionsAndIPv6IsLeftOut(t *testing.T) {
	udp := core.ProtocolUDP
	expect(t, chainOf(t, "egress_10_0_0_1", policy(networking.NetworkPolicySpec{
		PodSelector: *selector("app", "one"),
		PolicyTypes: []networking.PolicyType{networking.PolicyTypeEgress},
		Egress: []networking.NetworkPolicyEgressRule{{
			To: []networking.NetworkPolicyPeer{
				{IPBlock: &networking.IPBlock{CIDR: "0.0.0.0/0", Except: []string{"10.0.0.0/8", "172.16.0.0/12"}}},
				{IPBlock: &networking.IPBlock{CIDR: "::/0"}},
			},
			Ports: []networking.NetworkPolicyPort{{Protocol: &udp}},
		}},
	})), "ip daddr 10.0.0.1 return", "ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8, 172.16.0.0/12 } meta l4proto udp return", "drop")
}

func TestARuleOfIPv6BlocksAloneAllowsNothing(t *testing.T) {
	expect(t, chainOf(t, "egress_10_0_0_1", policy(networking.NetworkPolicySpec{
		PodSelector: *selector("app", "one"),
		PolicyTypes: []networking.PolicyType{networking.PolicyTypeEgress},
		Egress: []networking.NetworkPolicyEgressRule{{
			To: []networking.NetworkPolicyPeer{{IPBlock: &networking.IPBlock{CIDR: "::/0"}}}}},
	})), "ip daddr 10.0.0.1 return", "drop")
}
