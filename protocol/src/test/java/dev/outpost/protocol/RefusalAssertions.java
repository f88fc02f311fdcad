package dev.outpost.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import org.junit.jupiter.api.function.Executable;

/** Asserts the whole message of an exception. */
public final class RefusalAssertions {
    private RefusalAssertions() {}

    public static void assertRefused(String message, Executable call) {
        assertEquals(message, assertThrows(OpException.class, call).getMessage());
    }

    public static void assertMalformed(String problem, Executable call) {
        assertEquals(
                "malformed input: " + problem,
                assertThrows(MalformedException.class, call).getMessage());
    }
}
