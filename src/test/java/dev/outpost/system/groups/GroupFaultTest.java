package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.message.Feature;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.support.tests.Await;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Tests the message to a program if a member of its group is lost, or if an op failed on a member. */
class GroupFaultTest {
    private static final HostTensor VALUES = HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 6);

    @Test
    void theLossOfAMemberEndsTheGroupByItsName() {
        MockProvider provider = new MockProvider();
        try (var group = MachineGroup.of(provider, "A100", 3, new MachineOptions())) {
            group.awaitReady();
            Tensor x = group.sharded(VALUES, 0);
            assertEquals(21.0, x.sum().item());
            provider.machines().get(1).lose("the node was preempted");
            OutpostException lost = assertThrows(MachineLostException.class, () -> {
                for (int attempt = 0; attempt < 100_000; attempt++) {
                    x.sum().item();
                }
            });
            assertTrue(lost.getMessage().contains("the node was preempted"), lost.getMessage());
            assertTrue(lost.getMessage().contains("mock-A100x3"), lost.getMessage());
        }
    }

    /** One member cannot reach the other one, which is lost, before the loss is reported. */
    @Test
    void aMemberThatIsLostWhileTheOthersMissItIsNamed() {
        AtomicReference<MockProvider> provider = new AtomicReference<>();
        PeerNetwork network = (group, key, rank, size) -> new MissingEntrance(() -> {
            if (rank == 0) {
                provider.get().machines().getLast().lose("the node was preempted");
            }
        });
        provider.set(new MockProvider(MockSettings.STANDARD, network));
        try (var group = MachineGroup.of(provider.get(), "A100", 2, new MachineOptions())) {
            OutpostException lost = assertThrows(
                    MachineLostException.class,
                    () -> group.sharded(VALUES, 0).sum().item());
            assertTrue(lost.getMessage().contains("the node was preempted"), lost.getMessage());
        }
    }

    /** A rendezvous that runs an action and then fails to reach the other members. */
    private record MissingEntrance(Runnable before) implements PeerRendezvous {
        @Override
        public String address() {
            return "nowhere";
        }

        @Override
        public List<PeerLane> connect(List<String> addresses, Duration timeout) throws IOException {
            before.run();
            throw new IOException("the other member does not answer");
        }

        @Override
        public void close() {}
    }

    @Test
    void anErrorOnOneMemberIsToldByItsOp() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            Tensor x = group.replicated(HostTensor.of(new float[] {1, 2, 3}, 3), List.of(0, 1));
            Tensor index = group.sharded(HostTensor.of(new long[] {0, 1, 2, 7}, 4), 0);
            Tensor picked = x.indexSelect(0, index);
            OutpostException failed = assertThrows(OutpostException.class, picked::toHost);
            assertTrue(failed.getMessage().contains("index 7 is out of bounds"), failed.getMessage());
            // Other values still exist.
            assertEquals(6.0, x.sum().item());
        }
    }

    /** The program got the error from the first member; the second one got it by the exchange that needed the lost value. */
    @Test
    void anErrorThatTheProgramWasToldOfIsNotToldAgainAtTheEnd() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            Tensor x = group.replicated(HostTensor.of(new float[] {1, 2, 3}, 3), List.of(0, 1));
            Tensor picked = x.indexSelect(0, group.sharded(HostTensor.of(new long[] {7, 1, 2, 0}, 4), 0));
            OutpostException failed = assertThrows(
                    OutpostException.class, () -> picked.sum().neg().item());
            assertTrue(failed.getMessage().contains("index 7 is out of bounds"), failed.getMessage());
        }
    }

    @Test
    void aMemberThatCannotBeProvidedEndsTheGroup() {
        MachineOptions options =
                new MachineOptions().option("failure", "no quota").peerTimeout(Await.GUARD);
        try (var group = MachineGroup.of("mock", "A100", 2, options)) {
            OutpostException failed = assertThrows(
                    OutpostException.class, () -> group.sharded(VALUES, 0).sum().item());
            assertTrue(failed.getMessage().contains("no quota"), failed.getMessage());
        }
    }

    /** Repeated, because the machine and the program's first segment race with each other. */
    @RepeatedTest(30)
    void aMachineThatKnowsNoGroupsEndsTheGroupByItsVersion() {
        ProtocolVersions lacking = ProtocolVersions.CURRENT.without(Set.of(Feature.GROUPS));
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withDialect(lacking));
        try (var group = MachineGroup.of(provider, "A100", 2, new MachineOptions())) {
            OutpostException refused = assertThrows(
                    OutpostException.class, () -> group.sharded(VALUES, 0).sum().item());
            String expected = "the machine speaks protocol 8.1 and cannot be a member of a group; use a newer one";
            assertTrue(refused.getMessage().contains(expected), refused.getMessage());
        }
    }

    @Test
    void ranksThatAreNotThereAreRefused() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            OutpostException refused =
                    assertThrows(OutpostException.class, () -> group.sharded(VALUES, 0, List.of(0, 2)));
            assertEquals("group: expected ranks from 0 to 1, got [0, 2]", refused.getMessage());
        }
    }
}
