package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.io.Npy;
import dev.outpost.models.Generation;
import dev.outpost.models.PipelineOptions;
import dev.outpost.models.Sampling;
import dev.outpost.models.lan.LanModel;
import dev.outpost.onnx.OnnxPipeline;
import dev.outpost.onnx.PipelineRun;
import dev.outpost.system.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are killed, stopped and started again under models that are cut over them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LanLifeTest {
    private static final String HERE = "127.0.0.1";
    private static final Path FIXTURES = root().resolve("models/src/test/resources/fixtures");
    private static final Path MODELS = root().resolve("onnx/src/test/resources/models");
    private static final int[] PROMPT = {1, 17, 33, 5, 60};
    private static final int BATCHES = 12;
    /** The silence after which a worker counts as lost, and what a busy machine adds. */
    private static final Duration NOTICED = Duration.ofSeconds(20);

    private static final String ONE = "one-" + UUID.randomUUID().toString().substring(0, 8);
    private static final String OTHER = "other-" + UUID.randomUUID().toString().substring(0, 8);

    @TempDir
    static Path folder;

    private LanWorkerProcess one;
    private LanWorkerProcess other;
    private LanClient client;

    private static Path root() {
        return Path.of(System.getProperty("maven.multiModuleProjectDirectory"));
    }

    @BeforeAll
    void start() {
        one = worker(ONE).run();
        other = worker(OTHER).run();
        client = LanClient.open(folder, HERE);
        client.pair(ONE, one);
        client.pair(OTHER, other);
    }

    private LanWorkerProcess.Start worker(String name) {
        return LanWorkerProcess.Start.of(folder.resolve(name), name, HERE)
                .with("OUTPOST_RUNTIME_SOURCES=file:" + FIXTURES);
    }

    @AfterAll
    void stop() {
        client.close();
        one.close();
        other.close();
    }

    private LanModel model(PipelineOptions options) {
        return LanModel.load(client.workers(), "file:" + FIXTURES.resolve("llama"), options.textTokens(256));
    }

    @Test
    @Order(1)
    void aTextGoesOnWhereAWorkerIsKilledAndTheWorkerIsUsedAgainWhenItComesBack() {
        Sampling greedy = Sampling.greedy().maxTokens(60).ignoreEnd();
        int[] whole;
        try (LanModel alone = model(new PipelineOptions().stages(1))) {
            whole = alone.generate(List.of(PROMPT), greedy).toEnd().getFirst();
        }
        try (LanModel model = model(new PipelineOptions())) {
            boolean isOne = model.plan().getFirst().startsWith(ONE);
            int[] tokens = new int[60];
            try (Generation generation = model.generate(List.of(PROMPT), greedy)) {
                for (int token = 0; token < tokens.length; token++) {
                    if (token == 5) {
                        (isOne ? one : other).kill();
                    }
                    tokens[token] = generation.next()[0];
                }
            }
            assertArrayEquals(whole, tokens);
            assertTrue(
                    model.plan().getFirst().startsWith(isOne ? OTHER : ONE),
                    model.plan().toString());
            if (isOne) {
                one = worker(ONE).run();
            } else {
                other = worker(OTHER).run();
            }
            client.await(isOne ? ONE : OTHER, worker -> worker.isUsable());
            (isOne ? other : one).kill();
            assertArrayEquals(
                    whole, model.generate(List.of(PROMPT), greedy).toEnd().getFirst());
            assertTrue(
                    model.plan().getFirst().startsWith(isOne ? ONE : OTHER),
                    model.plan().toString());
            if (isOne) {
                other = worker(OTHER).run();
            } else {
                one = worker(ONE).run();
            }
            client.await(isOne ? OTHER : ONE, worker -> worker.isUsable());
        }
    }

    @Test
    @Order(2)
    void batchesOfAStoppedWorkerAreComputedElsewhereAndEachIsAnsweredOnce() throws IOException {
        Map<String, HostTensor> inputs = Map.of("in0", Npy.read(MODELS.resolve("residual.in0.npy")));
        try (OnnxPipeline pipeline = OnnxPipeline.load(
                client.workers(),
                MODELS.resolve("residual.onnx").toString(),
                new dev.outpost.onnx.PipelineOptions().stages(2).mostInFlight(BATCHES))) {
            byte[] whole = pipeline.run(inputs).tensor("out0").bytes();
            assertEquals(2, pipeline.plan().stages().size());
            one.stall();
            long stopped = System.nanoTime();
            List<PipelineRun> runs = new ArrayList<>();
            for (int batch = 0; batch < BATCHES; batch++) {
                runs.add(pipeline.runAsync(inputs));
            }
            for (PipelineRun run : runs) {
                assertArrayEquals(whole, run.await().tensor("out0").bytes());
                assertTrue(run.isComplete());
            }
            Duration took = Duration.ofNanos(System.nanoTime() - stopped);
            assertTrue(took.compareTo(NOTICED) < 0, () -> "all were answered after " + took);
            assertTrue(pipeline.plan().workers().stream()
                    .noneMatch(worker -> worker.name().equals(ONE)));
            one.resume();
            Eventually.that(
                    "the worker is used again",
                    Duration.ofSeconds(60),
                    () -> pipeline.plan().workers().stream()
                            .anyMatch(worker -> worker.name().equals(ONE)));
            assertArrayEquals(whole, pipeline.run(inputs).tensor("out0").bytes());
        } finally {
            one.resume();
        }
    }
}
