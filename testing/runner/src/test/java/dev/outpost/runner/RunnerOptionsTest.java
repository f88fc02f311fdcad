package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RunnerOptionsTest {
    @Test
    void argumentsForMavenStandBehindTheNames() {
        RunnerOptions options = RunnerOptions.parse(List.of("api", "-Da=b", "--full", "--", "-X", "--offline"));
        assertEquals(List.of("api"), options.names());
        assertEquals(List.of("-Da=b", "-X", "--offline"), options.maven());
        assertEquals(RunnerOptions.Kind.FULL, options.kind());
    }

    @Test
    void aReferenceMeansChangedModules() {
        RunnerOptions options = RunnerOptions.parse(List.of("--since", "HEAD~3"));
        assertTrue(options.changed());
        assertEquals("HEAD~3", options.since());
    }

    @Test
    void aRealClusterTakesNamesAndFullTests() {
        RunnerOptions options = RunnerOptions.parse(List.of("--real-cluster", "--full", "LossTest"));
        assertTrue(options.realCluster());
        assertEquals(List.of("LossTest"), options.names());
        assertEquals(RunnerOptions.Kind.FULL, options.kind());
    }

    @Test
    void mistakesAreRefused() {
        for (List<String> wrong : List.of(
                List.of("--fast"),
                List.of("--since"),
                List.of("--changed", "api"),
                List.of("--real-cluster", "--changed"),
                List.of("--real-cluster", "--quick"))) {
            UsageException refusal = assertThrows(UsageException.class, () -> RunnerOptions.parse(wrong));
            assertTrue(refusal.getMessage().contains("./outpost test"), refusal::getMessage);
        }
    }
}
