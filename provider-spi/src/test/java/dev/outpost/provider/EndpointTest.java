package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class EndpointTest {
    private static final String PIN = "0123456789abcdef".repeat(4);

    @Test
    void neverPrintsTheToken() {
        String text = new Endpoint.Remote("gpu.example", 9000, PIN, "s3cret").toString();
        assertEquals("Remote[host=gpu.example, port=9000, pin=" + PIN + ", token=hidden]", text);
        assertFalse(text.contains("s3cret"));
    }

    @Test
    void pinsCompareWhateverTheirCase() {
        assertEquals(
                new Endpoint.Remote("gpu.example", 9000, PIN, "t"),
                new Endpoint.Remote("gpu.example", 9000, PIN.toUpperCase(java.util.Locale.ROOT), "t"));
    }

    @Test
    void refusesWhatCannotBeReached() {
        assertProblem("port: expected 1 to 65535, got 0", "gpu.example", 0, PIN);
        assertProblem("host: a remote endpoint needs one", "", 9000, PIN);
        assertProblem("pin: expected the 64 hex digits of a SHA-256, got \"abc\"", "gpu.example", 9000, "abc");
    }

    private static void assertProblem(String problem, String host, int port, String pin) {
        var refused = assertThrows(IllegalArgumentException.class, () -> new Endpoint.Remote(host, port, pin, "token"));
        assertEquals(problem, refused.getMessage());
    }
}
