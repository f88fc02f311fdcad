package dev.outpost.relay;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a relay connects, whatever was signed: a supplier that is deceived about a machine's address must not turn relays
 * on what lies beside them.
 */
record TargetNetworks(List<IpSubnetFilterRule> networks) {
    /** Everywhere but on this host, on its link (where clouds have their metadata) and to groups. */
    static TargetNetworks anyMachine() {
        return new TargetNetworks(List.of());
    }

    /**
     * Reads networks, separated by commas.
     *
     * @throws IllegalArgumentException where one is malformed; the message names it
     */
    static TargetNetworks parse(String text) {
        return new TargetNetworks(
                Stream.of(text.split(",")).map(TargetNetworks::network).toList());
    }

    private static IpSubnetFilterRule network(String text) {
        try {
            int slash = text.indexOf('/');
            return new IpSubnetFilterRule(
                    text.substring(0, slash).strip(),
                    Integer.parseInt(text.substring(slash + 1).strip()),
                    IpFilterRuleType.ACCEPT);
        } catch (RuntimeException failure) {
            throw new IllegalArgumentException(
                    "targets: expected networks such as 10.0.0.0/8,fd00::/8, got \"" + text + "\"", failure);
        }
    }

    boolean has(InetSocketAddress target) {
        return networks.isEmpty()
                ? !isBesideUs(target.getAddress())
                : networks.stream().anyMatch(network -> network.matches(target));
    }

    private static boolean isBesideUs(InetAddress address) {
        return address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress();
    }
}
