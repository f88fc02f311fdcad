package dev.outpost.gpucheck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.gpucheck.machine.SmallChecks;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class GpuCheckTest {
    @TempDir
    private Path folder;

    @Test
    void withoutAGpuItFailsAndSaysWhy() throws IOException, InterruptedException {
        CheckProcess check = CheckProcess.outpost("--output", folder.toString());
        assumeTrue(check.hasRow("CUDA driver", "absent"), "there is a CUDA driver here");
        assertEquals(1, check.status(), check::output);
        assertTrue(check.hasRow("GPU self test", "skipped"), check::output);
        assertTrue(check.output().contains("CUDA driver: With an NVIDIA GPU, install its driver;"), check::output);
        String report = Files.readString(folder.resolve("gpu-check.json"));
        assertTrue(report.contains("\"outcome\" : \"absent\""), report);
    }

    @Test
    void withoutAGpuAPartSaysWhyItHasNotRunAndIsNotRecorded() throws IOException, InterruptedException {
        CheckProcess check = CheckProcess.outpost("--next", "--minutes", "3", "--output", folder.toString());
        assumeTrue(check.hasRow("CUDA driver", "absent"), "there is a CUDA driver here");
        assertEquals(1, check.status(), check::output);
        assertTrue(
                check.output().stripTrailing().matches("(?s).*\npart failure has not run, CUDA driver: [^\n]+"),
                check::output);
        assertTrue(Files.exists(folder.resolve("failure/gpu-check.json")), check::output);
        assertFalse(Files.exists(folder.resolve("gpu-check.results")), check::output);
    }

    @Test
    void thePartsAreListed() throws IOException, InterruptedException {
        CheckProcess list = CheckProcess.outpost("--list");
        assertEquals(0, list.status(), list::output);
        assertTrue(list.output().contains("\nattention       180      open    Are attention, "), list::output);
    }

    @Test
    void optionsThatContradictEachOtherAreRefused() throws IOException, InterruptedException {
        CheckProcess check = CheckProcess.outpost("--next");
        assertEquals(2, check.status(), check::output);
        assertTrue(check.output().contains("--next: wants --output"), check::output);
    }

    /** The target host has neither a JDK nor a class path, so the packed check must have the same results as this one. */
    @Test
    @Tag("full")
    @EnabledOnOs(value = OS.LINUX, disabledReason = "a pack is for Linux")
    void aPackAnswersAsTheCommandDoes() throws IOException, InterruptedException {
        Path archive = folder.resolve("pack.tar.gz");
        String parity =
                Path.of("../../src/test/resources/parity").toAbsolutePath().toString();
        CheckProcess packing = CheckProcess.outpost("--pack", archive.toString(), "--parity", parity);
        assertEquals(0, packing.status(), packing::output);
        assertTrue(Files.size(archive) < 60_000_000, packing::output);

        CheckProcess unpacking =
                CheckProcess.run("tar", "--extract", "--file", archive.toString(), "-C", folder.toString());
        assertEquals(0, unpacking.status(), unpacking::output);
        CheckProcess here = CheckProcess.outpost();
        CheckProcess packed =
                CheckProcess.run(folder.resolve("gpu-check/gpu-check").toString(), "--output", folder.toString());
        assertEquals(here.status(), packed.status(), packed::output);
        assertEquals(here.hasRow("GPU 0", "ok"), packed.hasRow("GPU 0", "ok"), packed::output);
        assertEquals(here.hasRow("CUDA driver", "absent"), packed.hasRow("CUDA driver", "absent"), packed::output);
        assertTrue(Files.size(folder.resolve("gpu-check.json")) > 0);
        assertMachineChecksRun();
    }

    /** These parts need a GPU there, so no other test would find a part that a pack lacks. */
    private void assertMachineChecksRun() throws IOException, InterruptedException {
        Path pack = folder.resolve("gpu-check");
        String tests = Path.of(URI.create(SmallChecks.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        CheckProcess checks = CheckProcess.run(
                pack.resolve("runtime/bin/java").toString(),
                "-cp",
                pack.resolve("lib") + "/*:" + tests,
                SmallChecks.class.getName(),
                pack.resolve("parity").toString());
        assertEquals(0, checks.status(), checks::output);
        assertEquals(
                28,
                checks.output()
                        .lines()
                        .filter(line -> line.startsWith("GPU 0 machine: "))
                        .count(),
                checks::output);
        assertFalse(checks.output().contains("FAILED"), checks::output);
    }
}
