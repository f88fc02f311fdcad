package dev.outpost.runtime.peer.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The address of a member of a group, and the data that identify it.
 *
 * @param sha256 the SHA-256 of the member's certificate, in hex
 * @param local the member's Unix socket, for processes of the same user on the same host
 */
record PeerAddress(String host, int port, String sha256, Optional<Path> local) {
    /** The version of the message format that {@link SocketLane} writes. */
    private static final String SCHEME = "tls3";

    static PeerAddress parse(String text) throws IOException {
        String[] parts = text.split(" ", 5);
        try {
            if (parts.length == 5 && parts[0].equals(SCHEME)) {
                return new PeerAddress(
                        parts[1],
                        Integer.parseInt(parts[2]),
                        parts[3],
                        parts[4].isEmpty() ? Optional.empty() : Optional.of(Path.of(parts[4])));
            }
        } catch (IllegalArgumentException failure) {
            throw new IOException("group: no address of a member: " + text, failure);
        }
        throw new IOException("group: expected the address of a member of this version (" + SCHEME + "), got \"" + text
                + "\"; use one version on all machines of a group");
    }

    @Override
    public String toString() {
        return String.join(
                " ",
                SCHEME,
                host,
                String.valueOf(port),
                sha256,
                local.map(Path::toString).orElse(""));
    }
}
