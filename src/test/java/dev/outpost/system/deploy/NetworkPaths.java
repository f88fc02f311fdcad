package dev.outpost.system.deploy;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Which packets NetworkPolicies let through, as a network plugin that enforces them decides. */
final class NetworkPaths {
    private final List<NetworkPolicy> policies;
    private final Set<String> used = new TreeSet<>();

    NetworkPaths(List<NetworkPolicy> policies) {
        this.policies = policies;
    }

    /**
     * One end of a path.
     *
     * @param namespace the namespace of the pod; empty if the end is not a pod
     * @param labels the labels of the pod
     * @param address the address if the end is not a pod
     */
    record End(String namespace, Map<String, String> labels, String address) {
        static End pod(String namespace, Map<String, String> labels) {
            return new End(namespace, labels, "");
        }

        static End address(String address) {
            return new End("", Map.of(), address);
        }

        boolean isPod() {
            return !namespace.isEmpty();
        }
    }

    /** True if a connection from one end to a port of the other is let out and let in. */
    boolean allows(End from, End to, String protocol, int port) {
        Predicate<NetworkPolicyPort> ports = one -> one.getProtocol().equals(protocol)
                && (one.getPort() == null || one.getPort().getIntVal() == port);
        return isLetOut(from, to, ports) && isLetIn(from, to, ports);
    }

    private boolean isLetOut(End from, End to, Predicate<NetworkPolicyPort> ports) {
        List<NetworkPolicy> about = about(from, "Egress");
        boolean isLetOut = about.isEmpty();
        for (NetworkPolicy policy : about) {
            List<NetworkPolicyEgressRule> rules = policy.getSpec().getEgress();
            for (int i : IntStream.range(0, rules.size()).toArray()) {
                isLetOut |= take(
                        policy,
                        "egress",
                        i,
                        matches(rules.get(i).getTo(), rules.get(i).getPorts(), to, ports));
            }
        }
        return isLetOut;
    }

    private boolean isLetIn(End from, End to, Predicate<NetworkPolicyPort> ports) {
        List<NetworkPolicy> about = about(to, "Ingress");
        boolean isLetIn = about.isEmpty();
        for (NetworkPolicy policy : about) {
            List<NetworkPolicyIngressRule> rules = policy.getSpec().getIngress();
            for (int i : IntStream.range(0, rules.size()).toArray()) {
                isLetIn |= take(
                        policy,
                        "ingress",
                        i,
                        matches(rules.get(i).getFrom(), rules.get(i).getPorts(), from, ports));
            }
        }
        return isLetIn;
    }

    private boolean take(NetworkPolicy policy, String direction, int rule, boolean isMatch) {
        if (isMatch) {
            used.add(name(policy, direction, rule));
        }
        return isMatch;
    }

    /** The rules that have let something through. */
    Set<String> used() {
        return used;
    }

    /** All rules that let something through. */
    Set<String> rules() {
        Set<String> rules = new TreeSet<>();
        for (NetworkPolicy policy : policies) {
            IntStream.range(0, policy.getSpec().getEgress().size())
                    .forEach(rule -> rules.add(name(policy, "egress", rule)));
            IntStream.range(0, policy.getSpec().getIngress().size())
                    .forEach(rule -> rules.add(name(policy, "ingress", rule)));
        }
        return rules;
    }

    private static String name(NetworkPolicy policy, String direction, int rule) {
        return policy.getMetadata().getNamespace() + "/" + policy.getMetadata().getName() + " " + direction + " "
                + rule;
    }

    /** The policies that decide about a pod in one direction. */
    private List<NetworkPolicy> about(End end, String direction) {
        return policies.stream()
                .filter(policy -> policy.getMetadata().getNamespace().equals(end.namespace()))
                .filter(policy -> policy.getSpec().getPolicyTypes().contains(direction))
                .filter(policy -> isSelected(policy.getSpec().getPodSelector(), end.labels()))
                .toList();
    }

    private static boolean matches(
            List<NetworkPolicyPeer> peers,
            List<NetworkPolicyPort> ports,
            End end,
            Predicate<NetworkPolicyPort> isPort) {
        boolean isPeer = peers.isEmpty() || peers.stream().anyMatch(peer -> isPeer(peer, end));
        return isPeer && (ports.isEmpty() || ports.stream().anyMatch(isPort));
    }

    /** A peer without a namespace selector would be of the policy's own namespace; there is none here. */
    private static boolean isPeer(NetworkPolicyPeer peer, End end) {
        if (peer.getIpBlock() != null) {
            return !end.isPod() && isIn(peer.getIpBlock(), end.address());
        }
        return end.isPod()
                && isSelected(peer.getNamespaceSelector(), Map.of("kubernetes.io/metadata.name", end.namespace()))
                && (peer.getPodSelector() == null || isSelected(peer.getPodSelector(), end.labels()));
    }

    private static boolean isIn(IPBlock block, String address) {
        return Cidr.of(block.getCidr()).holds(address)
                && block.getExcept().stream().map(Cidr::of).noneMatch(except -> except.holds(address));
    }

    private static boolean isSelected(LabelSelector selector, Map<String, String> labels) {
        if (selector == null || !selector.getMatchExpressions().isEmpty()) {
            throw new AssertionError("this evaluation knows selectors by labels only, got " + selector);
        }
        return labels.entrySet().containsAll(selector.getMatchLabels().entrySet());
    }
}
