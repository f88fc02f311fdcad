package dev.outpost.runtime.peer.network;

import dev.outpost.channel.HostPort;
import dev.outpost.channel.Trust;
import dev.outpost.channel.client.PinnedTrustManager;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * Connects members of a group over TCP with TLS. If two members are processes of one user on one host, they use a
 * Unix socket and shared memory instead. Of two members, the one with the higher rank connects. It verifies the other
 * member by the hash of its certificate, which is part of the address. It authenticates with the group's key, which
 * is sent only over TLS or over that Unix socket.
 */
public final class TlsPeerNetwork implements PeerNetwork {
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);
    private static final int MAX_OF_A_NAME = 256;
    private static final int WELCOME = 1;
    private static final int REFUSED = 0;
    /** The bit that a member adds to its rank in the greeting if it offers shared memory. */
    private static final int WITH_MEMORY = 1 << 30;

    /** The trust managers of the listening side: none, because callers show no certificate. */
    private static final TrustManager[] NOBODY = {};

    /** The part of the listener's backlog for connections of non-members. */
    private static final int STRANGERS = 256;

    private static final int SOCKET_BYTES = 4 << 20;

    private final KeyManager[] identity;
    private final String sha256;
    private final InetAddress bound;
    private final InetAddress host;
    private final LocalWay localWay;
    private final Duration handshake;

    /**
     * Creates a network with the machine's own certificate.
     *
     * @param identity provides the certificate
     * @param sha256 the SHA-256 of the certificate, in hex
     * @param bound the address on which it listens for the other members; may be the wildcard address
     * @param host the address at which the others reach this machine
     */
    public TlsPeerNetwork(KeyManager identity, String sha256, InetAddress bound, InetAddress host) {
        this(identity, sha256, bound, host, LocalWay.SHARED_MEMORY);
    }

    /** Creates a network that listens at the address at which the other members reach this machine. */
    public TlsPeerNetwork(KeyManager identity, String sha256, InetAddress host, LocalWay local) {
        this(identity, sha256, host, host, local);
    }

    /** @param local the best transport between members on one host */
    public TlsPeerNetwork(KeyManager identity, String sha256, InetAddress bound, InetAddress host, LocalWay local) {
        this(identity, sha256, bound, host, local, HANDSHAKE);
    }

    /** @param handshake the time in which a peer must authenticate */
    TlsPeerNetwork(
            KeyManager identity,
            String sha256,
            InetAddress bound,
            InetAddress host,
            LocalWay local,
            Duration handshake) {
        this.identity = new KeyManager[] {identity};
        this.sha256 = sha256;
        this.bound = bound;
        this.host = host;
        this.localWay = local;
        this.handshake = handshake;
    }

    @Override
    public PeerRendezvous open(String group, String key, int rank, int size) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReceiveBufferSize(SOCKET_BYTES);
        // The backlog also has room for connections of strangers. If the backlog is full, the member's operating system
        // repeats the connection only after a second, and then after longer pauses.
        socket.bind(new InetSocketAddress(bound, 0), size + STRANGERS);
        return new Entrance(socket, localSocket(), group, key, rank, size);
    }

    private Optional<LocalSocket> localSocket() {
        return switch (localWay) {
            case TLS -> Optional.empty();
            case UNIX_SOCKET -> LocalSocket.open(false);
            case SHARED_MEMORY -> LocalSocket.open(true);
        };
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

    private final class Entrance implements PeerRendezvous {
        private final ServerSocket socket;
        private final Optional<LocalSocket> local;
        private final String group;
        private final String key;
        private final int rank;
        private final int size;
        private final List<CompletableFuture<PeerConnection>> came = new ArrayList<>();
        private final Greetings greetings;
        private final SSLSocketFactory accepting;
        /** True once all members are connected. From then on, the lanes close the connections. */
        private volatile boolean isConnected;

        Entrance(ServerSocket socket, Optional<LocalSocket> local, String group, String key, int rank, int size)
                throws IOException {
            this.socket = socket;
            this.local = local;
            this.group = group;
            this.key = key;
            this.rank = rank;
            this.size = size;
            this.greetings = new Greetings(size);
            this.accepting = context(identity, NOBODY).getSocketFactory();
            for (int other = 0; other < size; other++) {
                came.add(new CompletableFuture<>());
            }
            start("accept", this::acceptAll);
            local.ifPresent(open -> start("accept-local", () -> open.acceptAll(this::admitLocal)));
        }

        @Override
        public String address() {
            return new PeerAddress(host.getHostAddress(), socket.getLocalPort(), sha256, local.map(LocalSocket::path))
                    .toString();
        }

        // ---- connections from members of higher ranks

        private void acceptAll() {
            while (!socket.isClosed()) {
                try {
                    Socket connected = socket.accept();
                    greetings.begin(connected).ifPresent(PeerConnection::closeQuietly);
                    start("admit", () -> admitTls(connected));
                } catch (IOException ignored) {
                    Greetings.pauseAfterRefusal();
                }
            }
        }

        private void admitTls(Socket connected) {
            try {
                connected.setSoTimeout(handshakeMillis());
                SSLSocket tls = (SSLSocket) accepting.createSocket(connected, null, true);
                prepare(connected);
                PeerConnection connection = PeerConnection.of(tls, connected);
                CompletableFuture<Void> greeting = closingLater(connection);
                admit(connection);
                greeting.complete(null);
                connected.setSoTimeout(0);
            } catch (IOException ignored) {
                PeerConnection.closeQuietly(connected);
            } finally {
                greetings.end(connected);
            }
        }

        private void admitLocal(PeerConnection connected) {
            CompletableFuture<Void> greeting = closingLater(connected);
            admit(connected);
            greeting.complete(null);
        }

        /** Accepts a member. A peer that does not know the key is disconnected and learns nothing else. */
        private void admit(PeerConnection connected) {
            try {
                DataInputStream in = new DataInputStream(connected.in());
                String shown = readText(in);
                int said = in.readInt();
                boolean offersMemory = (said & WITH_MEMORY) != 0 && localWay == LocalWay.SHARED_MEMORY;
                int other = offersMemory ? said & ~WITH_MEMORY : said;
                boolean isMember =
                        MessageDigest.isEqual(bytes(shown), bytes(group + " " + key)) && other > rank && other < size;
                if (!isMember) {
                    connected.close();
                    return;
                }
                // Sent before the connection is handed over, because its new owner may write to it immediately.
                connected.out().write(WELCOME);
                connected.out().flush();
                PeerConnection complete = offersMemory ? connected.with(taken(connected, in)) : connected;
                if (!came.get(other).complete(complete)) {
                    complete.close();
                }
            } catch (IOException | RuntimeException ignored) {
                // For example, the peer sent an invalid file name.
                connected.close();
            }
        }

        // ---- both directions

        @Override
        public List<PeerLane> connect(List<String> addresses, Duration timeout)
                throws IOException, InterruptedException {
            if (addresses.size() != size) {
                throw new IOException("group " + group + ": expected " + size + " addresses, got " + addresses.size());
            }
            List<PeerConnection> connections = new ArrayList<>();
            try {
                for (int other = 0; other < size; other++) {
                    connections.add(other == rank ? null : connect(addresses.get(other), other, timeout));
                }
            } catch (IOException | InterruptedException failure) {
                connections.stream().filter(each -> each != null).forEach(PeerConnection::close);
                throw failure;
            } finally {
                isConnected = connections.size() == size;
                close();
            }
            List<PeerLane> lanes = new ArrayList<>();
            for (int other = 0; other < size; other++) {
                lanes.add(other == rank ? null : new SocketLane(connections.get(other), other, timeout));
            }
            return lanes;
        }

        private PeerConnection connect(String address, int other, Duration timeout)
                throws IOException, InterruptedException {
            return other < rank ? call(PeerAddress.parse(address), other) : awaited(other, timeout);
        }

        private PeerConnection awaited(int other, Duration timeLimit) throws IOException, InterruptedException {
            try {
                return came.get(other).get(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException timeout) {
                throw new IOException(
                        "group " + group + ": member " + other + " did not connect within " + timeLimit.toMillis()
                                + " ms",
                        timeout);
            } catch (ExecutionException impossible) {
                throw new IOException(impossible);
            }
        }

        private PeerConnection call(PeerAddress address, int other) throws IOException {
            try {
                Optional<PeerConnection> near = localWay == LocalWay.TLS
                        ? Optional.empty()
                        : address.local().flatMap(LocalSocket::connect);
                return near.isPresent()
                        ? greetedLocally(near.get(), address.local().orElseThrow())
                        : callTls(address);
            } catch (IOException failure) {
                throw new IOException(
                        "group " + group + ": member " + rank + " cannot connect with member " + other + " at "
                                + HostPort.text(address.host(), address.port()) + ": " + failure.getMessage(),
                        failure);
            }
        }

        private PeerConnection callTls(PeerAddress address) throws IOException {
            TrustManager[] pinned = {new PinnedTrustManager(new Trust.Pin(address.sha256()))};
            Socket tcp = new Socket();
            try {
                tcp.setReceiveBufferSize(SOCKET_BYTES);
                tcp.connect(new InetSocketAddress(address.host(), address.port()), handshakeMillis());
                tcp.setSoTimeout(handshakeMillis());
                SSLSocket tls = (SSLSocket) context(null, pinned)
                        .getSocketFactory()
                        .createSocket(tcp, address.host(), address.port(), true);
                prepare(tcp);
                PeerConnection calling = PeerConnection.of(tls, tcp);
                CompletableFuture<Void> greeting = closingLater(calling);
                greeted(calling, 0);
                greeting.complete(null);
                tcp.setSoTimeout(0);
                return calling;
            } catch (IOException failure) {
                PeerConnection.closeQuietly(tcp);
                throw failure;
            }
        }

        private PeerConnection greetedLocally(PeerConnection calling, Path socket) throws IOException {
            CompletableFuture<Void> greeting = closingLater(calling);
            boolean sharesMemory = localWay == LocalWay.SHARED_MEMORY && LocalSocket.takesMemory(socket);
            PeerConnection greeted = greeted(calling, sharesMemory ? WITH_MEMORY : 0);
            greeted = sharesMemory ? greeted.with(offered(greeted)) : greeted;
            if (!greeting.complete(null)) {
                throw new IOException("it did not answer within " + handshakeMillis() + " ms");
            }
            return greeted;
        }

        /**
         * Offers shared memory to the other member. Returns the memory if the other member maps it. The file's name
         * is deleted before this method returns.
         */
        private Optional<SharedMemory> offered(PeerConnection calling) throws IOException {
            Optional<SharedMemory.Made> made = SharedMemory.make();
            try {
                DataOutputStream out = new DataOutputStream(calling.out());
                writeText(out, made.map(each -> each.file().toString()).orElse(""));
                out.flush();
                return calling.in().read() == WELCOME ? made.map(SharedMemory.Made::memory) : Optional.empty();
            } finally {
                made.ifPresent(SharedMemory.Made::removeName);
            }
        }

        /** Maps the memory that the other member offers in {@link #offered}. */
        private Optional<SharedMemory> taken(PeerConnection connected, DataInputStream in) throws IOException {
            String file = readText(in);
            Optional<SharedMemory> memory = file.isEmpty() ? Optional.empty() : SharedMemory.open(Path.of(file));
            connected.out().write(memory.isPresent() ? WELCOME : REFUSED);
            connected.out().flush();
            return memory;
        }

        /** @param flag {@link #WITH_MEMORY} or 0, which is added to the rank */
        private PeerConnection greeted(PeerConnection calling, int flag) throws IOException {
            try {
                DataOutputStream out = new DataOutputStream(calling.out());
                writeText(out, group + " " + key);
                out.writeInt(rank | flag);
                out.flush();
                if (calling.in().read() != WELCOME) {
                    throw new IOException("it does not accept this machine as a member");
                }
                return calling;
            } catch (IOException failure) {
                calling.close();
                throw failure;
            }
        }

        @Override
        public void close() {
            PeerConnection.closeQuietly(socket);
            local.ifPresent(LocalSocket::close);
            came.forEach(this::end);
        }

        /** Closes the connection of a member that connected too late. */
        private void end(CompletableFuture<PeerConnection> awaited) {
            boolean hasCome = !awaited.completeExceptionally(new IOException("the entrance is closed"));
            if (hasCome && !isConnected && !awaited.isCompletedExceptionally()) {
                awaited.join().close();
            }
        }
    }

    private int handshakeMillis() {
        return Math.toIntExact(handshake.toMillis());
    }

    /**
     * Closes the connection unless the caller completes the returned future in time. A Unix socket has no timeout,
     * and the timeout of a TCP socket applies to each read.
     */
    private CompletableFuture<Void> closingLater(PeerConnection connection) {
        CompletableFuture<Void> greeting = new CompletableFuture<>();
        greeting.orTimeout(handshake.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
            connection.close();
            return null;
        });
        return greeting;
    }

    private static void prepare(Socket tcp) throws IOException {
        tcp.setTcpNoDelay(true);
        tcp.setSendBufferSize(SOCKET_BYTES);
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
        if (length < 0 || length > MAX_OF_A_NAME) {
            throw new IOException("a name of " + length + " bytes");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
