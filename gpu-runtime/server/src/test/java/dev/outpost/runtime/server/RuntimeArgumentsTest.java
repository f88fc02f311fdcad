package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RuntimeArgumentsTest {
    @Test
    void bothWaysToWriteAnOptionAreRead() {
        assertEquals(
                Map.of(RuntimeOption.PORT, "0", RuntimeOption.MANAGEMENT_PORT, "8443", RuntimeOption.QUOTA, "1000000"),
                RuntimeArguments.parse("--port", "0", "--management-port=8443", "--quota=1000000")
                        .values());
    }

    @Test
    void theLastOfTwoCounts() {
        assertEquals(
                Map.of(RuntimeOption.ENGINE, "reference"),
                RuntimeArguments.parse("--engine", "cpu", "--engine", "reference")
                        .values());
    }

    @Test
    void wrongArgumentIsNamed() {
        assertRefused("--prot is unknown; --help tells the options", "--prot", "1");
        assertRefused("serve is unknown; --help tells the options", "serve");
        assertRefused("--port: a value is missing", "--host", "x", "--port");
        assertRefused("--port: expected a number, got \"many\"", "--port=many");
        assertRefused("--quota: expected a number, got \"-1\"", "--quota", "-1");
        assertRefused("--socket: expected FILE, got nothing", "--socket=");
    }

    @Test
    void helpTellsEveryOption() {
        assertTrue(RuntimeArguments.parse("--port", "1", "-h").isHelp());
        for (RuntimeOption option : RuntimeOption.values()) {
            assertTrue(RuntimeArguments.help().contains(option.help()), option::flag);
        }
    }

    private static void assertRefused(String sentence, String... arguments) {
        assertEquals(
                sentence,
                assertThrows(IllegalArgumentException.class, () -> RuntimeArguments.parse(arguments))
                        .getMessage());
    }
}
