package dev.outpost.provider.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineSpec;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MachineRequestOptionsTest {
    private static MachineRequestOptions of(Map<String, String> options) {
        return MachineRequestOptions.of(new MachineSpec(GpuType.ANY, 1, options, "test"));
    }

    @Test
    void tokenIsNotSent() {
        MachineToken token = MachineToken.draw(new SecureRandom());
        Map<String, Object> body =
                of(Map.of("project", "vision", "idle", "10m")).body(token);
        assertEquals("any", body.get("gpu"));
        assertEquals("vision", body.get("project"));
        assertEquals("PT1M", body.get("lease"));
        assertEquals("PT10M", body.get("idle"));
        assertEquals(64, body.get("tokenSha256").toString().length());
        assertFalse(body.toString().contains(token.text()));
        assertFalse(token.toString().contains(token.text()));
    }

    @Test
    void aMachineOfAStatedLifeNeedsNoClient() {
        Map<String, Object> body = of(Map.of()).body(Duration.ofHours(2));
        assertEquals("PT2H", body.get("life"));
        assertFalse(body.containsKey("lease"));
    }

    @Test
    void anOptionThatIsUnknownOrMalformedIsRefusedByName() {
        String unknown = assertThrows(IllegalArgumentException.class, () -> of(Map.of("projekt", "vision")))
                .getMessage();
        assertTrue(unknown.contains("projekt") && unknown.contains("project"), unknown);
        String malformed = assertThrows(IllegalArgumentException.class, () -> of(Map.of("lease", "soon")))
                .getMessage();
        assertTrue(malformed.startsWith("lease: ") && malformed.contains("\"soon\""), malformed);
    }
}
