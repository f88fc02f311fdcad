package dev.outpost.provider.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineSpec;
import dev.outpost.rest.machine.MachineRequest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
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
        MachineRequest body = of(Map.of("project", "vision", "idle", "10m")).ofClient(token);
        assertEquals("any", body.gpu());
        assertEquals("vision", body.project());
        assertEquals(Duration.ofMinutes(1), body.lease());
        assertEquals(Duration.ofMinutes(10), body.idle());
        assertEquals(64, body.tokenSha256().length());
        assertFalse(body.toString().contains(token.text()));
        assertFalse(token.toString().contains(token.text()));
    }

    @Test
    void secretsAreSeparatedByCommas() {
        MachineRequest body = of(Map.of("secrets", "HF_TOKEN, AWS_REGION")).ofTime(Duration.ofHours(2));
        assertEquals(List.of("HF_TOKEN", "AWS_REGION"), body.secrets());
        assertNull(of(Map.of("secrets", "")).ofTime(Duration.ofHours(2)).secrets());
    }

    @Test
    void aMachineOfAStatedLifeNeedsNoClient() {
        MachineRequest body = of(Map.of()).ofTime(Duration.ofHours(2));
        assertEquals(Duration.ofHours(2), body.life());
        assertNull(body.lease());
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
