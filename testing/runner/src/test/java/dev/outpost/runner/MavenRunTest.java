package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MavenRunTest {
    private static final long GIB = 1L << 30;

    @Test
    void oneMoreJvmThanProcessorsRunsWhereTheMemorySuffices() {
        assertEquals(3, MavenRun.jvms(2, 16 * GIB));
        assertEquals(2, MavenRun.jvms(2, 14 * GIB));
        assertEquals(2, MavenRun.jvms(2, 0));
        assertEquals(4, MavenRun.jvms(16, 128 * GIB));
    }

    @Test
    void testsGetNoMachineOfTheCaller() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "OUTPOST_MACHINE",
                "k8s:A100",
                "OUTPOST_PROCESS_JAR",
                "/runtime.jar",
                "OUTPOST_PROCESS_FLAGS",
                "-Xmx1g",
                "OUTPOST_PYTHON",
                "/bin/python3"));
        MavenRun.removeMachines(environment);
        assertEquals(Map.of("OUTPOST_PYTHON", "/bin/python3"), environment);
    }
}
