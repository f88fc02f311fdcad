package dev.outpost.provider;

import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.Trust;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** The address of a machine, with everything else that a client needs to connect to it. */
public sealed interface Endpoint {

    /**
     * A machine over the network, reached by TLS.
     *
     * @param host a name or an address; an IPv6 address without brackets
     * @param port the TCP port
     * @param trust the proof by which the client recognizes the machine
     * @param token the secret that opens a session; never printed
     * @param serverName the name that the client asks for in TLS (SNI), if it differs from the host: a relay at the host passes
     *     connections on to the machine of that name
     */
    record Remote(String host, int port, Trust trust, String token, Optional<String> serverName) implements Endpoint {
        private static final Pattern SERVER_NAME =
                Pattern.compile("(?=.{1,253}$)[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63})+");

        public Remote {
            Objects.requireNonNull(trust, "trust");
            Objects.requireNonNull(serverName, "serverName");
            Objects.requireNonNull(token, "token");
            if (host.isBlank()) {
                throw new IllegalArgumentException("host: a remote endpoint needs one");
            }
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port: expected 1 to 65535, got " + port);
            }
            serverName.ifPresent(Remote::requireServerName);
        }

        /** A machine that is reached at its own address. */
        public Remote(String host, int port, Trust trust, String token) {
            this(host, port, trust, token, Optional.empty());
        }

        private static void requireServerName(String name) {
            if (!SERVER_NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "server name: expected labels of letters, digits and dashes with dots between them, got \""
                                + name + "\"");
            }
        }

        @Override
        public String toString() {
            return "Remote[host=" + host + ", port=" + port + ", trust=" + trust
                    + serverName.map(name -> ", serverName=" + name).orElse("") + ", token=hidden]";
        }
    }

    /**
     * A machine on the same host, reached by a Unix domain socket. Every process with permission to open the socket's
     * file can use the machine.
     *
     * @param token selects the grant; if empty, everything is allowed; never printed
     */
    record Local(Path socket, Optional<String> token) implements Endpoint {
        public Local {
            Objects.requireNonNull(socket, "socket");
            Objects.requireNonNull(token, "token");
        }

        /** Connects as the machine's owner. */
        public Local(Path socket) {
            this(socket, Optional.empty());
        }

        @Override
        public String toString() {
            return "Local[socket=" + socket + (token.isPresent() ? ", token=hidden]" : "]");
        }
    }

    /** A machine inside this process, reached by frames that stay in the process. */
    record InProcess(FrameConnector connector) implements Endpoint {
        public InProcess {
            Objects.requireNonNull(connector, "connector");
        }
    }
}
