package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A change is refused if the row has another version than its headers say. */
class PreconditionsTest {
    private static Preconditions of(String ifMatch, String ifNoneMatch) {
        Preconditions match = new Preconditions();
        match.ifMatch = ifMatch;
        match.ifNoneMatch = ifNoneMatch;
        return match;
    }

    @Test
    void headersSayTheVersion() {
        assertEquals(Optional.empty(), of(null, null).version());
        assertEquals(Optional.empty(), of("*", null).version());
        assertEquals(Optional.of(7L), of(Preconditions.tag(7), null).version());
        assertEquals(Optional.of(0L), of(null, "*").version());
        assertThrows(Problem.class, of("seven", null)::version);
    }

    @Test
    void anotherVersionIsRefused() {
        assertDoesNotThrow(() -> of("\"7\"", null).require(7, "pool", "a"));
        assertThrows(Problem.class, () -> of("\"7\"", null).require(8, "pool", "a"));
        assertThrows(Problem.class, () -> of(null, "*").require(1, "pool", "a"));
    }
}
