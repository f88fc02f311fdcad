package dev.outpost.runtime.session.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.MissingMembersException;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.peer.network.LocalPeerNetwork;
import dev.outpost.types.Shape;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests members whose devices connect or fail to connect. */
class DeviceJoinTest {
    private static final int SIZE = 3;

    /** Code that runs when a device joins. */
    private interface Joining {
        void run();
    }

    private static final class Device implements DeviceCollectives, DeviceCommunicator {
        final AtomicBoolean isTaken = new AtomicBoolean();
        private final String name;
        private final Joining joining;
        private volatile boolean isAborted;
        private volatile boolean isTried;
        private volatile boolean hasEndedTrial;
        /** Null if the device has no units with exchanges. */
        private Joining trial;

        Device(int rank, Joining joining) {
            this.name = "GPU-" + rank;
            this.joining = joining;
        }

        @Override
        public String library() {
            return "library 1";
        }

        @Override
        public String device() {
            return name;
        }

        @Override
        public byte[] drawId(String key) {
            return new byte[] {1};
        }

        @Override
        public boolean take() {
            return !isTaken.getAndSet(true);
        }

        @Override
        public void release() {
            isTaken.set(false);
        }

        @Override
        public DeviceCommunicator join(byte[] id, String key, int size, int rank, Duration timeout) {
            joining.run();
            return this;
        }

        @Override
        public boolean prepareGroups(int size, Duration timeout) {
            return trial != null;
        }

        @Override
        public void tryGroups() {
            isTried = true;
            trial.run();
        }

        @Override
        public void endTrial() {
            hasEndedTrial = true;
        }

        @Override
        public Optional<Kernel> exchanger() {
            return Optional.empty();
        }

        @Override
        public boolean takes(Collective collective, Shape operand) {
            return false;
        }

        @Override
        public DeviceExchange prepare(Collective collective, Array operand, EngineBuffer result) {
            throw new AssertionError("nothing is exchanged");
        }

        @Override
        public void abort() {
            isAborted = true;
        }

        @Override
        public void close() {
            // There is nothing to release.
        }
    }

    private final LocalPeerNetwork network = new LocalPeerNetwork();

    private static List<Device> devices(Joining... joinings) {
        List<Device> devices = new ArrayList<>();
        for (int rank = 0; rank < joinings.length; rank++) {
            devices.add(new Device(rank, joinings[rank]));
        }
        return devices;
    }

    private static void joins() {
        // The device connects to the others.
    }

    private static void throwMissingMembers() {
        throw new MissingMembersException("join", Duration.ofMillis(50));
    }

    private static void fails() {
        throw new IllegalStateException("no such device");
    }

    private List<SessionPeers> members(String group, List<Device> devices) {
        return devices.stream()
                .map(device -> new SessionPeers(network, Optional.of(device)))
                .peek(member -> member.expect(group))
                .toList();
    }

    /** The answers of all members, by rank. */
    private static List<String> joined(String group, List<SessionPeers> members) throws Exception {
        PeerQuestion.Join.Builder join = PeerQuestion.Join.newBuilder().setPatienceMillis(20_000);
        for (int rank = 0; rank < members.size(); rank++) {
            PeerQuestion.Open open = PeerQuestion.Open.newBuilder()
                    .setGroup(group)
                    .setKey("key")
                    .setRank(rank)
                    .setSize(members.size())
                    .build();
            byte[] address = members.get(rank)
                    .answer(PeerQuestion.newBuilder().setOpen(open).build());
            join.addAddresses(new String(address, StandardCharsets.UTF_8));
        }
        PeerQuestion question = PeerQuestion.newBuilder().setJoin(join).build();
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> answers = all.invokeAll(members.stream()
                    .<Callable<byte[]>>map(member -> () -> member.answer(question))
                    .toList());
            List<String> texts = new ArrayList<>();
            for (Future<byte[]> answer : answers) {
                texts.add(new String(answer.get(), StandardCharsets.UTF_8));
            }
            return texts;
        }
    }

    @Test
    void membersWhoseDevicesFindEachOtherExchangeByThem() throws Exception {
        List<Device> devices = devices(DeviceJoinTest::joins, DeviceJoinTest::joins, DeviceJoinTest::joins);
        List<SessionPeers> members = members("g", devices);
        assertEquals(List.of("library 1", "library 1", "library 1"), joined("g", members));
        assertTrue(devices.stream().allMatch(device -> device.isTaken.get()));
        members.forEach(member -> member.close("over"));
        assertTrue(devices.stream().allMatch(device -> device.isAborted && !device.isTaken.get()));
    }

    /** One member that cannot do it is enough: exchanges are part of graphs on all members or on none. */
    @Test
    void exchangesArePartOfGroupsWhereAllDevicesHaveThem() throws Exception {
        List<Device> devices = devices(DeviceJoinTest::joins, DeviceJoinTest::joins);
        devices.forEach(device -> device.trial = DeviceJoinTest::joins);
        assertEquals(
                List.of("library 1, also within graphs", "library 1, also within graphs"),
                joined("all", members("all", devices)));
        List<Device> others = devices(DeviceJoinTest::joins, DeviceJoinTest::joins);
        others.getFirst().trial = DeviceJoinTest::joins;
        assertEquals(List.of("library 1", "library 1"), joined("some", members("some", others)));
        assertFalse(others.stream().anyMatch(device -> device.isTried));
        assertTrue(others.stream().allMatch(device -> device.hasEndedTrial));
    }

    @Test
    void aTrialThatFailsNamesTheSettingThatTurnsItOff() {
        List<Device> devices = devices(DeviceJoinTest::joins, DeviceJoinTest::joins);
        devices.get(0).trial = DeviceJoinTest::joins;
        devices.get(1).trial = () -> {
            throw new IllegalStateException("the sum is wrong");
        };
        ExecutionException failed = assertThrows(ExecutionException.class, () -> joined("g", members("g", devices)));
        String told = failed.getCause().getMessage();
        assertTrue(told.contains("the sum is wrong; outpost.runtime.cuda.exchange-graphs=false"), told);
        assertTrue(devices.get(1).isAborted && devices.get(1).hasEndedTrial);
    }

    /** The other members failed to connect because of these. */
    @Test
    void thoseThatFailAreNamed() throws Exception {
        List<Device> devices = devices(
                DeviceJoinTest::throwMissingMembers, DeviceJoinTest::fails, DeviceJoinTest::throwMissingMembers);
        String expected = "lanes between hosts: the GPU of member 1 did not join the others";
        assertEquals(List.of(expected, expected, expected), joined("g", members("g", devices)));
        assertFalse(devices.stream().anyMatch(device -> device.isTaken.get()));
    }

    @Test
    void thoseThatDoNotFindTheOthersAreNamedAndTheOthersLetGo() throws Exception {
        List<Device> devices = devices(
                DeviceJoinTest::joins, DeviceJoinTest::throwMissingMembers, DeviceJoinTest::throwMissingMembers);
        String expected = "lanes between hosts: the GPUs of members [1, 2] did not find the others within 20000 ms";
        assertEquals(List.of(expected, expected, expected), joined("g", members("g", devices)));
        assertTrue(devices.getFirst().isAborted);
    }

    /** In one queue, exchanges of two groups could wait for each other. */
    @Test
    void aDeviceExchangesForOneGroupAtATime() throws Exception {
        List<Device> devices = devices(DeviceJoinTest::joins, DeviceJoinTest::joins, DeviceJoinTest::joins);
        List<SessionPeers> first = members("first", devices);
        joined("first", first);
        List<Device> half = devices.subList(1, SIZE);
        List<SessionPeers> second = members("second", half);
        String expected = "lanes between hosts: the GPU of member 0 exchanges for another group";
        assertEquals(List.of(expected, expected), joined("second", second));
        assertTrue(devices.get(1).isTaken.get(), "the first group has it still");
        first.forEach(member -> member.close("over"));
        assertEquals(List.of("library 1", "library 1"), joined("third", members("third", half)));
    }
}
