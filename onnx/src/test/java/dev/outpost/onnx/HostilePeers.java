package dev.outpost.onnx;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.PeerEntrance;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The way of a machine that sends other machines something else than it was told to send. */
final class HostilePeers implements PeerNetwork {
    /** How it misbehaves. */
    enum Manner {
        /** It does not. */
        HONEST,
        /** Each value has 4 bytes more than it should have. */
        WRONG_SHAPES,
        /** No value is sent. */
        SILENCE
    }

    private final PeerNetwork honest;
    private volatile Manner manner = Manner.HONEST;

    HostilePeers(PeerNetwork honest) {
        this.honest = honest;
    }

    void become(Manner next) {
        manner = next;
    }

    @Override
    public PeerEntrance open(String group, String key, int rank, int size) throws IOException {
        PeerEntrance entrance = honest.open(group, key, rank, size);
        return new PeerEntrance() {
            @Override
            public String address() {
                return entrance.address();
            }

            @Override
            public List<PeerLane> connect(List<String> addresses, Duration patience)
                    throws IOException, InterruptedException {
                return Arrays.asList(entrance.connect(addresses, patience).stream()
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
                case WRONG_SHAPES -> lane.send(longer(message));
                case SILENCE -> {}
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
        public void tellState(Supplier<byte[]> state) {
            lane.tellState(state);
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

    private static PeerMessage longer(PeerMessage message) {
        byte[] elements = new byte[message.elements().length() + Float.BYTES];
        return PeerMessage.elements(message.number(), message.step(), message.program(), new Slice(elements));
    }
}
