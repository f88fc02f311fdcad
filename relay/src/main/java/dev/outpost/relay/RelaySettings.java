package dev.outpost.relay;

import dev.outpost.relay.name.RelaySecret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a relay.
 *
 * @param host the address on which it listens
 * @param port the port; 0 takes a free one
 * @param secrets the secrets that sign names
 * @param targets the networks that it may connect to
 * @param connections the most connections of all clients at once
 * @param connectionsPerPeer the most connections of one address at once
 * @param hello the longest time in which a client names its machine
 * @param idle the time after which a connection without traffic is closed
 * @param proxies the networks of load balancers, whose connections count only toward the total; empty for none
 * @param readsProxyHeaders true if the load balancers send the PROXY protocol; the limit of an address then applies to the client that
 *     it names
 */
record RelaySettings(
        String host,
        int port,
        List<RelaySecret> secrets,
        TargetNetworks targets,
        int connections,
        int connectionsPerPeer,
        Duration hello,
        Duration idle,
        Optional<TargetNetworks> proxies,
        boolean readsProxyHeaders) {
    /** Makes settings without load balancers. */
    RelaySettings(
            String host,
            int port,
            List<RelaySecret> secrets,
            TargetNetworks targets,
            int connections,
            int connectionsPerPeer,
            Duration hello,
            Duration idle) {
        this(host, port, secrets, targets, connections, connectionsPerPeer, hello, idle, Optional.empty(), false);
    }

    RelaySettings {
        if (readsProxyHeaders && proxies.isEmpty()) {
            throw new IllegalArgumentException(
                    "proxy-protocol: set trusted-proxies to the proxies whose headers are trusted");
        }
        requirePositive("connections", connections);
        requirePositive("connections-per-peer", connectionsPerPeer);
        if (!hello.isPositive() || !idle.isPositive()) {
            throw new IllegalArgumentException("idle: expected a time above zero, got " + idle);
        }
    }

    private static void requirePositive(String name, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(name + ": expected 1 or more, got " + number);
        }
    }
}
