package dev.outpost.backend.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LoginTest {
    private static Login login(Duration keyLife, Optional<Duration> memberLife) {
        return Login.of(Optional.empty(), new RoleMap(""), keyLife, memberLife);
    }

    /** A backend whose login keys are valid for days starts without another setting. */
    @Test
    void membershipsLastAtLeastAsLongAsKeysOfLogins() {
        Duration days = Duration.ofDays(3);
        assertEquals(days, login(days, Optional.empty()).memberLife());
        assertEquals(
                Duration.ofHours(24),
                login(Duration.ofHours(12), Optional.empty()).memberLife());
        assertEquals(days, login(Duration.ofHours(12), Optional.of(days)).memberLife());
        assertThrows(IllegalArgumentException.class, () -> login(days, Optional.of(Duration.ofDays(2))));
    }
}
