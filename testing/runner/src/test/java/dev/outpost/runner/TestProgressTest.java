package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class TestProgressTest {
    /** A process that certainly does not exist: Linux and macOS have no such number. */
    private static final String ENDED = "999999999";

    @TempDir
    private Path root;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private Path events;

    @BeforeEach
    void makeFolder() throws Exception {
        events = Files.createDirectories(root.resolve("events"));
    }

    @Test
    void aModuleStartsAndEnds() throws Exception {
        write(
                ENDED,
                "module\t" + root.resolve("api"),
                "test\tpassed\tx.ATest\ta\t",
                "test\tskipped\tx.ATest\tb\tno GPU",
                "class\tx.ATest\t5000\t3200");
        progress().update();
        assertEquals(List.of("api  starts", "api  2 tests  0 s, CPU 3 s  1 skipped"), lines());
    }

    @Test
    void aFailureIsPrintedAtOnceWithTheCommandThatRunsItAlone() throws Exception {
        String alive = Long.toString(ProcessHandle.current().pid());
        write(
                alive,
                "module\t" + root.resolve("api"),
                "test\tfailed\tx.ATest\tadds (int)[2] 3\texpected: <1> but was: <2>");
        progress().update();
        assertEquals(
                List.of(
                        "api  starts",
                        "FAILED  api  ATest.adds (int)[2] 3",
                        "        expected: <1> but was: <2>",
                        "        alone: ./outpost test ATest.adds"),
                lines());
    }

    @Test
    void halfALineWaitsForItsEnd() throws Exception {
        String alive = Long.toString(ProcessHandle.current().pid());
        TestProgress progress = progress();
        Path file = write(alive, "module\t" + root.resolve("api"));
        Files.writeString(file, Files.readString(file) + "test\tfai");
        progress.update();
        assertEquals(List.of("api  starts"), lines());
        Files.writeString(file, Files.readString(file) + "led\tx.ATest\ta\tbroken\n");
        progress.update();
        assertTrue(lines().contains("        broken"), () -> lines().toString());
    }

    @Test
    void theRestIsEstimatedFromTheLastRun() throws Exception {
        Path file = root.resolve("times.tsv");
        Files.writeString(file, "whole run\t100000\t0\nx.ATest\t30000\t20000\nx.BTest\t10000\n");
        Times times = Times.read(file);
        assertEquals(Optional.of(Duration.ofSeconds(100)), times.remaining());
        times.putClass("x.ATest", new Times.ClassTime(1, 2));
        assertEquals(Optional.of(Duration.ofSeconds(25)), times.remaining());
        times.save();
        assertTrue(Files.readString(file).contains("x.ATest\t1\t2\n"), "the next run knows the new time");
    }

    @Test
    void withoutALastRunNothingIsEstimated() throws Exception {
        assertEquals(Optional.empty(), Times.read(root.resolve("none")).remaining());
    }

    @Test
    void coverageIsAddedUpOverClasses() {
        List<String> table = List.of(
                "GROUP,PACKAGE,CLASS,INSTRUCTION_MISSED,INSTRUCTION_COVERED,BRANCH_MISSED,BRANCH_COVERED,LINE_MISSED,LINE_COVERED",
                "g,p,A,9,9,1,3,10,30",
                "g,p,B,9,9,0,0,10,50");
        assertEquals(
                "  api                      lines 80.0 % of 100, branches 75.0 % of 4", Coverage.row("api", table));
    }

    private TestProgress progress() throws Exception {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new TestProgress(root, events, Times.read(root.resolve("none")), true, out, false);
    }

    private Path write(String process, String... lines) throws Exception {
        return Files.writeString(events.resolve(process + ".events"), String.join("\n", lines) + "\n");
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
