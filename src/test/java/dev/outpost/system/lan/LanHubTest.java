package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.models.Sampling;
import dev.outpost.models.lan.LanModel;
import dev.outpost.models.pipeline.DecoderPipelineOptions;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a model of the hub and one of a folder on two workers, each of which reads its own layers. */
@Tag("full")
class LanHubTest {
    private static final String HERE = "127.0.0.1";
    private static final Path LLAMA =
            Path.of("../..").toAbsolutePath().normalize().resolve("models/src/test/resources/fixtures/llama");
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(20).ignoreEnd();

    @TempDir
    Path folder;

    private static int[] tokens(LanClient client, String uri, int stages) {
        try (LanModel model = LanModel.load(
                client.workers(),
                uri,
                new DecoderPipelineOptions().textTokens(256).stages(stages))) {
            assertEquals(stages, model.plan().size());
            return model.generate(List.of(new int[] {1, 17, 33, 5, 60}), GREEDY)
                    .toEnd()
                    .getFirst();
        }
    }

    @Test
    void aModelOfTheHubIsCutOverWorkersAsOneOfAFolder() {
        String prefix = "hub-" + UUID.randomUUID().toString().substring(0, 8);
        try (TinyHub hub = new TinyHub(LLAMA);
                LanWorkerProcess one = worker(prefix + "-1", hub);
                LanWorkerProcess other = worker(prefix + "-2", hub);
                LanClient client = LanClient.open(folder, HERE)) {
            client.pair(prefix + "-1", one);
            client.pair(prefix + "-2", other);
            int[] whole = tokens(client, "file:" + LLAMA, 1);
            assertArrayEquals(whole, tokens(client, "file:" + LLAMA, 2));
            assertArrayEquals(whole, tokens(client, "hf://org/tiny", 2));
            assertTrue(hub.ranges().size() >= 2, () -> "read " + hub.ranges());
            OutpostException refused = assertThrows(OutpostException.class, () -> tokens(client, "hf://other/tiny", 2));
            assertTrue(refused.getMessage().contains("hf://other/tiny"), refused::getMessage);
        }
    }

    private LanWorkerProcess worker(String name, TinyHub hub) {
        return LanWorkerProcess.Start.of(folder.resolve(name), name, HERE)
                .with("OUTPOST_RUNTIME_SOURCES=hf://org,file:" + LLAMA.getParent(), hub.variable())
                .run();
    }
}
