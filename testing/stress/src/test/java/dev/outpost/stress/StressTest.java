package dev.outpost.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs all races of this module, in JVMs of their own. */
@Tag("full")
class StressTest {
    private static final Path FOLDER = Path.of("target", "stress");
    private static final int MINUTES = 5;
    private static final int RACES = 14;
    private static final Pattern PASSED =
            Pattern.compile("^\\.+ \\[OK\\] (dev\\.outpost\\.stress\\.\\w+)$", Pattern.MULTILINE);

    /**
     * One JVM with default flags for each race. By default jcstress tries each race in many modes of the JIT and with each placement of
     * threads on processors; races that wait for a machine need neither.
     */
    private static final List<String> SETTINGS = List.of(
            "-f",
            "1",
            "-iters",
            "2",
            "-time",
            "4000",
            "-strideSize",
            "4",
            "-strideCount",
            "8",
            "-sc",
            "false",
            "-af",
            "NONE",
            "-jvmArgs",
            "-Xmx512m",
            "-v");

    @Test
    void noRaceHasAnOutcomeThatMayNotBe() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Path log = FOLDER.resolve("log").toAbsolutePath();
        Process process = start(log);
        try {
            assertTrue(process.waitFor(MINUTES, TimeUnit.MINUTES), "the races were not over in time");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = Files.readString(log);
        assertEquals(0, process.exitValue(), text);
        assertEquals(RACES, passed(text), text);
    }

    private static Process start(Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-r",
                "report");
        builder.command().addAll(SETTINGS);
        return builder.directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Each stands in what is printed meanwhile, and in the summary. */
    private static long passed(String text) {
        return PASSED.matcher(text)
                .results()
                .map(passed -> passed.group(1))
                .distinct()
                .count();
    }
}
