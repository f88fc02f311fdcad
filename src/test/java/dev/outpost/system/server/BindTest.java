package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests from where a machine can be reached, and what it reports there. */
class BindTest {
    private static final String METRICS_TOKEN = "metrics-metrics-metrics";

    @Test
    void publicInterfaceRevealsNothingWithoutTheToken(@TempDir Path folder) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), METRICS_TOKEN + "\n");
        try (RuntimeProcess runtime =
                RuntimeProcess.start("--host", "0.0.0.0", "-Doutpost.runtime.metrics-token-file=" + token)) {
            ManagementClient management = ManagementClient.of(runtime);
            for (String path : new String[] {"/info", "/q/metrics", "/q/metrics/", "//q/metrics", "/q/../info"}) {
                management
                        .anonymous()
                        .urlEncodingEnabled(false)
                        .get(path)
                        .then()
                        .statusCode(401);
            }
            for (String path : new String[] {"/info", "/q/metrics"}) {
                management.owner().get(path).then().statusCode(200);
                management.bearing(METRICS_TOKEN).get(path).then().statusCode(200);
                management.bearing("another-another-another").get(path).then().statusCode(401);
            }
            management.bearing(METRICS_TOKEN).get("/stats").then().statusCode(401);
            for (String path : new String[] {"/q/health", "/q/health/live", "/q/health/ready", "/q/openapi"}) {
                management.anonymous().get(path).then().statusCode(200);
            }
        }
    }

    @Test
    void aMachineThatIsNotToldServesThisHostAlone() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(RuntimeCommandLine.ofThisHost())
                .redirectErrorStream(true)
                .start();
        try (var lines = process.inputReader()) {
            String first = lines.readLine();
            assertTrue(first != null && first.startsWith("endpoint    127.0.0.1:"), first);
            lines.readLine();
            String management = lines.readLine();
            assertTrue(management.startsWith("management  https://127.0.0.1:"), management);
        } finally {
            process.destroy();
            assertEquals(143, process.waitFor());
        }
    }
}
