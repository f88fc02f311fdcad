package dev.outpost.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class BackendArgumentsTest {
    private static String refusal(String... arguments) {
        return assertThrows(IllegalArgumentException.class, () -> BackendArguments.parse(arguments))
                .getMessage();
    }

    @Test
    void optionsAreReadInBothForms() {
        BackendArguments read = BackendArguments.parse("--port", "0", "--data=/tmp/x", "--once-ready", "echo a=b");
        assertEquals(Map.of(BackendOption.PORT, "0", BackendOption.DATA, "/tmp/x"), read.values());
        assertEquals(Optional.of("echo a=b"), read.onceReady());
    }

    @Test
    void wrongArgumentIsNamed() {
        assertEquals("--ports is unknown; --help tells the options", refusal("--ports", "1"));
        assertEquals("--port: expected a number, got \"high\"", refusal("--port", "high"));
        assertEquals("--once-ready: a value is missing", refusal("--once-ready"));
    }

    @Test
    void helpNamesEveryOption() {
        for (BackendOption option : BackendOption.values()) {
            assertTrue(BackendArguments.help().contains(option.flag()), option::flag);
        }
    }
}
