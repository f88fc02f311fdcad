package dev.outpost.runtime.peer;

import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.peer.network.LocalPeerNetwork;
import dev.outpost.support.tests.Await;
import dev.outpost.types.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Members of groups within this process. */
public final class PeerMembers {
    public static final Duration TIMEOUT = Await.GUARD;

    private PeerMembers() {}

    public interface PerMember<T> {
        T of(int rank) throws Exception;
    }

    public static List<PeerGroup> groups(int size) throws Exception {
        return groups(new LocalPeerNetwork(), size, TIMEOUT);
    }

    public static List<PeerGroup> groups(PeerNetwork network, int size, Duration timeout) throws Exception {
        List<List<PeerLane>> lanes = lanes(network, size, timeout);
        List<PeerGroup> groups = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            groups.add(new PeerGroup("g", rank, lanes.get(rank)));
        }
        return groups;
    }

    public static List<List<PeerLane>> lanes(PeerNetwork network, int size, Duration timeout) throws Exception {
        List<PeerRendezvous> entrances = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            entrances.add(network.open("g", "secret", rank, size));
        }
        List<String> addresses = entrances.stream().map(PeerRendezvous::address).toList();
        return onAll(size, rank -> entrances.get(rank).connect(addresses, timeout));
    }

    /** Runs an exchange of flat elements on all members. */
    public static List<ExchangeResult> exchange(int size, PerMember<Collective> ops, PerMember<byte[]> elements)
            throws Exception {
        List<PeerGroup> groups = groups(size);
        return onAll(size, rank -> {
            Collective op = ops.of(rank);
            byte[] own = elements.of(rank);
            Shape shape = Shape.of(own.length / op.type().dtype().bytes());
            return groups.get(rank).exchange(op, shape, own, Optional.empty());
        });
    }

    public static <T> List<T> onAll(int size, PerMember<T> work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                int own = rank;
                running.add(threads.submit((Callable<T>) () -> work.of(own)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) {
                results.add(each.get());
            }
            return results;
        }
    }
}
