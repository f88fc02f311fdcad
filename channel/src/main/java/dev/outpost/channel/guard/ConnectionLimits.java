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
 * @param connections the maximum number of open connections
 * @param perAddress the maximum number of open connections of one address, or the maximum number of requests at a
 *     time of an address behind a trusted proxy
 * @param head the maximum time in which a client may send the head of a request
 * @param progress the maximum time without progress: within it a client must send 16 KiB or the rest of a body, and
 *     must read some bytes of an answer
 * @param idle the time after which a connection without a request is closed
 * @param trustedProxies the networks of trusted proxies; their connections count only toward the total, and their forwarded addresses are
 *     trusted
 */
public record ConnectionLimits(
        int connections,
        int perAddress,
        Duration head,
        Duration progress,
        Duration idle,
        List<Network> trustedProxies) {
    /** The default limits. */
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
     * A network, for example {@code 10.0.0.0/8}.
     *
     * @param bits the number of leading bits that its addresses share
     */
    public record Network(InetAddress address, int bits) {
        /** Excludes zones of IPv6 addresses, because they name an interface of the sender. */
        private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F:.]+");

        /** An address in brackets, or one of IPv4 with a port. */
        private static final Pattern WITH_PORT = Pattern.compile("\\[([^]]*:[^]]*)](?::[0-9]+)?|([0-9.]+):[0-9]+");

        /**
         * Reads a network or a single address.
         *
         * @throws IllegalArgumentException if the text is malformed; the message contains it
         */
        public static Network parse(String text) {
            int slash = text.indexOf('/');
            String host = (slash < 0 ? text : text.substring(0, slash)).strip();
            try {
                InetAddress address = literal(host);
                int max = 8 * address.getAddress().length;
                int bits = slash < 0
                        ? max
                        : Integer.parseInt(text.substring(slash + 1).strip());
                if (bits >= 0 && bits <= max) {
                    return new Network(address, bits);
                }
            } catch (UnknownHostException | NumberFormatException ignored) {
                // Continues to the exception below.
            }
            throw new IllegalArgumentException(
                    "expected a network such as 10.0.0.0/8 or an address, got \"" + text + "\"");
        }

        /** Parses an address without a DNS lookup. */
        static InetAddress literal(String text) throws UnknownHostException {
            byte[] bytes = LITERAL.matcher(text).matches() ? NetUtil.createByteArrayFromIpAddressString(text) : null;
            if (bytes == null) {
                throw new UnknownHostException(text);
            }
            return InetAddress.getByAddress(bytes);
        }

        /** Parses an address in a form that proxies write. Some append the port, with brackets around an IPv6 address. */
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
