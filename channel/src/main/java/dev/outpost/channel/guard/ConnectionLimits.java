package dev.outpost.channel.guard;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limits of a server's connections.
 *
 * @param connections how many are open at a time
 * @param perAddress how many of one address are open at a time, or from behind a trusted proxy, how many requests are under way
 * @param head how long a client may take for the head of a request
 * @param progress within which a body of a request must bring 16 KiB or its end, and a client take something of an answer
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
        /** No zone, which names an interface of the machine that says it. */
        private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F:.]+");

        /** An address in brackets, or one of IPv4 with a port. */
        private static final Pattern WITH_PORT = Pattern.compile("\\[([^]]*:[^]]*)](?::[0-9]+)?|([0-9.]+):[0-9]+");

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
            byte[] bytes = LITERAL.matcher(text).matches() ? NetUtil.createByteArrayFromIpAddressString(text) : null;
            if (bytes == null) {
                throw new UnknownHostException(text);
            }
            return InetAddress.getByAddress(bytes);
        }

        /** An address as proxies write it: some add the port, and with it brackets around an address of IPv6. */
        static InetAddress forwarded(String text) throws UnknownHostException {
            Matcher withPort = WITH_PORT.matcher(text.strip());
            if (!withPort.matches()) {
                return literal(text.strip());
            }
            return literal(withPort.group(1) == null ? withPort.group(2) : withPort.group(1));
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
