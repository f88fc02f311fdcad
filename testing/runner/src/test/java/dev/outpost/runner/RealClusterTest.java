package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests when the scripts of the cluster run. The scripts of these tests record their calls. */
@DisabledOnOs(OS.WINDOWS)
class RealClusterTest {
    @TempDir
    private Path root;

    @BeforeEach
    void writeScripts() throws IOException {
        Files.createDirectories(root.resolve("testing/real-cluster"));
        for (String name : List.of("images", "up", "down")) {
            script(name, "");
        }
    }

    private void script(String name, String then) throws IOException {
        Path script = root.resolve("testing/real-cluster").resolve(name);
        Files.writeString(script, "#!/bin/sh\necho " + name + " >>'" + root + "/calls'\n" + then);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(root.resolve("calls"));
    }

    @Test
    void clusterIsStoppedOnce() throws Exception {
        RealCluster cluster = RealCluster.start(root);
        assertEquals(List.of("images", "up"), calls());
        cluster.close();
        cluster.close();
        assertEquals(List.of("images", "up", "down"), calls());
    }

    @Test
    void aStartThatFailedIsUndone() throws Exception {
        script("up", "exit 1");
        assertThrows(RealCluster.StartException.class, () -> RealCluster.start(root));
        assertEquals(List.of("images", "up", "down"), calls());
    }

    @Test
    void clusterThatWasUpBeforeIsUsedAndNotStopped() throws Exception {
        script("up", "exit 3");
        RealCluster.start(root).close();
        assertEquals(List.of("images", "up"), calls());
    }

    @Test
    void withoutImagesNothingIsStarted() throws Exception {
        script("images", "exit 1");
        assertThrows(RealCluster.StartException.class, () -> RealCluster.start(root));
        assertEquals(List.of("images"), calls());
    }

    @Test
    void anInterruptStopsTheCluster() throws Exception {
        interruptWhenPrinted("started");
        assertEquals(List.of("images", "up", "down"), calls());
    }

    @Test
    void anInterruptOfAStartStopsTheCluster() throws Exception {
        script("up", "echo starting; sleep 600; echo survived >>'" + root + "/calls'");
        interruptWhenPrinted("starting");
        assertEquals(List.of("images", "up", "down"), calls());
    }

    @Test
    void aStopThatWasInterruptedIsRepeated() throws Exception {
        script("down", "test -e '" + root + "/again' || { touch '" + root + "/again'; exit 130; }");
        RealCluster.start(root).close();
        assertEquals(List.of("images", "up", "down", "down"), calls());
    }

    /** A separate JVM starts a cluster and is ended by a signal. */
    private void interruptWhenPrinted(String line) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartedCluster.class.getName(),
                        root.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = process.inputReader()) {
            assertTrue(output.lines().anyMatch(line::equals));
            process.destroy();
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts a cluster and waits. */
    static final class StartedCluster {
        private StartedCluster() {}

        public static void main(String[] arguments) throws InterruptedException {
            RealCluster.start(Path.of(arguments[0]));
            System.out.println("started");
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
