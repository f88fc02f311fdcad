package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.examples.models.ChatOverWorkers;
import dev.outpost.examples.models.ModelFromHub;
import dev.outpost.system.examples.ExampleOutput;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The examples that read a model of the hub run, with a hub of this JVM and a model with random weights. */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ModelExamplesOnWorkersTest {
    private static final String HERE = "127.0.0.1";
    private static final String HUB = "hf.endpoint";
    private static final String HOME = "user.home";
    private static final Path CHAT_MODEL =
            Path.of("../..").toAbsolutePath().normalize().resolve("models/src/test/resources/fixtures/text");

    @TempDir
    private Path folder;

    private Path model;

    /** Copies the model with room for longer texts. Its positions are computed, so its weights fit any length. */
    @BeforeEach
    void copyModel() throws IOException {
        model = Files.createDirectory(folder.resolve("model"));
        try (var files = Files.list(CHAT_MODEL)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, model.resolve(file.getFileName()));
            }
        }
        Path config = model.resolve("config.json");
        Files.writeString(config, Files.readString(config).replace("_embeddings\": 64", "_embeddings\": 1024"));
    }

    @Test
    void modelFromHub() throws Exception {
        String home = System.getProperty(HOME);
        try (TinyHub hub = new TinyHub(model)) {
            System.setProperty(HUB, hub.variable().replace("HF_ENDPOINT=", ""));
            System.setProperty(HOME, folder.toString());
            String printed = ExampleOutput.of(ModelFromHub::main, "hf://org/tiny", "What is the capital of Chile?");
            assertTrue(printed.contains("hf://org/tiny"), printed);
            assertTrue(printed.contains("Once upon a time"), printed);
            assertTrue(printed.contains("question: What is the capital of Chile?\nanswer: "), printed);
            assertTrue(hub.ranges().size() > 0, "the machine reads the weights from the hub");
        } finally {
            System.setProperty(HOME, home);
            System.clearProperty(HUB);
        }
    }

    @Test
    void chatWithoutWorkersSaysSo() {
        try (LanClient client = LanClient.open(folder, HERE)) {
            OutpostException refused = assertThrows(
                    OutpostException.class, () -> ExampleOutput.of(ChatOverWorkers::main, "hf://org/tiny"));
            assertTrue(refused.getMessage().contains("no worker can be used"), refused::getMessage);
        }
    }

    @Test
    @Tag("full")
    void chatOverWorkers() throws Exception {
        String prefix = "chat-" + UUID.randomUUID().toString().substring(0, 8);
        try (TinyHub hub = new TinyHub(model);
                LanWorkerProcess one = worker(prefix + "-1", hub);
                LanWorkerProcess other = worker(prefix + "-2", hub);
                LanClient client = LanClient.open(folder, HERE)) {
            client.pair(prefix + "-1", one);
            client.pair(prefix + "-2", other);
            String printed = ExampleOutput.typing(
                    "Who are you?\nAnd who am I?\n\n", ChatOverWorkers::main, "hf://org/tiny", "2");
            assertTrue(printed.contains(prefix + "-1: layers "), printed);
            assertTrue(printed.contains(prefix + "-2: layers "), printed);
            // A prompt for each message and for the empty line. The random answers may have the sign, too.
            assertTrue(printed.split("> ", -1).length > 3, printed);
        }
    }

    private LanWorkerProcess worker(String name, TinyHub hub) {
        return LanWorkerProcess.Start.of(folder.resolve(name), name, HERE)
                .with("OUTPOST_RUNTIME_SOURCES=hf://org", hub.variable())
                .run();
    }
}
