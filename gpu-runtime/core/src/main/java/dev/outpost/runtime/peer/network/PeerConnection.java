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
 * A connection with another member that both know.
 *
 * @param in its bytes from there
 * @param out its bytes to there
 * @param memory for large elements; empty where all goes by the streams
 * @param carrier what is closed to end it; that never waits and ends reads and writes under way
 */
record PeerConnection(InputStream in, OutputStream out, Optional<SharedMemory> memory, AutoCloseable carrier) {
    /** @param tcp below the TLS; closing TLS itself would wait for a write that is stuck */
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
            // It is of no use in either case.
        }
    }
}
