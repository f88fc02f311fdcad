package dev.outpost.cli.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The use of PyTorch's answers, with a program that gives them in its place. */
@Tag("quick")
class PeerTest {
    @TempDir
    private Path folder;

    /** A Python that takes the script and does something else. */
    private Peer peer(Duration time, String does) throws IOException {
        Path program = Files.writeString(folder.resolve("python"), "#!/bin/sh\n" + does);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        CheckLimits limits = new CheckLimits(
                Optional.empty(), 1, Duration.ZERO, Duration.ZERO, 1, WorkSizes.SMALL, Duration.ZERO, time);
        return new Peer(limits, program.toString());
    }

    @Test
    void figuresAreTakenByWorkAndVariantAndOtherLinesAreNot() throws IOException {
        Peer peer = peer(Await.GUARD, """
                echo 'a library warns'
                echo '{"version": "PyTorch 2.9"}'
                echo '{"name": "mlp", "variant": "eager", "milliseconds": 1.5}'
                echo '{"reason": "mlp, compiled: no compiler"}'
                """);
        Finding finding = peer.measure();
        assertEquals("PyTorch 2.9, 1 figures; mlp, compiled: no compiler", finding.detail());
        assertEquals(OptionalDouble.of(1.5), peer.milliseconds("mlp", "eager"));
        assertEquals(OptionalDouble.empty(), peer.milliseconds("mlp", "compiled"));
    }

    @Test
    void sizesArePassedOn() throws IOException {
        Peer peer = peer(Await.GUARD, "printf '{\"reason\": \"%s\"}' \"$(echo \"$3\" | tr -d '\"')\"");
        assertTrue(
                peer.measure().detail().startsWith("{largeMatrix:48,matrix:32,"),
                () -> peer.measure().detail());
    }

    @Test
    void missingPeerIsExplained() throws IOException {
        Finding without = peer(Await.GUARD, "echo '{\"reason\": \"python3 has no PyTorch here\"}'")
                .measure();
        assertEquals(Finding.skipped("python3 has no PyTorch here"), without);
        CheckLimits any = CheckLimits.ofGpu(Optional.empty(), 1, 1);
        assertEquals(
                Finding.skipped("/nowhere/python is not here, so nothing is compared with PyTorch"),
                new Peer(any, "/nowhere/python").measure());
    }

    /** The lines that were written by then count. */
    @Test
    void itIsNotWaitedForLongerThanItsTime() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(500), time -> {
            Peer peer = peer(
                    time,
                    "echo '{\"name\": \"mlp\", \"variant\": \"eager\", \"milliseconds\": 2}'\nexec sleep 3600\n");
            Await.within("the peer is waited for", peer::measure);
            assertEquals(OptionalDouble.of(2), peer.milliseconds("mlp", "eager"));
        });
    }

    @Test
    void everyWorkIsPyTorchsToo() throws IOException {
        String script;
        try (InputStream in = Peer.class.getResourceAsStream("gpu_peer.py")) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String compiled = script.lines()
                .filter(line -> line.startsWith("COMPILED = "))
                .findFirst()
                .orElseThrow();
        for (MeasuredWork work : MeasuredWork.all(WorkSizes.SMALL)) {
            String model = work.name().replace("-tiny", "-");
            boolean isServing = model.startsWith("serve-");
            assertTrue(
                    script.contains("\n    \"" + work.name() + "\": ")
                            || script.contains("WORKS[\"" + model + "\" + shape[\"name\"]]")
                            || isServing && script.contains("\"serve-\" + shape[\"name\"] + \"-\" + str(texts)"),
                    work::name);
            for (Aim aim : work.aims()) {
                assertTrue(
                        aim.peer().equals("eager")
                                || isServing && script.contains("measure_served(\"" + aim.peer() + "\"")
                                || compiled.contains('"' + work.name() + '"'),
                        work::name);
            }
        }
    }

    @Test
    void howFarAnAimWasReachedIsSaid() {
        assertEquals("PyTorch eager 3.000 ms, so 1.50 of its speed (aim 2.00, missed)", new Aim("eager", 2).told(2, 3));
        assertEquals(
                "PyTorch compiled 3.000 ms, so 1.50 of its speed (aim 1.00, reached)",
                new Aim("compiled", 1).told(2, 3));
    }
}
