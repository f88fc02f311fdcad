package dev.outpost.relay;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * The networks that a relay may connect to, even if the backend signed a name for an address in another network. A
 * supplier that is deceived about a machine's address must not turn relays against neighbouring hosts.
 */
record TargetNetworks(List<IpSubnetFilterRule> networks) {
    /**
     * Allows all addresses except addresses of this host, link-local addresses (at which clouds serve their metadata)
     * and multicast groups.
     */
    static TargetNetworks anyMachine() {
        return new TargetNetworks(List.of());
    }

    /**
     * Reads networks, separated by commas.
     *
     * @throws IllegalArgumentException if a network is malformed; the message names it
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
