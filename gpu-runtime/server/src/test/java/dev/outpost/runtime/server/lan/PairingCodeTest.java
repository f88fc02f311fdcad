package dev.outpost.runtime.server.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PairingCodeTest {
    private final List<String> shown = new ArrayList<>();
    private long nanos = 5;

    private PairingCode code(String token) {
        return PairingCode.show(token, () -> nanos, shown::add);
    }

    private static void guess(PairingCode code, int times) {
        for (int i = 0; i < times; i++) {
            code.guessed(code.current());
        }
    }

    /** Otherwise a machine in the network that tries ten codes per second would find the right one after some months. */
    @Test
    void nobodyIsPairedForAWhileAfterFiveWrongGuesses() {
        PairingCode code = code(null);
        guess(code, 4);
        assertEquals(Optional.empty(), code.closedFor());
        guess(code, 1);
        assertEquals(2, shown.size());
        assertNotEquals(shown.getFirst(), code.current());
        assertEquals(Optional.of(Duration.ofMinutes(1)), code.closedFor());
        nanos += Duration.ofMinutes(1).toNanos();
        assertEquals(Optional.empty(), code.closedFor());
    }

    /** Concurrent conversations allow no more guesses than sequential ones. */
    @Test
    void guessesWithoutAResultCountAsWrongOnes() {
        PairingCode code = code(null);
        String first = code.current();
        guess(code, 2);
        for (int i = 0; i < 3; i++) {
            assertTrue(code.begin(first));
        }
        assertFalse(code.begin(first));
        code.dropped(first);
        assertTrue(code.begin(first));
        code.guessed(first);
        assertFalse(code.begin(first));
        assertTrue(code.used(first));
        assertFalse(code.used(first), "a code pairs one client");
        assertFalse(code.begin(first));
        assertTrue(code.begin(code.current()));
    }

    @Test
    void tokenIsTooLongToBeGuessedAndStaysOpen() {
        PairingCode code = code("a-token-of-the-network");
        guess(code, 100);
        assertEquals(Optional.empty(), code.closedFor());
        assertEquals("a-token-of-the-network", code.current());
        assertEquals(List.of(), shown);
    }
}
