package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerLostException;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final long PROGRAM = 9;

    private final Mailbox mailbox = new Mailbox(3, Await.GUARD);

    private static PeerMessage elements(long number, int step, int bytes) {
        return PeerMessage.elements(number, step, PROGRAM, new Slice(new byte[bytes]));
    }

    @Test
    void messagesAreTakenByExchangeAndStep() throws InterruptedException {
        mailbox.expect(1, PROGRAM, 0);
        mailbox.expect(2, PROGRAM, 0);
        mailbox.put(elements(1, 1, 11));
        mailbox.put(elements(2, 0, 20));
        mailbox.put(elements(1, 0, 10));
        assertEquals(10, mailbox.take(1, 0).elements().length());
        assertEquals(20, mailbox.take(2, 0).elements().length());
        assertEquals(11, mailbox.take(1, 1).elements().length());
    }

    @Test
    void messagesOfAStepKeepTheirOrder() throws InterruptedException {
        mailbox.expect(1, PROGRAM, 0);
        for (int bytes = 0; bytes < 5; bytes++) {
            mailbox.put(elements(1, 0, bytes));
        }
        for (int bytes = 0; bytes < 5; bytes++) {
            assertEquals(bytes, mailbox.take(1, 0).elements().length());
        }
    }

    @Test
    void aFaultStandsForAllStepsThatHaveNoElements() throws InterruptedException {
        mailbox.put(PeerMessage.failed(1, PROGRAM, FaultMessages.of(FaultKind.USER, "no")));
        mailbox.expect(1, PROGRAM, 0);
        assertEquals("no", mailbox.take(1, 0).fault().orElseThrow().getMessage());
        assertEquals("no", mailbox.take(1, 5).fault().orElseThrow().getMessage());
        mailbox.awaitReady(1);
    }

    @Test
    void whatComesAfterTheEndOfAnExchangeIsDropped() throws InterruptedException {
        mailbox.expect(1, PROGRAM, 0);
        mailbox.end(1);
        mailbox.put(elements(1, 0, PeerLane.EAGER_BYTES));
        mailbox.put(PeerMessage.ready(1, PROGRAM));
        mailbox.expect(2, PROGRAM, 0);
        mailbox.put(elements(2, 0, 7));
        assertEquals(7, mailbox.take(2, 0).elements().length());
    }

    @Test
    void endlessDataOfAnExchangeThatIsOverIsRefused() {
        mailbox.expect(1, PROGRAM, 0);
        mailbox.end(1);
        PeerLostException refused =
                assertThrows(PeerLostException.class, () -> endlessly(() -> elements(1, 0, PeerLane.EAGER_BYTES)));
        assertEquals("member 3 sent more than expected for exchange 1, which is over", refused.getMessage());
    }

    @Test
    void endlessMessagesWithoutElementsAreRefused() {
        mailbox.expect(1, PROGRAM, 0);
        int[] step = {0};
        assertThrows(PeerLostException.class, () -> endlessly(() -> elements(1, step[0]++, 0)));
        mailbox.expect(2, PROGRAM, 0);
        assertThrows(PeerLostException.class, () -> endlessly(() -> PeerMessage.ready(2, PROGRAM)));
    }

    /** Many, and the test fails where all are taken. */
    private void endlessly(Supplier<PeerMessage> messages) {
        for (int message = 0; message < 10_000; message++) {
            mailbox.put(messages.get());
        }
    }

    @Test
    void moreThanWasExpectedIsRefused() {
        mailbox.expect(1, PROGRAM, 100);
        mailbox.put(elements(1, 0, PeerLane.EAGER_BYTES + Mailbox.SMALL_MESSAGES + 100));
        PeerLostException refused = assertThrows(PeerLostException.class, () -> mailbox.put(elements(1, 0, 1)));
        assertTrue(refused.getMessage().startsWith("member 3 sent more than expected"), refused::getMessage);
    }

    @Test
    void moreThanAnEagerMessageBeforeTheBeginningIsRefused() {
        assertThrows(
                PeerLostException.class,
                () -> mailbox.put(elements(1, 0, PeerLane.EAGER_BYTES + Mailbox.SMALL_MESSAGES + 1)));
    }

    @Test
    void aMemberThatIsTooFarAheadIsRefused() {
        for (int number = 1; number <= Mailbox.MAX_AHEAD; number++) {
            mailbox.put(PeerMessage.ready(number, PROGRAM));
        }
        assertThrows(PeerLostException.class, () -> mailbox.put(PeerMessage.ready(Mailbox.MAX_AHEAD + 1, PROGRAM)));
    }

    @Test
    void anotherProgramIsToldWhicheverComesFirst() {
        mailbox.put(PeerMessage.ready(1, 0xab));
        mailbox.expect(1, PROGRAM, 0);
        mailbox.expect(2, PROGRAM, 0);
        mailbox.put(PeerMessage.ready(2, 0xcd));
        PeerLostException first = assertThrows(PeerLostException.class, () -> mailbox.awaitReady(1));
        assertEquals(
                "the members do not run the same program, got exchange 1 of program ab from member 3, expected that of 9",
                first.getMessage());
        PeerLostException second = assertThrows(PeerLostException.class, () -> mailbox.take(2, 0));
        assertTrue(second.getMessage().contains("program cd"), second::getMessage);
    }

    /** Without waiting for the timeout. */
    @Test
    void anExchangeThatTheOtherMemberHasLeftOutIsToldAtOnce() {
        mailbox.expect(4, PROGRAM, 0);
        mailbox.put(PeerMessage.ready(5, PROGRAM));
        PeerLostException told = assertThrows(PeerLostException.class, () -> mailbox.take(4, 0));
        assertEquals(
                "the members do not run the same program, member 3 has come to exchange 5 and never to 4",
                told.getMessage());
    }

    @Test
    void whatCameBeforeTheEndIsHandedOut() throws InterruptedException {
        mailbox.expect(1, PROGRAM, 0);
        mailbox.put(elements(1, 0, 4));
        mailbox.close("its session has ended", false);
        mailbox.put(elements(1, 0, 5));
        assertEquals(4, mailbox.take(1, 0).elements().length());
        PeerLostException gone = assertThrows(PeerLostException.class, () -> mailbox.take(1, 0));
        assertEquals("member 3 is gone: its session has ended", gone.getMessage());
    }

    @Test
    void whoWaitsIsWokenByTheEnd() throws Exception {
        mailbox.expect(1, PROGRAM, 0);
        CompletableFuture<String> told = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                mailbox.take(1, 0);
            } catch (PeerLostException | InterruptedException failure) {
                told.complete(failure.getMessage());
            }
        });
        mailbox.close("member 1 is gone: killed", true);
        assertEquals("member 1 is gone: killed", Await.result("the waiting thread is told", told));
        waiting.join();
    }

    @Test
    void patienceIsNamed() {
        Mailbox hurried = new Mailbox(2, Duration.ofMillis(20));
        hurried.expect(1, PROGRAM, 0);
        PeerLostException late = assertThrows(PeerLostException.class, () -> hurried.take(1, 0));
        assertEquals("member 2 did not come within 20 ms", late.getMessage());
        assertThrows(PeerLostException.class, () -> hurried.awaitReady(1));
    }

    @Test
    void onlyABreakIsToldToTheListenerAndOnlyTheFirstReason() {
        List<String> told = new ArrayList<>();
        Mailbox left = new Mailbox(1, Await.GUARD);
        left.whenBroken(told::add);
        left.close("left", false);
        left.close("broken", true);
        assertArrayEquals(new Object[] {}, told.toArray());
        mailbox.close("broken", true);
        mailbox.close("again", true);
        mailbox.whenBroken(told::add);
        assertArrayEquals(new Object[] {"broken"}, told.toArray());
    }
}
