package dev.outpost.provider;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** Where a machine answers: all that a client needs to talk to it. */
public sealed interface Endpoint {

    /**
     * A machine over the network. The machine's certificate is its own, so what is trusted is its fingerprint and no authority.
     *
     * @param host a name or an address
     * @param port the TCP port
     * @param pin the SHA-256 of the machine's certificate (DER), in hex
     * @param token the secret that opens a session; never printed
     */
    record Remote(String host, int port, String pin, String token) implements Endpoint {
        private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

        public Remote {
            Objects.requireNonNull(token, "token");
            pin = pin.toLowerCase(Locale.ROOT);
            if (host.isBlank()) {
                throw new IllegalArgumentException("host: a remote endpoint needs one");
            }
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port: expected 1 to 65535, got " + port);
            }
            if (!SHA256.matcher(pin).matches()) {
                throw new IllegalArgumentException("pin: expected the 64 hex digits of a SHA-256, got \"" + pin + "\"");
            }
        }

        @Override
        public String toString() {
            return "Remote[host=" + host + ", port=" + port + ", pin=" + pin + ", token=hidden]";
        }
    }

    /** A machine inside this process, reached by frames that never leave it. */
    record InProcess(FrameConnector connector) implements Endpoint {
        public InProcess {
            Objects.requireNonNull(connector, "connector");
        }
    }
}
