package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import dev.outpost.system.doctor.OutpostProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code ./outpost machines start} without a terminal, as in a script. */
class StartCommandTest {
    @TempDir
    private Path folder;

    private final TestCluster cluster = TestCluster.start();

    @AfterEach
    void close() {
        cluster.close();
    }

    private OutpostProcess start() throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>();
        environment.put(
                "KUBECONFIG", cluster.kubeconfig(folder.resolve("config")).toString());
        cluster.options()
                .forEach((name, value) -> environment.put("OUTPOST_K8S_" + name.toUpperCase(Locale.ROOT), value));
        return OutpostProcess.outpost(environment, "machines", "start", "k8s", "A100", "--for", "1h");
    }

    @Test
    void itSaysWhatItWaitsFor() throws IOException, InterruptedException {
        cluster.pods().slowPulls(Duration.ofSeconds(3));
        OutpostProcess started = start();
        assertEquals(0, started.status(), started::output);
        assertSays(started, "k8s-A100: asking for A100 in namespace outpost at http.*, after .*");
        assertSays(started, "k8s-A100: pulling .*, after .*");
        assertSays(started, "outpost-a100-\\w+ is ready, and ends by itself in 1 h");
    }

    @Test
    void aStartThatFailsShowsTheEndOfTheLog() throws IOException, InterruptedException {
        cluster.pods().failNext(new PodFailure.Crash(3, List.of("no such device", "giving up")));
        OutpostProcess failed = start();
        assertEquals(1, failed.status(), failed::output);
        assertSays(failed, "outpost: the runtime ended with exit code 3: .*\"no such device\" / \"giving up\"\\. .*");
        assertFalse(failed.output().contains("machines logs"), failed::output);
    }

    private static void assertSays(OutpostProcess command, String line) {
        assertTrue(command.output().lines().anyMatch(text -> text.matches(line)), command::output);
    }
}
