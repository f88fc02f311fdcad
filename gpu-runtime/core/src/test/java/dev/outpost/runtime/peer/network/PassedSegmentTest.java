package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.SegmentBundle;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.peer.PeerLostException;
import dev.outpost.runtime.peer.PeerMembers;
import dev.outpost.support.tests.Await;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests segments that members of a group pass on to each other. */
class PassedSegmentTest {
    private static final long PROGRAM = 5;

    private static byte[] message(int rank) {
        return new ToRuntime.RunSegment(new byte[] {1, 2, 3, (byte) rank}).encode();
    }

    private static SegmentBundle bundle(long number, int members) {
        List<Integer> ranks = IntStream.range(0, members).boxed().toList();
        return SegmentBundle.of(
                number,
                PROGRAM,
                ranks,
                ranks.stream().map(PassedSegmentTest::message).toList());
    }

    /** The tree of four members: 0 sends to 2 and 1, 2 to 3. */
    private static void assertPassed(List<PeerGroup> groups) throws Exception {
        int[] senders = {-1, 0, 0, 2};
        List<byte[]> own = PeerMembers.onAll(4, rank -> {
            byte[] last = null;
            for (long number = 1; number <= 3; number++) {
                SegmentBundle came =
                        rank == 0 ? bundle(number, 4) : groups.get(rank).take(number, PROGRAM, senders[rank]);
                groups.get(rank).passOn(came);
                last = came.own().encode();
            }
            return last;
        });
        for (int rank = 0; rank < 4; rank++) {
            assertArrayEquals(message(rank), own.get(rank));
        }
    }

    @Test
    void segmentsReachAllMembersOfAProcess() throws Exception {
        assertPassed(PeerMembers.groups(4));
    }

    @Test
    void segmentsReachAllMembersByTls(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder);
        TlsPeerNetwork network =
                new TlsPeerNetwork(identity.keys(), identity.sha256(), InetAddress.getLoopbackAddress(), LocalWay.TLS);
        assertPassed(PeerMembers.groups(network, 4, PeerMembers.TIMEOUT));
    }

    @Test
    void aMemberThatIsGoneBeforeItPassedASegmentOnIsNamed() throws Exception {
        List<PeerGroup> groups = PeerMembers.groups(2);
        groups.get(0).close("its session has ended");
        OutpostException lost =
                assertThrows(OutpostException.class, () -> groups.get(1).take(3, PROGRAM, 0));
        assertEquals("segment 3: group g: segment 3: member 0 is gone: its session has ended", lost.getMessage());
    }

    @Test
    void aMemberThatPassesNothingOnIsNamedAfterThePatience() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(50), timeout -> {
            List<PeerGroup> groups = PeerMembers.groups(new LocalPeerNetwork(), 2, timeout);
            OutpostException lost =
                    assertThrows(OutpostException.class, () -> groups.get(1).take(3, PROGRAM, 0));
            String late = "member 0 did not forward it within " + timeout.toMillis() + " ms";
            assertTrue(lost.getMessage().contains(late), lost::getMessage);
        });
    }

    @Test
    void aSegmentOfAnotherProgramEndsTheGroup() throws Exception {
        List<PeerGroup> groups = PeerMembers.groups(2);
        groups.get(0).passOn(bundle(1, 2));
        OutpostException other =
                assertThrows(OutpostException.class, () -> groups.get(1).take(1, 6, 0));
        assertTrue(
                other.getMessage()
                        .contains(
                                "the members do not run the same program, got a segment of program 5 from member 0, expected"
                                        + " that of 6"),
                other::getMessage);
    }

    @Test
    void aSegmentForAMemberThatIsNotThereIsMalformed() throws Exception {
        List<PeerGroup> groups = PeerMembers.groups(2);
        assertThrows(MalformedException.class, () -> groups.get(0).passOn(bundle(1, 3)));
        assertThrows(MalformedException.class, () -> groups.get(0).take(1, PROGRAM, 0));
    }

    @Test
    void aSegmentThatIsPassedOnTwiceEndsTheGroup() throws Exception {
        Mailbox mailbox = new Mailbox(0, PeerMembers.TIMEOUT);
        mailbox.put(PeerMessage.segment(bundle(1, 1)));
        assertThrows(PeerLostException.class, () -> mailbox.put(PeerMessage.segment(bundle(1, 1))));
    }
}
