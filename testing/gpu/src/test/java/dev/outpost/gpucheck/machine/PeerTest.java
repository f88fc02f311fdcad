package dev.outpost.gpucheck.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the use of PyTorch's answers, with a program that gives them instead of PyTorch. */
@Tag("quick")
class PeerTest {
    private static final List<MeasuredWork> OPS = MeasuredWork.of(CheckPart.OPS, WorkSizes.SMALL);
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    /** A Python that accepts the script and does something else. */
    private Peer peer(String does) throws IOException {
        Path program = Files.writeString(folder.resolve("python"), "#!/bin/sh\n" + does);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new Peer(WorkSizes.SMALL, program.toString());
    }

    @Test
    void figuresAreTakenByWorkAndVariantAndOtherLinesAreNot() throws IOException {
        Peer peer = peer("""
                echo 'a library warns'
                echo '{"version": "PyTorch 2.9"}'
                echo '{"name": "mlp", "variant": "eager", "milliseconds": 1.5}'
                echo '{"reason": "mlp, compiled: no compiler"}'
                """);
        GpuFinding finding = peer.measure(OPS, LONG);
        assertEquals("PyTorch 2.9, 1 figures; mlp, compiled: no compiler", finding.detail());
        assertEquals(OptionalDouble.of(1.5), peer.milliseconds("mlp", "eager"));
        assertEquals(OptionalDouble.empty(), peer.milliseconds("mlp", "compiled"));
    }

    @Test
    void sizesArePassedOn() throws IOException {
        Peer peer = peer(
                "printf '{\"reason\": \"%s %s\"}' \"$(echo \"$3\" | tr -d '\"')\" \"$(echo \"$4\" | tr -d '\"')\"");
        String told = peer.measure(OPS, LONG).detail();
        assertTrue(told.startsWith("{largeMatrix:48,matrix:32,"), told);
        assertTrue(told.contains(" [product-bfloat16-large,product-bfloat16,"), told);
    }

    @Test
    void missingPeerIsExplained() throws IOException {
        GpuFinding without =
                peer("echo '{\"reason\": \"python3 has no PyTorch here\"}'").measure(OPS, LONG);
        assertEquals(GpuFinding.skipped("python3 has no PyTorch here"), without);
        assertEquals(
                GpuFinding.skipped("/nowhere/python is not here, so nothing is compared with PyTorch"),
                new Peer(WorkSizes.SMALL, "/nowhere/python").measure(OPS, LONG));
    }

    /** Lines that were written before the timeout count. */
    @Test
    void itIsNotWaitedForLongerThanItsTime() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(500), time -> {
            Peer peer =
                    peer("echo '{\"name\": \"mlp\", \"variant\": \"eager\", \"milliseconds\": 2}'\nexec sleep 3600\n");
            Await.within("the peer is waited for", () -> peer.measure(OPS, time));
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
        List<MeasuredWork> works = Stream.of(CheckPart.OPS, CheckPart.MODELS, CheckPart.SERVING)
                .flatMap(part -> MeasuredWork.of(part, WorkSizes.SMALL).stream())
                .toList();
        assertEquals(18, works.size());
        for (MeasuredWork work : works) {
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
        assertEquals(
                "PyTorch eager 3.000 ms, so 1.50 of its speed (aim 2.00, missed)", new Aim("eager", 2).describe(2, 3));
        assertEquals(
                "PyTorch compiled 3.000 ms, so 1.50 of its speed (aim 1.00, reached)",
                new Aim("compiled", 1).describe(2, 3));
    }
}
