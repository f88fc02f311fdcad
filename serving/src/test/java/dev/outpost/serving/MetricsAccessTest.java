package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsAccessTest {
    @TempDir
    Path folder;

    private MetricsAccess access(Path file) {
        return new MetricsAccess(TestModels.config(Map.of("metrics-token-file", file.toString())));
    }

    @Test
    void metricsAreForTheTokenAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "secret\n");
        MetricsAccess access = access(file);
        assertTrue(access.isAllowed("/metrics", "Bearer secret"));
        for (String other : new String[] {null, "", "secret", "Bearer", "Bearer ", "Bearer other", "Basic secret"}) {
            assertFalse(access.isAllowed("/metrics", other), other);
            assertFalse(access.isAllowed("/metrics/", other), other);
        }
        assertTrue(access.isAllowed("/v1/models", null));
        assertTrue(access.isAllowed("/health/ready", null));
    }

    @Test
    void fileThatIsNotThereOrEmptyOpensNothing() throws IOException {
        assertFalse(access(folder.resolve("missing")).isAllowed("/metrics", "Bearer "));
        assertFalse(access(Files.createFile(folder.resolve("empty"))).isAllowed("/metrics", "Bearer "));
    }

    @Test
    void metricsAreOpenWhereNoTokenIsSet() {
        assertTrue(new MetricsAccess(TestModels.config(Map.of())).isAllowed("/metrics", null));
    }
}
