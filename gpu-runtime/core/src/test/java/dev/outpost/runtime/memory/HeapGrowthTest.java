package dev.outpost.runtime.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.DType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how long threads wait for a safepoint while a large array is created, in a JVM that has never used its memory. */
@Tag("full")
class HeapGrowthTest {
    private static final Pattern REACHING = Pattern.compile("Reaching safepoint: *(\\d+) ns");

    /** Without preparation it takes up to 5 s, which also depends on how new the memory is to the system. */
    private static final Duration BUDGET = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    @Test
    void othersReachTheirSafepointsWhileALargeArrayIsMade() throws IOException, InterruptedException {
        Path log = folder.resolve("safepoints");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx3g",
                        "-XX:+UseG1GC",
                        "-XX:+UseTransparentHugePages",
                        "-Xlog:safepoint*=info:file=" + log,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .inheritIO()
                .start();
        assertEquals(0, process.waitFor());
        Duration longest = longestWait(log);
        assertTrue(longest.compareTo(BUDGET) < 0, () -> "a safepoint was reached after " + longest);
    }

    private static Duration longestWait(Path log) throws IOException {
        Matcher waits = REACHING.matcher(Files.readString(log));
        long longest = -1;
        while (waits.find()) {
            longest = Math.max(longest, Long.parseLong(waits.group(1)));
        }
        assertTrue(longest >= 0, "no safepoint was reached at all");
        return Duration.ofNanos(longest);
    }

    /** Makes large arrays beside a thread that allocates so much that it constantly needs safepoints. */
    static final class Program {
        private static volatile Object used;
        private static volatile boolean isOver;

        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            Thread other = Thread.ofPlatform().start(() -> {
                while (!isOver) {
                    used = new byte[100_000];
                }
            });
            for (int time = 0; time < 3; time++) {
                HeapBuffer large = HeapAllocation.allocate(DType.FLOAT32, 384 << 20);
                large.floats()[0] = 1;
            }
            isOver = true;
            other.join();
        }
    }
}
