package dev.outpost.channel.delivery;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Two lanes and the network between them, under a clock that only {@link #run} moves. One thread, no waiting. */
final class SimulatedNetwork {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long WINDOW_BYTES = 64L << 20;

    /** One end: its lane, the delivered payloads, and the number of arrived frames. */
    final class Peer {
        final ReliableLane lane = new ReliableLane(Lane.CONTROL, WINDOW_BYTES, this::deliver, () -> now);
        final List<byte[]> delivered = new ArrayList<>();
        int framesArrived;

        private void deliver(Bytes payload) {
            delivered.add(payload.toByteArray());
        }

        private void arrive(byte[] bytes) {
            framesArrived++;
            switch (Frame.decode(bytes)) {
                case Frame.Data data -> lane.onData(data);
                case Frame.Ack ack -> lane.onAck(ack);
                case Frame.Packed packed -> lane.onPacked(packed);
                case Frame.Connection other -> throw new AssertionError(other);
            }
        }
    }

    private record Flight(long arrivesAt, long order, int connection, Peer target, byte[] frame) {}

    final Peer left;
    final Peer right;

    private final PriorityQueue<Flight> flights =
            new PriorityQueue<>(Comparator.comparingLong(Flight::arrivesAt).thenComparingLong(Flight::order));
    private long now;
    private long order;
    private int connection;
    private int arrivalsUntilCut = Integer.MAX_VALUE;
    private long latencyMillis = 10;
    private int capacity = Integer.MAX_VALUE;
    private int connections;
    private boolean isConnected;

    SimulatedNetwork(long startNanos) {
        now = startNanos;
        left = new Peer();
        right = new Peer();
    }

    SimulatedNetwork latency(long millis) {
        latencyMillis = millis;
        return this;
    }

    /** Breaks the connection instead of delivering the frame with this number, counted from now. */
    SimulatedNetwork cutAfter(int arrivals) {
        arrivalsUntilCut = arrivals;
        return this;
    }

    /** Breaks connections with more frames than this on their way, and loses these frames. */
    SimulatedNetwork capacity(int frames) {
        capacity = frames;
        return this;
    }

    /** Returns the number of connections so far. */
    int connections() {
        return connections;
    }

    boolean isConnected() {
        return isConnected;
    }

    SimulatedNetwork connect() {
        int mine = ++connection;
        connections++;
        isConnected = true;
        long leftReceived = left.lane.received();
        long rightReceived = right.lane.received();
        left.lane.attach((lane, frame) -> carry(right, mine, frame), rightReceived);
        right.lane.attach((lane, frame) -> carry(left, mine, frame), leftReceived);
        return this;
    }

    /** Frames on their way are lost. */
    void cut() {
        connection++;
        isConnected = false;
        left.lane.detach();
        right.lane.detach();
    }

    void run(long millis) {
        long until = now + TimeUnit.MILLISECONDS.toNanos(millis);
        while (now < until) {
            now += TICK_NANOS;
            cutIfOverloaded();
            arrive();
            left.lane.tick();
            right.lane.tick();
        }
    }

    /** Runs until both lanes have acknowledged everything, or this time has passed. */
    void settle(long atMaxMillis) {
        for (long millis = 0; millis < atMaxMillis && !isSettled(); millis += 100) {
            run(100);
        }
    }

    boolean isSettled() {
        return left.lane.pendingBytes() == 0 && right.lane.pendingBytes() == 0;
    }

    /** Cuts an overloaded connection. Not called during a send, because the sender holds a lock. */
    private void cutIfOverloaded() {
        if (flights.stream().filter(flight -> flight.connection == connection).count() > capacity) {
            cut();
        }
    }

    private void arrive() {
        while (!flights.isEmpty() && flights.peek().arrivesAt <= now) {
            Flight flight = flights.poll();
            if (flight.connection != connection) {
                continue;
            }
            if (arrivalsUntilCut-- == 0) {
                cut();
                return;
            }
            flight.target.arrive(flight.frame);
        }
    }

    private void carry(Peer target, int mine, byte[] frame) {
        flights.add(new Flight(now + TimeUnit.MILLISECONDS.toNanos(latencyMillis), order++, mine, target, frame));
    }
}
