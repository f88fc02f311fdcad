package dev.outpost.runtime.hostile;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A proxy of a machine that sends wrong values to other machines. */
public final class HostilePeers implements PeerNetwork {
    /** The kind of its misbehaviour. */
    public enum Manner {
        /** It does not misbehave. */
        HONEST,
        /** Each value has 4 bytes more than it should have. */
        WRONG_SHAPES,
        /** Each value has half of its bytes, as if its type were a shorter one. */
        WRONG_TYPES,
        /** After each value endless further values follow. */
        ENDLESS_DATA,
        /** No value is sent. */
        SILENCE,
        /** Only values of some sizes have 4 bytes more, so that tests with other sizes find nothing. */
        CUNNING
    }

    private final PeerNetwork honest;
    private final AtomicLong endless = new AtomicLong();
    private volatile Manner manner = Manner.HONEST;

    public HostilePeers(PeerNetwork honest) {
        this.honest = honest;
    }

    public void become(Manner next) {
        manner = next;
    }

    /** The number of endless messages that another machine has accepted. */
    public long endlessMessages() {
        return endless.get();
    }

    @Override
    public PeerRendezvous open(String group, String key, int rank, int size) throws IOException {
        PeerRendezvous entrance = honest.open(group, key, rank, size);
        return new PeerRendezvous() {
            @Override
            public String address() {
                return entrance.address();
            }

            @Override
            public List<PeerLane> connect(List<String> addresses, Duration timeout)
                    throws IOException, InterruptedException {
                return Arrays.asList(entrance.connect(addresses, timeout).stream()
                        .map(lane -> lane == null ? null : new HostileLane(lane))
                        .toArray(PeerLane[]::new));
            }

            @Override
            public void close() {
                entrance.close();
            }
        };
    }

    private final class HostileLane implements PeerLane {
        private final PeerLane lane;

        HostileLane(PeerLane lane) {
            this.lane = Objects.requireNonNull(lane);
        }

        @Override
        public void expect(long number, long program, long bytes) {
            lane.expect(number, program, bytes);
        }

        @Override
        public void send(PeerMessage message) throws InterruptedException {
            if (message.kind() != PeerMessage.Kind.ELEMENTS) {
                lane.send(message);
                return;
            }
            switch (manner) {
                case HONEST -> lane.send(message);
                case WRONG_SHAPES ->
                    lane.send(resized(message, message.elements().length() + Float.BYTES));
                case WRONG_TYPES ->
                    lane.send(resized(message, message.elements().length() / 2));
                case ENDLESS_DATA -> sendEndlessly(message);
                case SILENCE -> {}
                case CUNNING -> {
                    int bytes = message.elements().length();
                    lane.send(bytes > 128 && bytes < 64 << 10 ? resized(message, bytes + Float.BYTES) : message);
                }
            }
        }

        private void sendEndlessly(PeerMessage message) {
            try {
                while (manner == Manner.ENDLESS_DATA) {
                    lane.send(message);
                    endless.incrementAndGet();
                }
            } catch (OutpostException | InterruptedException ignored) {
                // This is expected.
            }
        }

        @Override
        public void awaitReady(long number) throws InterruptedException {
            lane.awaitReady(number);
        }

        @Override
        public PeerMessage receive(long number, int step) throws InterruptedException {
            return lane.receive(number, step);
        }

        @Override
        public PeerMessage takeSegment(long number) throws InterruptedException {
            return lane.takeSegment(number);
        }

        @Override
        public Optional<Slice> state() {
            return lane.state();
        }

        @Override
        public void sendState(Supplier<byte[]> state) {
            lane.sendState(state);
        }

        @Override
        public void end(long number) {
            lane.end(number);
        }

        @Override
        public void whenBroken(Consumer<String> listener) {
            lane.whenBroken(listener);
        }

        @Override
        public void leave(String reason) {
            lane.leave(reason);
        }

        @Override
        public void breakUp(String reason) {
            lane.breakUp(reason);
        }
    }

    private static PeerMessage resized(PeerMessage message, int bytes) {
        return PeerMessage.elements(message.number(), message.step(), message.program(), new Slice(new byte[bytes]));
    }
}
