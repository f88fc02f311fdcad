package dev.outpost.cli.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.cli.Outpost;
import dev.outpost.support.tests.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A fine-tuning from a file: the model is the tiny one of the module models that has a tokenizer. */
class TrainCommandTest {
    private static final Path MODEL = Path.of("../../models/src/test/resources/fixtures/text")
            .toAbsolutePath()
            .normalize();

    @TempDir
    private static Path folder;

    /** The output of a training that was not interrupted; null until one has run. */
    private static String wholeOutput;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeData() throws IOException {
        Files.write(
                folder.resolve("train.jsonl"),
                IntStream.range(0, 60)
                        .mapToObj(number -> "{\"prompt\": \"" + number + " and one is\", \"completion\": \" "
                                + (number + 1) + "\"}")
                        .toList());
        Files.write(
                folder.resolve("evaluation.jsonl"),
                IntStream.range(60, 70)
                        .mapToObj(number -> "{\"text\": \"" + number + " and one is " + (number + 1) + "\"}")
                        .toList());
    }

    private Path config(String run, int steps, String more) throws IOException {
        return Files.writeString(folder.resolve(run + "-" + steps + ".yaml"), """
                model: file:%s
                output: file:%s
                logs: %s
                data: {train: %s, evaluation: %s, rows: 2, tokens: 48}
                lora: {rank: 4, targets: [q_proj, v_proj], dropout: 0.1}
                optimizer: {learning-rate: 5e-3}
                schedule: {kind: constant, warmup: 4}
                training: {steps: %d, evaluate-every: 10, checkpoint-every: 7}
                %s
                """.formatted(
                        MODEL,
                        folder.resolve(run),
                        folder.resolve(run + "-logs"),
                        folder.resolve("train.jsonl"),
                        folder.resolve("evaluation.jsonl"),
                        steps,
                        more));
    }

    /** Trains the reference run once. */
    private void trainWhole() throws IOException {
        if (wholeOutput == null) {
            assertEquals(0, train(config("whole", 20, "")), err::toString);
            wholeOutput = out.toString();
        }
    }

    private int train(Path config) {
        CommandLine commandLine = Outpost.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute("train", "" + config);
    }

    /** Step, epoch, loss, norm, rate and tokens of each step; not its times, nor evaluations and checkpoints. */
    private List<String> steps(String run) throws IOException {
        return Files.readAllLines(folder.resolve(run + "-logs/metrics.csv")).stream()
                .map(line -> List.of(line.split(",", -1)))
                .filter(cells -> !cells.get(3).isEmpty())
                .map(cells -> cells.getFirst() + "," + String.join(",", cells.subList(2, 7)))
                .toList();
    }

    @Test
    void aModelIsFineTunedAsAFileSays() throws Exception {
        trainWhole();
        List<String> steps = steps("whole");
        assertEquals("step,epoch,loss,gradient_norm,learning_rate,tokens", steps.getFirst());
        assertEquals(21, steps.size());
        assertTrue(loss(steps.getLast()) < loss(steps.get(1)), steps::toString);
        assertTrue(Files.exists(folder.resolve("whole/adapter-00000020/adapter_model.safetensors")));
        assertTrue(Files.exists(folder.resolve("whole/checkpoints/step-00000020/model.safetensors")));
        assertFalse(Files.exists(folder.resolve("whole/checkpoints/step-00000007")), "only two are kept");
        List<String> events = Files.readAllLines(folder.resolve("whole-logs/metrics.jsonl"));
        assertEquals(
                2,
                events.stream()
                        .filter(line -> line.contains("\"evaluation_loss\""))
                        .count());
        assertEquals(
                3,
                events.stream()
                        .filter(line -> line.contains("\"checkpoint_bytes\""))
                        .count());
        assertNotNull(ImageIO.read(folder.resolve("whole-logs/loss.png").toFile()));
        assertTrue(wholeOutput.contains("saved to file:" + folder.resolve("whole/adapter-00000020")), wholeOutput);
        assertTrue(wholeOutput.contains("20/20 [########################] loss"), wholeOutput);
    }

    private static double loss(String row) {
        return Double.parseDouble(row.split(",")[2]);
    }

    @Test
    void aRunGoesOnToTheStepsThatItWasNotFinishedWith() throws Exception {
        trainWhole();
        assertEquals(0, train(config("parts", 10, "")), err::toString);
        // The same file as the machine reads it.
        Path second = config("parts", 20, "");
        Files.writeString(second, Files.readString(second).replace("{train: /", "{train: file:/"));
        assertEquals(0, train(second), err::toString);
        assertTrue(out.toString().contains("continuing after step 10 of 20"), out::toString);
        assertEquals(steps("whole"), steps("parts"));
        assertTrue(sameBytes("whole", "parts"), "the adapters differ");
        assertEquals(0, train(config("parts", 20, "")), err::toString);
        assertEquals(steps("whole"), steps("parts"));
    }

    private boolean sameBytes(String run, String other) throws IOException {
        String adapter = "adapter-00000020/adapter_model.safetensors";
        return Files.mismatch(
                        folder.resolve(run).resolve(adapter),
                        folder.resolve(other).resolve(adapter))
                == -1;
    }

    /** The machine is in the process, so both die at once, at any place of a step. */
    @Test
    void aProcessThatWasKilledGoesOnToTheSameBits() throws Exception {
        trainWhole();
        String run = Await.present("a process is killed before its end", this::killed);
        assertEquals(0, train(config(run, 20, "")), err::toString);
        assertTrue(out.toString().contains("continuing after step "), out::toString);
        assertEquals(steps("whole"), steps(run));
        assertTrue(sameBytes("whole", run), "the adapters differ");
    }

    /** Starts a run and kills it; empty if it ended earlier. */
    private Optional<String> killed() throws Exception {
        String run = "killed-" + System.nanoTime();
        Process process = process(config(run, 20, ""));
        try (BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            List<String> lines = new ArrayList<>();
            String line = said.readLine();
            while (line != null && !line.startsWith("checkpoint after step 7")) {
                lines.add(line);
                line = said.readLine();
            }
            assertNotNull(line, () -> String.join("\n", lines));
            process.destroyForcibly().waitFor();
        }
        return Files.exists(folder.resolve(run + "/adapter-00000020")) ? Optional.empty() : Optional.of(run);
    }

    @Test
    void aProcessThatIsToldToEndWritesACheckpointAndGoesOnToTheSameBits() throws Exception {
        trainWhole();
        Ended ended = Await.present("a process is told to end before its end", this::ended);
        List<String> lines = ended.lines();
        assertTrue(lines.getLast().equals("the same command goes on from there"), lines::toString);
        List<String> stops = lines.stream()
                .filter(line -> line.startsWith("stopped after step "))
                .toList();
        assertEquals(1, stops.size(), "the end is printed once");
        String step = stops.getFirst().replaceAll("stopped after step (\\d+).*", "$1");
        assertTrue(
                Files.exists(folder.resolve(
                        (ended.run() + "/checkpoints/step-%08d/model.safetensors").formatted(Long.parseLong(step)))),
                "the step has no checkpoint");
        assertEquals(0, train(config(ended.run(), 20, "")), err::toString);
        assertTrue(out.toString().contains("continuing after step " + step + " of 20"), out::toString);
        assertEquals(steps("whole"), steps(ended.run()));
        assertTrue(sameBytes("whole", ended.run()), "the adapters differ");
    }

    /** Starts a run and asks it to end; returns the lines of its process. */
    private record Ended(String run, List<String> lines) {}

    /** Empty if the process ended earlier. */
    private Optional<Ended> ended() throws Exception {
        String run = "ended-" + System.nanoTime();
        Process process = process(config(run, 20, ""));
        List<String> lines = new ArrayList<>();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                lines.add(line);
                if (line.startsWith("checkpoint after step 7")) {
                    process.toHandle().destroy();
                }
            }
            if (process.waitFor() == 0) {
                return Optional.empty();
            }
            assertEquals(128 + 15, process.exitValue(), () -> String.join("\n", lines));
        }
        return Optional.of(new Ended(run, lines));
    }

    private static Process process(Path config) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Doutpost.cpu.vectors=false",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Outpost.class.getName(),
                        "train",
                        config.toString())
                .redirectErrorStream(true)
                .start();
    }

    @Test
    void allOfAModelIsTrainedWithoutAnAdapter() throws Exception {
        Path config = config("full", 4, "");
        Files.writeString(config, Files.readString(config).replaceAll("(?m)^lora:.*$", ""));
        assertEquals(0, train(config), err::toString);
        assertTrue(Files.exists(folder.resolve("full/model-00000004/tokenizer.json")));
        assertEquals(
                0,
                Outpost.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .execute(
                                "generate",
                                "--model",
                                "file:" + folder.resolve("full/model-00000004"),
                                "--prompt",
                                "1 and",
                                "--max-tokens",
                                "3"));
    }

    @Test
    void anAdapterIsTrainedOnWeightsOfAFewBits() throws Exception {
        assertEquals(0, train(config("few-bits", 4, "quantize: int8")), err::toString);
        assertTrue(Files.exists(folder.resolve("few-bits/adapter-00000004/adapter_model.safetensors")));
        Path merging = config("merging", 4, "quantize: int8");
        Files.writeString(merging, Files.readString(merging).replace("dropout: 0.1", "merge: true"));
        assertEquals(1, train(merging));
        assertTrue(err.toString().contains("weights of a few bits take no change"), err::toString);
    }

    @Test
    void mergedAdapterIsSavedAsAModel() throws Exception {
        Path config = config("merged", 4, "");
        Files.writeString(config, Files.readString(config).replace("dropout: 0.1", "merge: true"));
        assertEquals(0, train(config), err::toString);
        assertTrue(Files.exists(folder.resolve("merged/model-00000004/model.safetensors")));
        assertFalse(Files.exists(folder.resolve("merged/adapter-00000004")));
    }

    @Test
    void mistakesInTheFileAreNamed() throws Exception {
        assertSaid(
                ", line 4: no key is called tokns; did you mean tokens? Known keys of data: evaluation, format, pack",
                config("run", 4, "").toString(),
                "tokens: 48",
                "tokns: 48");
        assertSaid("training.steps is missing", config("run", 5, "").toString(), "steps: 5, ", "");
        assertSaid("model is missing", config("run", 6, "").toString(), "(?m)^model:.*$", "");
        assertSaid("expected ',' or '}'", config("run", 7, "").toString(), "(?m)^data: .*$", "data: {");
        assertSaid("there is no file or folder", config("run", 8, "").toString(), "train\\.jsonl", "none.jsonl");
        assertSaid("no layer is called wq", config("run", 9, "").toString(), "\\[q_proj, v_proj\\]", "[wq]");
        Files.writeString(folder.resolve("train.jsonl"), "{\"text\": \"x\"}\n{\"txt\": \"y\"}\n");
        assertSaid(
                "train.jsonl at byte 14: expected a member ids, text",
                config("run", 11, "").toString(),
                "$",
                "");
    }

    private void assertSaid(String part, String config, String old, String replacement) throws IOException {
        Path file = Path.of(config);
        Files.writeString(file, Files.readString(file).replaceAll(old, replacement));
        err.getBuffer().setLength(0);
        assertEquals(1, train(file));
        assertTrue(err.toString().contains(part), err::toString);
    }
}
