package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class UnknownKeysTest {
    private static final byte[] GOOD = {1};
    private static final byte[] OTHER = {2};

    private final UnknownKeys unknown = new UnknownKeys();

    /** Goes on until the limit is reached, so it does not depend on the machine's speed. */
    private void exhaust(String address) {
        assertThrows(Problem.class, () -> {
            while (true) {
                unknown.count(address);
            }
        });
    }

    @Test
    void addressThatGuessesIsHeldUpAndOthersAreNot() {
        exhaust("192.0.2.1");
        assertThrows(Problem.class, () -> {
            while (true) {
                unknown.count("192.0.2.1");
                unknown.require("192.0.2.1", OTHER);
            }
        });
        unknown.require("192.0.2.2", OTHER);
    }

    @Test
    void keyThatWasGoodIsNotHeldUp() {
        unknown.wasGood(GOOD);
        exhaust("192.0.2.1");
        unknown.require("192.0.2.1", GOOD);
    }
}
