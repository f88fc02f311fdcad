package dev.outpost.bench.group;

import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.runtime.peer.network.LocalWay;
import dev.outpost.runtime.peer.network.TlsPeerNetwork;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLServerSocket;

/**
 * One of two processes that measure sums between them, and transfers of the same bytes over a plain connection, alternately. It
 * prints its address and reads that of the other one. Rank 0 prints the measurements.
 */
final class ExchangeMember {
    private static final List<Integer> MEMBERS = List.of(0, 1);
    private static final int SMALL_ROUNDS = 400;

    private final int rank;
    private final PeerGroup group;
    private final PlainLink link;
    private long number;

    private ExchangeMember(int rank, PeerGroup group, PlainLink link) {
        this.rank = rank;
        this.group = group;
        this.link = link;
    }

    /** Arguments: rank, key store, bytes, rounds, and the allowed connections within a host. */
    public static void main(String... arguments) throws Exception {
        int rank = Integer.parseInt(arguments[0]);
        MemberIdentity identity = MemberIdentity.read(Path.of(arguments[1]));
        TlsPeerNetwork network = new TlsPeerNetwork(
                identity.keys(), identity.sha256(), InetAddress.getLoopbackAddress(), LocalWay.valueOf(arguments[4]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (PeerRendezvous entrance = network.open("bench", "secret of the benchmark", rank, 2);
                SSLServerSocket server = PlainLink.listen(identity)) {
            System.out.println(server.getLocalPort() + " " + entrance.address());
            String[] other = in.readLine().split(" ", 2);
            List<String> addresses =
                    rank == 0 ? List.of(entrance.address(), other[1]) : List.of(other[1], entrance.address());
            PeerGroup group = new PeerGroup("bench", rank, entrance.connect(addresses, Duration.ofMinutes(2)));
            try (PlainLink link = rank == 0
                    ? PlainLink.accept(server)
                    : PlainLink.connect(Integer.parseInt(other[0]), identity.sha256())) {
                new ExchangeMember(rank, group, link)
                        .measure(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            }
            group.close("the benchmark is over");
        }
    }

    private void measure(int bytes, int rounds) throws Exception {
        byte[] elements = new byte[bytes];
        byte[] small = new byte[4];
        for (int round = 0; round <= rounds; round++) {
            double summed = sum(elements, 1);
            double plain = link.exchange(bytes);
            double latency = sum(small, SMALL_ROUNDS) / SMALL_ROUNDS;
            // The first round warms up both.
            if (rank == 0 && round > 0) {
                System.out.printf(Locale.ROOT, "round %.9f %.9f %.9f%n", summed, plain, latency);
            }
        }
    }

    private double sum(byte[] elements, int times) throws InterruptedException {
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(elements.length / Float.BYTES));
        long start = System.nanoTime();
        for (int time = 0; time < times; time++) {
            Collective sum = new Collective(
                    Collective.Fn.ALL_REDUCE, type, MEMBERS, Optional.empty(), Optional.empty(), ++number, 1);
            group.exchange(sum, type.shape(), elements, Optional.empty());
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
