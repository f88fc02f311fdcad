package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HalfOpenConnectionsTest {
    private final HalfOpenConnections<String> halves = new HalfOpenConnections<>(2, 5);

    @Test
    void aHalfIsTakenOnce() {
        add(1, "a");
        assertEquals(Optional.of("1"), halves.take(number(1)));
        assertEquals(Optional.empty(), halves.take(number(1)));
        assertEquals(0, halves.size());
    }

    @Test
    void aPeerThatHasTooManyLosesItsOwnOldest() {
        add(1, "other");
        add(2, "a");
        add(3, "a");
        assertEquals(Optional.of("2"), add(4, "a"));
        assertEquals(Optional.of("1"), halves.take(number(1)));
    }

    @Test
    void whereAllTogetherHaveTooManyTheLargestPeerGivesWay() {
        add(1, "a");
        add(2, "a");
        add(3, "b");
        add(4, "c");
        add(5, "d");
        assertEquals(Optional.of("1"), add(6, "e"));
        assertEquals(5, halves.size());
    }

    @Test
    void aHalfThatTookAnothersPlaceStays() {
        add(1, "a");
        assertFalse(halves.remove(number(1), "another"));
        assertTrue(halves.remove(number(1), "1"));
        assertFalse(halves.remove(number(1), "1"));
        assertEquals(0, halves.size());
    }

    private Optional<String> add(long number, String peer) {
        return halves.add(number(number), peer, Long.toString(number).intern());
    }

    private static UUID number(long number) {
        return new UUID(0, number);
    }
}
