package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.channel.Trust;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class EndpointTest {
    private static final String HASH = "0123456789abcdef".repeat(4);
    private static final Trust PIN = new Trust.Pin(HASH);

    @Test
    void neverPrintsTheToken() {
        String text = new Endpoint.Remote("gpu.example", 9000, PIN, "s3cret").toString();
        assertEquals("Remote[host=gpu.example, port=9000, trust=Pin[sha256=" + HASH + "], token=hidden]", text);
        assertFalse(text.contains("s3cret"));
    }

    @Test
    void pinsCompareWhateverTheirCase() {
        assertEquals(
                new Endpoint.Remote("gpu.example", 9000, PIN, "t"),
                new Endpoint.Remote("gpu.example", 9000, new Trust.Pin(HASH.toUpperCase(Locale.ROOT)), "t"));
    }

    @Test
    void refusesWhatCannotBeReached() {
        assertProblem("port: expected 1 to 65535, got 0", () -> new Endpoint.Remote("gpu.example", 0, PIN, "token"));
        assertProblem("host: a remote endpoint needs one", () -> new Endpoint.Remote("", 9000, PIN, "token"));
    }

    @Test
    void refusesTrustInNothing() {
        assertProblem("pin: expected the 64 hex digits of a SHA-256, got \"abc\"", () -> new Trust.Pin("abc"));
        assertProblem("authority: expected certificates in PEM, found none", () -> new Trust.Authority("hello"));
    }

    private static void assertProblem(String problem, Executable bad) {
        assertEquals(problem, assertThrows(IllegalArgumentException.class, bad).getMessage());
    }
}
