package dev.outpost.runtime.server.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PairingCodeTest {
    private final List<String> shown = new ArrayList<>();
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");

    private PairingCode code(Optional<String> token) {
        return PairingCode.show(token, () -> now, shown::add);
    }

    private static void guess(PairingCode code, int times) {
        for (int i = 0; i < times; i++) {
            code.guessed(code.current());
        }
    }

    /** A machine of the network tries ten codes a second, and has the right one after some months otherwise. */
    @Test
    void nobodyIsPairedForAWhileAfterFiveWrongGuesses() {
        PairingCode code = code(Optional.empty());
        guess(code, 4);
        assertEquals(Optional.empty(), code.closedFor());
        guess(code, 1);
        assertEquals(2, shown.size());
        assertNotEquals(shown.getFirst(), code.current());
        assertEquals(Optional.of(Duration.ofMinutes(1)), code.closedFor());
        now = now.plus(Duration.ofMinutes(1));
        assertEquals(Optional.empty(), code.closedFor());
    }

    @Test
    void tokenIsTooLongToBeGuessedAndStaysOpen() {
        PairingCode code = code(Optional.of("a-token-of-the-network"));
        guess(code, 100);
        assertEquals(Optional.empty(), code.closedFor());
        assertEquals("a-token-of-the-network", code.current());
        assertEquals(List.of(), shown);
    }
}
