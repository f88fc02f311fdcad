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

/** A Unix socket in a folder that only this process' user may enter. Whoever connects is a process of that user on this host. */
final class LocalSocket {
    private final ServerSocketChannel channel;
    private final Path path;

    private LocalSocket(ServerSocketChannel channel, Path path) {
        this.channel = channel;
        this.path = path;
    }

    /** The name of a socket whose process takes memory of both for large elements. */
    private static final String WITH_MEMORY = "m";

    private static final String WITHOUT = "s";

    private static final String FOLDER = "outpost-peers-";
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    /**
     * Empty where the host has no such sockets, or no place for one.
     *
     * @param takesMemory whether this process takes memory of both; its name tells
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

    /** Whether the process of that socket takes memory of both. */
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
     * Empty where there is no such socket here, or another user's: the path may be another host's. A client says it, and so it must not lead to
     * sockets of this user that are not of members, such as that of an agent for keys.
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

    /** In a folder as {@link #open} makes it, into which nobody else can have put anything. */
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
            // An empty folder of this user is left behind.
        }
    }
}
