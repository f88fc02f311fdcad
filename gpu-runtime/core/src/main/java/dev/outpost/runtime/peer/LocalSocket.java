package dev.outpost.runtime.peer;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
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

    /**
     * Empty where the host has no such sockets, or no place for one.
     *
     * @param takesMemory whether this process takes memory of both; its name tells
     */
    static Optional<LocalSocket> open(boolean takesMemory) {
        try {
            Path folder = Files.createTempDirectory(
                    "outpost-peers-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path path = folder.resolve(takesMemory ? WITH_MEMORY : WITHOUT);
            ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(path));
            return Optional.of(new LocalSocket(channel, path));
        } catch (IOException | UnsupportedOperationException none) {
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
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** Empty where there is no such socket here, or another user's: the path may be another host's. */
    static Optional<PeerConnection> connect(Path path) {
        try {
            if (!isOwn(path)) {
                return Optional.empty();
            }
            return Optional.of(PeerConnection.of(SocketChannel.open(UnixDomainSocketAddress.of(path))));
        } catch (IOException | RuntimeException unreachable) {
            return Optional.empty();
        }
    }

    private static boolean isOwn(Path path) throws IOException {
        UserPrincipal self = Files.getOwner(Path.of("/proc/self"));
        return Files.exists(path) && Files.getOwner(path.getParent()).equals(self);
    }

    void close() {
        PeerConnection.closeQuietly(channel);
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.getParent());
        } catch (IOException left) {
            // An empty folder of this user is left behind.
        }
    }
}
