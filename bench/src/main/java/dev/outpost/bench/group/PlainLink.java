package dev.outpost.bench.group;

import dev.outpost.channel.Trust;
import dev.outpost.channel.client.PinnedTrustManager;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** A plain connection of the kind that members use: the same number of bytes goes in both directions at once. */
final class PlainLink implements AutoCloseable {
    private static final int PIECE = 512 << 10;

    private final SSLSocket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final byte[] sent = new byte[PIECE];
    private final byte[] received = new byte[PIECE];

    private PlainLink(SSLSocket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    static SSLServerSocket listen(MemberIdentity identity) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(new KeyManager[] {identity.keys()}, null, null);
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    static PlainLink accept(SSLServerSocket server) throws IOException {
        return new PlainLink((SSLSocket) server.accept());
    }

    static PlainLink connect(int port, String sha256) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new PinnedTrustManager(new Trust.Pin(sha256))}, null);
        return new PlainLink(
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port));
    }

    /** Returns the seconds until the bytes have gone in both directions. */
    double exchange(long bytes) throws IOException {
        long start = System.nanoTime();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(bytes));
        for (long left = bytes; left > 0; left -= PIECE) {
            in.readFully(received, 0, (int) Math.min(PIECE, left));
        }
        writing.join();
        return (System.nanoTime() - start) / 1e9;
    }

    private void write(long bytes) {
        try {
            for (long left = bytes; left > 0; left -= PIECE) {
                out.write(sent, 0, (int) Math.min(PIECE, left));
            }
            out.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
