package dev.outpost.runtime.peer.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/**
 * An authenticated connection to another member.
 *
 * @param in the bytes from the other member
 * @param out the bytes to the other member
 * @param memory shared memory for large elements; empty if all bytes go through the streams
 * @param carrier the object whose closing ends the connection, which never waits and ends pending reads and writes
 */
record PeerConnection(InputStream in, OutputStream out, Optional<SharedMemory> memory, AutoCloseable carrier) {
    /**
     * @param tcp the socket below TLS, which is closed instead of the TLS socket, because that would wait for a
     *     blocked write
     */
    static PeerConnection of(SSLSocket tls, Socket tcp) throws IOException {
        return new PeerConnection(tls.getInputStream(), tls.getOutputStream(), Optional.empty(), tcp);
    }

    static PeerConnection of(SocketChannel local) {
        return new PeerConnection(
                Channels.newInputStream(local), Channels.newOutputStream(local), Optional.empty(), local);
    }

    PeerConnection with(Optional<SharedMemory> shared) {
        return new PeerConnection(in, out, shared, carrier);
    }

    void close() {
        memory.ifPresent(SharedMemory::close);
        closeQuietly(carrier);
    }

    static void closeQuietly(AutoCloseable carrier) {
        try {
            carrier.close();
        } catch (Exception ignored) {
            // The connection is unusable in either case.
        }
    }
}
