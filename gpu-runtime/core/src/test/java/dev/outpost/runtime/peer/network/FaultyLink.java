package dev.outpost.runtime.peer.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Passes on the bytes of connections, or drops or delays them. */
final class FaultyLink implements AutoCloseable {
    enum State {
        WHOLE,
        /** Bytes are passed on in small portions. */
        SLOW,
        /** Bytes are accepted and dropped, as by a broken network. */
        CUT
    }

    private static final int PORTION = 16 << 10;

    private final ServerSocket server;
    private final int target;
    private final AtomicReference<State> state = new AtomicReference<>(State.WHOLE);
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    FaultyLink(int target) throws IOException {
        this.server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        this.target = target;
        Thread.ofVirtual().start(this::acceptAll);
    }

    int port() {
        return server.getLocalPort();
    }

    void become(State next) {
        state.set(next);
    }

    /** As when the process at the other end is killed. */
    void breakConnections() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(near, far));
                Thread.ofVirtual().start(() -> pass(near, far));
                Thread.ofVirtual().start(() -> pass(far, near));
            }
        } catch (IOException ignored) {
            // The test is over.
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] portion = new byte[PORTION];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(portion); read >= 0; read = in.read(portion)) {
                if (state.get() == State.SLOW) {
                    Thread.sleep(2);
                }
                if (state.get() != State.CUT) {
                    out.write(portion, 0, read);
                }
            }
        } catch (IOException | InterruptedException ignored) {
            // The other side notices it by its own socket.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        breakConnections();
    }
}
