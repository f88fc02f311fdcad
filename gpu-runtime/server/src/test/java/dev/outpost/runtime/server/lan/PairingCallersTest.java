package dev.outpost.runtime.server.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PairingCallersTest {
    private static final String CALLER = "192.0.2.1";
    private static final String OTHER = "192.0.2.2";

    private long nanos = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos();
    private final PairingCallers callers = new PairingCallers(() -> nanos);

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private void assertOpen(String address) {
        assertEquals(Optional.empty(), callers.enter(address));
        callers.leave(address);
    }

    private void assertPaused(String address) {
        assertTrue(callers.enter(address).orElse("").contains("try again in"), address);
    }

    /** The clock of nanoseconds may overflow, and does so here. */
    @Test
    void eachWrongGuessDoublesThePauseOfItsAddressUpToABound() {
        Duration expected = PairingCallers.FIRST_PAUSE;
        for (int guess = 0; guess < 20; guess++) {
            callers.wrong(CALLER);
            pass(expected.minusNanos(1));
            assertPaused(CALLER);
            assertOpen(OTHER);
            pass(Duration.ofNanos(1));
            assertOpen(CALLER);
            expected = expected.multipliedBy(2).compareTo(PairingCallers.MAX_PAUSE) > 0
                    ? PairingCallers.MAX_PAUSE
                    : expected.multipliedBy(2);
        }
        assertEquals(PairingCallers.MAX_PAUSE, expected);
    }

    @Test
    void pauseIsForgottenAfterAPairingAndAfterAnHour() {
        callers.wrong(CALLER);
        callers.wrong(CALLER);
        callers.right(CALLER);
        assertOpen(CALLER);
        callers.wrong(CALLER);
        pass(Duration.ofMinutes(61));
        callers.wrong(CALLER);
        pass(PairingCallers.FIRST_PAUSE);
        assertOpen(CALLER);
    }

    @Test
    void anAddressHasOneConversationAndAllTogetherHaveABound() {
        assertEquals(Optional.empty(), callers.enter(CALLER));
        assertTrue(callers.enter(CALLER).orElse("").contains("another client at " + CALLER));
        for (int i = 1; i < PairingCallers.MAX_CONVERSATIONS; i++) {
            assertEquals(Optional.empty(), callers.enter("198.51.100." + i));
        }
        assertTrue(callers.enter(OTHER).orElse("").contains("too many clients"));
        callers.leave(CALLER);
        assertOpen(OTHER);
    }

    @Test
    void noMoreAddressesAreRememberedThanTheBound() {
        callers.wrong(CALLER);
        for (int i = 0; i < PairingCallers.MAX_ADDRESSES; i++) {
            callers.wrong("caller " + i);
        }
        assertOpen(CALLER);
        assertPaused("caller 1");
        assertPaused("caller " + (PairingCallers.MAX_ADDRESSES - 1));
    }
}
