package dev.outpost.channel.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The limits of a server's connections.
 *
 * @param connections how many are open at a time
 * @param perAddress how many of one address are open at a time, or from behind a trusted proxy, how many requests are under way
 * @param head how long a client may take for the head of a request
 * @param progress how long a body may make no progress, of a request or of an answer
 * @param idle how long a connection without a request stays open
 * @param trustedProxies the networks of proxies, whose connections count in total only and whose forwarded addresses are believed
 */
public record ConnectionLimits(
        int connections,
        int perAddress,
        Duration head,
        Duration progress,
        Duration idle,
        List<Network> trustedProxies) {
    /** The limits that servers have unless they are configured. */
    public static final ConnectionLimits STANDARD = new ConnectionLimits(
            4096, 256, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(90), List.of());

    public ConnectionLimits {
        if (connections < 1 || perAddress < 1) {
            throw new IllegalArgumentException("connections: expected limits of 1 or more, got " + connections
                    + " in total and " + perAddress + " of an address");
        }
        if (!head.isPositive() || !progress.isPositive() || !idle.isPositive()) {
            throw new IllegalArgumentException(
                    "connections: expected times above zero, got " + head + ", " + progress + " and " + idle);
        }
        trustedProxies = List.copyOf(trustedProxies);
    }

    boolean isTrusted(InetAddress address) {
        return trustedProxies.stream().anyMatch(network -> network.contains(address));
    }

    /**
     * A network, such as {@code 10.0.0.0/8}.
     *
     * @param bits how many leading bits its addresses share
     */
    public record Network(InetAddress address, int bits) {
        /**
         * Reads a network or a single address.
         *
         * @throws IllegalArgumentException where it is malformed; the message names it
         */
        public static Network parse(String text) {
            int slash = text.indexOf('/');
            String host = (slash < 0 ? text : text.substring(0, slash)).strip();
            try {
                InetAddress address = literal(host);
                int most = 8 * address.getAddress().length;
                int bits = slash < 0
                        ? most
                        : Integer.parseInt(text.substring(slash + 1).strip());
                if (bits >= 0 && bits <= most) {
                    return new Network(address, bits);
                }
            } catch (UnknownHostException | NumberFormatException malformed) {
                // Told below.
            }
            throw new IllegalArgumentException(
                    "expected a network such as 10.0.0.0/8 or an address, got \"" + text + "\"");
        }

        /** Never asks a name server. */
        static InetAddress literal(String text) throws UnknownHostException {
            if (!text.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
                throw new UnknownHostException(text);
            }
            return InetAddress.getByName(text);
        }

        boolean contains(InetAddress other) {
            byte[] mine = address.getAddress();
            byte[] theirs = other.getAddress();
            if (mine.length != theirs.length) {
                return false;
            }
            int whole = bits / 8;
            int rest = bits % 8;
            int mask = 0xFF << 8 - rest & 0xFF;
            return Arrays.equals(mine, 0, whole, theirs, 0, whole)
                    && (rest == 0 || (mine[whole] & mask) == (theirs[whole] & mask));
        }
    }
}
