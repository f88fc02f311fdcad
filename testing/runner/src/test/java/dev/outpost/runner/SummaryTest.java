package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class SummaryTest {
    @TempDir
    private Path root;

    @Test
    void theLastLineCountsAllModules() throws Exception {
        report("api", "<testcase classname='x.ATest' name='a'/>");
        report("src/test", "<testcase classname='y.BTest' name='b'><skipped message='no GPU'/></testcase>");
        Summary summary = Summary.of(root);
        assertTrue(summary.isGood());
        assertEquals(List.of("skipped:", "  y.BTest.b: no GPU", "", "1 passed, 0 failed, 1 skipped"), printed(summary));
    }

    @Test
    void aFailureIsNamedWithTheFirstLineOfItsMessage() throws Exception {
        report("api", "<testcase classname='x.ATest' name='a'><failure message='expected 1&#10;but 2'/></testcase>");
        Summary summary = Summary.of(root);
        assertFalse(summary.isGood());
        assertEquals(
                List.of("failed:", "  x.ATest.a: expected 1", "", "0 passed, 1 failed, 0 skipped"), printed(summary));
    }

    @Test
    void testsAboveTwentySecondsAreNamedSlowestFirst() throws Exception {
        report(
                "api",
                "<testcase classname='x.ATest' name='a' time='20.5'/><testcase classname='x.ATest' name='b' time='3'/>"
                        + "<testcase classname='x.ATest' name='c' time='1,021.04'/>");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Summary.of(root).printSlow(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        assertEquals(
                List.of("tests above 20 s:", "  1021.0 s  x.ATest.c", "    20.5 s  x.ATest.a", ""),
                bytes.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void aRunWithoutTestsIsNotGood() throws Exception {
        assertFalse(Summary.of(root).isGood());
    }

    @Test
    void aClassThatSkipsItselfCountsOnce() throws Exception {
        report("api", "");
        assertEquals("0 passed, 0 failed, 1 skipped", printed(Summary.of(root)).getLast());
    }

    @Test
    void reportsOfEarlierRunsAreRemoved() throws Exception {
        report("api", "<testcase classname='x.ATest' name='a'/>");
        SurefireReports.prepare(root, root.resolve("target"), false);
        assertEquals(List.of(), SurefireReports.files(root));
    }

    private void report(String module, String tests) throws Exception {
        Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
        Files.writeString(folder.resolve("TEST-x.xml"), "<testsuite name='x.ATest'>" + tests + "</testsuite>");
    }

    private static List<String> printed(Summary summary) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        summary.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
