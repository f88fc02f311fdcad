package dev.outpost.runtime.peer;

import dev.outpost.channel.Trust;
import dev.outpost.channel.client.PinnedTrustManager;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * Members of a group over TCP with TLS. Of two members the one of the higher rank connects. It knows the other one by the hash
 * of its certificate, which is in the address, and shows that it is a member by the group's key, which goes through TLS only.
 */
public final class TlsPeerNetwork implements PeerNetwork {
    private static final String SCHEME = "tls";
    private static final int HANDSHAKE_MILLIS = 10_000;
    private static final int MOST_OF_A_NAME = 256;
    private static final int WELCOME = 1;

    private final KeyManager[] identity;
    private final String sha256;
    private final InetAddress bound;
    private final InetAddress host;

    /**
     * By the machine's own certificate.
     *
     * @param identity shows the certificate
     * @param sha256 its hash, in hex
     * @param bound the address that it listens at while the others connect; may be that of all
     * @param host the address at which the others find this machine
     */
    public TlsPeerNetwork(KeyManager identity, String sha256, InetAddress bound, InetAddress host) {
        this.identity = new KeyManager[] {identity};
        this.sha256 = sha256;
        this.bound = bound;
        this.host = host;
    }

    @Override
    public PeerEntrance open(String group, String key, int rank, int size) throws IOException {
        SSLServerSocket socket = (SSLServerSocket)
                context(identity, null).getServerSocketFactory().createServerSocket(0, size, bound);
        return new Entrance(socket, group, key, rank, size);
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trusted) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys, trusted, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IOException("TLS cannot be set up: " + impossible, impossible);
        }
    }

    private static Thread start(String name, Runnable work) {
        return Thread.ofVirtual().name("outpost-peer-" + name).start(work);
    }

    /** Where one of them is, and by what it is known. */
    private record Address(String host, int port, String sha256) {
        static Address parse(String text) throws IOException {
            String[] parts = text.split(" ");
            try {
                if (parts.length == 4 && parts[0].equals(SCHEME)) {
                    return new Address(parts[1], Integer.parseInt(parts[2]), parts[3]);
                }
            } catch (NumberFormatException malformed) {
                throw new IOException("group: no address of a member: " + text, malformed);
            }
            throw new IOException("group: no address of a member that is reached over TLS: " + text);
        }

        @Override
        public String toString() {
            return String.join(" ", SCHEME, host, String.valueOf(port), sha256);
        }
    }

    private final class Entrance implements PeerEntrance {
        private final SSLServerSocket socket;
        private final String group;
        private final String key;
        private final int rank;
        private final int size;
        private final List<CompletableFuture<Socket>> came = new ArrayList<>();

        Entrance(SSLServerSocket socket, String group, String key, int rank, int size) {
            this.socket = socket;
            this.group = group;
            this.key = key;
            this.rank = rank;
            this.size = size;
            for (int other = 0; other < size; other++) {
                came.add(new CompletableFuture<>());
            }
            start("accept", this::acceptAll);
        }

        @Override
        public String address() {
            return new Address(host.getHostAddress(), socket.getLocalPort(), sha256).toString();
        }

        // ---- of higher ranks

        private void acceptAll() {
            while (!socket.isClosed()) {
                try {
                    Socket connected = socket.accept();
                    start("admit", () -> admit(connected));
                } catch (IOException closed) {
                    return;
                }
            }
        }

        /** Whoever does not know the key learns nothing but that. */
        private void admit(Socket connected) {
            try {
                connected.setSoTimeout(HANDSHAKE_MILLIS);
                DataInputStream in = new DataInputStream(connected.getInputStream());
                String shown = readText(in);
                int other = in.readInt();
                boolean isMember =
                        MessageDigest.isEqual(bytes(shown), bytes(group + " " + key)) && other > rank && other < size;
                if (!isMember) {
                    connected.close();
                    return;
                }
                connected.setSoTimeout(0);
                // First, as whoever takes the connection may write to it at once.
                connected.getOutputStream().write(WELCOME);
                if (!came.get(other).complete(connected)) {
                    connected.close();
                }
            } catch (IOException broken) {
                closeQuietly(connected);
            }
        }

        // ---- both

        @Override
        public List<PeerLane> connect(List<String> addresses, Duration patience)
                throws IOException, InterruptedException {
            if (addresses.size() != size) {
                throw new IOException("group " + group + ": expected " + size + " addresses, got " + addresses.size());
            }
            List<PeerLane> lanes = new ArrayList<>();
            for (int other = 0; other < size; other++) {
                Socket connected = other == rank
                        ? null
                        : other < rank ? call(Address.parse(addresses.get(other)), other) : awaited(other, patience);
                lanes.add(connected == null ? null : new SocketLane(connected, rank, other, patience));
            }
            close();
            return lanes;
        }

        private Socket awaited(int other, Duration patience) throws IOException, InterruptedException {
            try {
                return came.get(other).get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                throw new IOException(
                        "group " + group + ": member " + other + " did not connect within " + patience.toMillis()
                                + " ms",
                        late);
            } catch (ExecutionException impossible) {
                throw new IOException(impossible);
            }
        }

        private Socket call(Address address, int other) throws IOException {
            TrustManager[] pinned = {new PinnedTrustManager(new Trust.Pin(address.sha256()))};
            SSLSocket calling =
                    (SSLSocket) context(null, pinned).getSocketFactory().createSocket();
            try {
                calling.connect(new InetSocketAddress(address.host(), address.port()), HANDSHAKE_MILLIS);
                calling.setSoTimeout(HANDSHAKE_MILLIS);
                DataOutputStream out = new DataOutputStream(calling.getOutputStream());
                writeText(out, group + " " + key);
                out.writeInt(rank);
                out.flush();
                if (calling.getInputStream().read() != WELCOME) {
                    throw new IOException("it does not take this one for a member");
                }
                calling.setSoTimeout(0);
                return calling;
            } catch (IOException failed) {
                closeQuietly(calling);
                throw new IOException(
                        "group " + group + ": member " + rank + " cannot connect with member " + other + " at "
                                + address.host() + ":" + address.port() + ": " + failed.getMessage(),
                        failed);
            }
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException ignored) {
                // It lets nobody in any more in either case.
            }
            came.forEach(each -> each.completeExceptionally(new IOException("nobody is awaited any more")));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = bytes(text);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MOST_OF_A_NAME) {
            throw new IOException("a name of " + length + " bytes");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // It is of no use in either case.
        }
    }
}
