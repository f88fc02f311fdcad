package dev.outpost.backend;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class SecretSettingsTest {
    private static final String SECRET = "hunter2";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/outpost?password=hunter2",
                "jdbc:postgresql://db/outpost?sslmode=require&PASSWORD=hunter2",
                "jdbc:postgresql://outpost:hunter2@db/outpost",
                "jdbc:postgresql://outpost:hunter2@db:5432/outpost?sslmode=require",
                // As other clients of PostgreSQL write it.
                "postgresql://outpost:hunter2@db/outpost",
                "postgres://outpost:hunter2@db:5432/outpost",
                "jdbc:mysql://db/outpost?user=a&password=hunter2",
                "jdbc:postgresql://db:hunter2/outpost",
                "hunter2"
            })
    void urlThatHasASecretOrIsNoneIsRefusedAndNotRepeated(String url) {
        String refusal = assertThrows(
                        IllegalArgumentException.class, () -> SecretSettings.checkDatabaseUrl(Optional.of(url)))
                .getMessage();
        assertTrue(refusal.startsWith("OUTPOST_BACKEND_DATABASE_URL: "), refusal);
        assertFalse(refusal.contains(SECRET), refusal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/outpost",
                "jdbc:postgresql://one:5432,two:5432/outpost?targetServerType=primary&sslmode=verify-full",
                "jdbc:postgresql://[::1]:5432/outpost?requireAuth=scram-sha-256",
                "jdbc:postgresql:outpost"
            })
    void otherUrlsAreTaken(String url) {
        assertDoesNotThrow(() -> SecretSettings.checkDatabaseUrl(Optional.of(url)));
    }

    @Test
    void secretsAreNoSystemProperties() {
        for (String name :
                new String[] {"admin-key", "management-key", "seal-key", "database.password", "relay.secret"}) {
            Map<String, String> set = Map.of("outpost.backend." + name, SECRET);
            String refusal = assertThrows(
                            IllegalArgumentException.class, () -> SecretSettings.requireNoProperties(set::get))
                    .getMessage();
            assertFalse(refusal.contains(SECRET), refusal);
        }
        Map<String, String> seal = Map.of("outpost.backend.seal-key", SECRET);
        assertEquals(
                "outpost.backend.seal-key: a system property stands in the list of processes, where others on this host read"
                        + " it; set the variable OUTPOST_BACKEND_SEAL_KEY",
                assertThrows(IllegalArgumentException.class, () -> SecretSettings.requireNoProperties(seal::get))
                        .getMessage());
        assertDoesNotThrow(() -> SecretSettings.requireNoProperties(Map.<String, String>of()::get));
    }
}
