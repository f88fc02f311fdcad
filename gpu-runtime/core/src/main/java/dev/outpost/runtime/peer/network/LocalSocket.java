package dev.outpost.runtime.peer.network;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A Unix socket in a folder that only the user of this process may enter. So each peer that connects is a process of
 * this user on this host.
 */
final class LocalSocket {
    private final ServerSocketChannel channel;
    private final Path path;

    private LocalSocket(ServerSocketChannel channel, Path path) {
        this.channel = channel;
        this.path = path;
    }

    /** The socket's file name if its process accepts elements of messages, from 4 KiB on, through shared memory. */
    private static final String WITH_MEMORY = "m";

    private static final String WITHOUT = "s";

    private static final String FOLDER = "outpost-peers-";
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    /**
     * Opens a socket. Returns empty if the host has no Unix sockets, or no suitable folder.
     *
     * @param takesMemory true if this process accepts shared memory, which the socket's name indicates
     */
    static Optional<LocalSocket> open(boolean takesMemory) {
        try {
            Path folder = Files.createTempDirectory(FOLDER, PosixFilePermissions.asFileAttribute(OWN));
            Path path = folder.resolve(takesMemory ? WITH_MEMORY : WITHOUT);
            ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(path));
            return Optional.of(new LocalSocket(channel, path));
        } catch (IOException | UnsupportedOperationException ignored) {
            return Optional.empty();
        }
    }

    Path path() {
        return path;
    }

    /** Returns true if the process of that socket accepts shared memory. */
    static boolean takesMemory(Path path) {
        return path.endsWith(WITH_MEMORY);
    }

    void acceptAll(Consumer<PeerConnection> admit) {
        while (channel.isOpen()) {
            try {
                PeerConnection connected = PeerConnection.of(channel.accept());
                Thread.ofVirtual().name("outpost-peer-admit").start(() -> admit.accept(connected));
            } catch (IOException ignored) {
                Greetings.pauseAfterRefusal();
            }
        }
    }

    /**
     * Connects to a socket. Returns empty if it does not exist here or belongs to another user, because the path may
     * belong to another host. A client supplies the path, so the method must not connect to other sockets of this
     * user, such as the socket of a key agent.
     */
    static Optional<PeerConnection> connect(Path path) {
        try {
            if (!isOfMember(path)) {
                return Optional.empty();
            }
            return Optional.of(PeerConnection.of(SocketChannel.open(UnixDomainSocketAddress.of(path))));
        } catch (IOException | RuntimeException ignored) {
            return Optional.empty();
        }
    }

    /** Returns true if the path is in a folder as {@link #open} creates it, to which only this user can add files. */
    private static boolean isOfMember(Path path) throws IOException {
        Path folder = path.getParent();
        UserPrincipal self = Files.getOwner(Path.of("/proc/self"));
        return path.isAbsolute()
                && (path.endsWith(WITH_MEMORY) || path.endsWith(WITHOUT))
                && folder.getFileName().toString().startsWith(FOLDER)
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(self)
                && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
                        .equals(OWN)
                && Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                && !Files.isSymbolicLink(path);
    }

    void close() {
        PeerConnection.closeQuietly(channel);
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.getParent());
        } catch (IOException ignored) {
            // An empty folder of this user remains.
        }
    }
}
