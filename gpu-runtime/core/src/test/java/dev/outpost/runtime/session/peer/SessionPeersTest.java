package dev.outpost.runtime.session.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SessionPeersTest {
    /** A rendezvous that connects only when the test allows it. */
    private static final class SlowEntrance implements PeerRendezvous {
        final AtomicInteger connected = new AtomicInteger();
        final CountDownLatch isConnecting = new CountDownLatch(1);
        final CountDownLatch mayConnect = new CountDownLatch(1);

        @Override
        public String address() {
            return "here";
        }

        @Override
        public List<PeerLane> connect(List<String> addresses, Duration timeout) throws InterruptedException {
            connected.incrementAndGet();
            isConnecting.countDown();
            mayConnect.await();
            return Arrays.asList(new PeerLane[] {null});
        }

        @Override
        public void close() {}
    }

    private final SlowEntrance entrance = new SlowEntrance();
    private final SessionPeers peers = new SessionPeers((group, key, rank, size) -> entrance, Optional.empty());

    private static PeerQuestion open() {
        return open("g");
    }

    private static PeerQuestion open(String group) {
        return PeerQuestion.newBuilder()
                .setOpen(PeerQuestion.Open.newBuilder().setGroup(group).setSize(1))
                .build();
    }

    private static PeerQuestion join() {
        return PeerQuestion.newBuilder()
                .setJoin(PeerQuestion.Join.newBuilder().addAddresses("here").setPatienceMillis(1000))
                .build();
    }

    @Test
    void aSecondQuestionToJoinIsRefusedWhileTheFirstOneConnects() throws Exception {
        peers.expect("g");
        peers.answer(open());
        Thread first = Thread.ofVirtual().start(() -> {
            try {
                peers.answer(join());
            } catch (IOException | InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        });
        entrance.isConnecting.await();
        OutpostException refused = assertThrows(OutpostException.class, () -> peers.answer(join()));
        assertEquals("group: expected an open group, joined once", refused.getMessage());
        entrance.mayConnect.countDown();
        first.join();
        assertEquals(1, entrance.connected.get());
    }

    /** A separate thread handles the request to open the group, and may be late. */
    @Test
    void aGroupThatIsLeftBeforeItIsOpenedIsNotOpenedAndAnotherOneIs() throws Exception {
        peers.expect("g");
        peers.leave("g");
        OutpostException refused = assertThrows(OutpostException.class, () -> peers.answer(open("g")));
        assertEquals("group: the session has left group g", refused.getMessage());
        peers.expect("other");
        assertEquals("here", new String(peers.answer(open("other")), StandardCharsets.UTF_8));
    }

    @Test
    void joiningBeforeOpeningIsRefused() {
        assertThrows(OutpostException.class, () -> peers.answer(join()));
    }
}
