package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.io.Npy;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.lan.LanModel;
import dev.outpost.models.pipeline.DecoderPipelineOptions;
import dev.outpost.onnx.OnnxPipeline;
import dev.outpost.onnx.PipelineRun;
import dev.outpost.provider.lan.Worker;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Tests workers that are killed, stopped and restarted while models are cut over them. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LanLifeTest {
    private static final String HERE = "127.0.0.1";
    private static final Path FIXTURES = root().resolve("models/src/test/resources/fixtures");
    private static final Path MODELS = root().resolve("onnx/src/test/resources/models");
    private static final int[] PROMPT = {1, 17, 33, 5, 60};
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(40).ignoreEnd();
    private static final int BATCHES = 12;
    /** Three seconds, plus the delay of a busy host. */
    private static final Duration CLOSED = Duration.ofSeconds(5);

    /** Five seconds of silence, plus the delay of a busy host. */
    private static final Duration MACHINE_CLOSED = Duration.ofSeconds(7);

    private static final long MEMORY_BYTES = 64L << 20;
    /** A layer's cache of so many tokens takes 48 MB, so one worker has room for one of two layers. */
    private static final long TOKENS_OF_TWO = 750_000;

    @TempDir
    static Path folder;

    private final String prefix = UUID.randomUUID().toString().substring(0, 8);
    /** By name. */
    private final Map<String, LanWorkerProcess> processes = new HashMap<>();

    private LanClient client;

    private static Path root() {
        return Path.of("../..").toAbsolutePath().normalize();
    }

    @BeforeAll
    void start() {
        client = LanClient.open(folder, HERE);
        for (String name : List.of("one-" + prefix, "other-" + prefix)) {
            run(name);
            client.pair(name, processes.get(name));
        }
    }

    private void run(String name) {
        processes.put(
                name,
                LanWorkerProcess.Start.of(folder.resolve(name), name, HERE)
                        .with(
                                "OUTPOST_RUNTIME_SOURCES=file:" + FIXTURES,
                                "OUTPOST_RUNTIME_LIMITS_QUOTA_BYTES=" + MEMORY_BYTES,
                                "OUTPOST_RUNTIME_LIMITS_MACHINE_BYTES=" + MEMORY_BYTES)
                        .run());
    }

    /** Waits until both workers exist and their memory is free. */
    @BeforeEach
    void awaitBoth() {
        for (String name : processes.keySet()) {
            client.await(name, worker -> worker.isUsable() && worker.freeBytes() == MEMORY_BYTES);
        }
    }

    @AfterAll
    void stop() {
        client.close();
        processes.values().forEach(LanWorkerProcess::close);
    }

    private static Duration until(String what, Supplier<Boolean> condition) {
        long start = System.nanoTime();
        Await.until(what, condition::get);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private LanModel model(DecoderPipelineOptions options) {
        return LanModel.load(client.workers(), "file:" + FIXTURES.resolve("llama"), options);
    }

    private static String first(LanModel model) {
        return model.plan().getFirst().replaceAll(":.*", "");
    }

    @Test
    void aTextGoesOnWhereAWorkerIsKilledAndTheWorkerIsUsedAgainWhenItComesBack(TestReporter reporter) {
        try (LanModel model = model(new DecoderPipelineOptions().textTokens(256))) {
            int[] whole = model.generate(List.of(PROMPT), GREEDY).toEnd().getFirst();
            String killed = first(model);
            int[] tokens = new int[whole.length];
            try (Generation generation = model.generate(List.of(PROMPT), GREEDY)) {
                for (int token = 0; token < 5; token++) {
                    tokens[token] = generation.next()[0];
                }
                processes.get(killed).kill();
                Duration noticed =
                        until("the loss is noticed", () -> model.lost().equals(List.of(killed)));
                reporter.publishEntry("a killed worker of texts was noticed after ms", "" + noticed.toMillis());
                for (int token = 5; token < tokens.length; token++) {
                    tokens[token] = generation.next()[0];
                }
            }
            assertArrayEquals(whole, tokens);
            String left = first(model);
            assertTrue(!left.equals(killed), () -> "still on " + left);
            run(killed);
            until("the worker is there again", () -> model.lost().isEmpty());
            processes.get(left).kill();
            assertArrayEquals(
                    whole, model.generate(List.of(PROMPT), GREEDY).toEnd().getFirst());
            assertEquals(killed, first(model));
            run(left);
        }
    }

    @Test
    void whereTooLittleMemoryIsLeftASentenceSaysWhichWorkerIsLostAndWhatIsMissing() {
        try (LanModel model = model(new DecoderPipelineOptions().textTokens(TOKENS_OF_TWO))) {
            assertEquals(2, model.plan().size());
            int[] whole = model.generate(List.of(PROMPT), GREEDY).toEnd().getFirst();
            String killed = first(model);
            processes.get(killed).kill();
            OutpostException told = assertThrows(
                    OutpostException.class,
                    () -> model.generate(List.of(PROMPT), GREEDY).toEnd());
            assertTrue(told.getMessage().contains("lan: lost " + killed + ": "), told::getMessage);
            assertTrue(told.getMessage().contains("the workers have too little memory"), told::getMessage);
            run(killed);
            client.await(killed, Worker::isUsable);
            until("the worker is there again", () -> model.lost().isEmpty());
            Await.until("texts are generated again", () -> isWhole(model, whole));
        }
    }

    private static boolean isWhole(LanModel model, int[] whole) {
        try {
            assertArrayEquals(
                    whole, model.generate(List.of(PROMPT), GREEDY).toEnd().getFirst());
            return true;
        } catch (OutpostException ignored) {
            return false;
        }
    }

    @Test
    void closingDoesNotWaitForAWorkerThatIsStopped(TestReporter reporter) throws IOException {
        Map<String, HostTensor> inputs = Map.of("in0", Npy.read(MODELS.resolve("residual.in0.npy")));
        String stopped = processes.keySet().iterator().next();
        LanModel model = model(new DecoderPipelineOptions().stages(2).textTokens(256));
        OnnxPipeline pipeline = OnnxPipeline.load(
                client.workers(),
                MODELS.resolve("residual.onnx").toString(),
                new dev.outpost.onnx.OnnxPipelineOptions().stages(2));
        RemoteMachine machine = RemoteMachine.of("lan", "any", new MachineOptions().option("worker", stopped));
        assertEquals(
                2, model.generate(List.of(PROMPT), GREEDY.maxTokens(2)).toEnd().getFirst().length);
        assertEquals(1, pipeline.run(inputs).tensors().size());
        assertEquals(3.0, machine.ones(3).sum().itemDouble());
        processes.get(stopped).stall();
        try {
            closes("a pipeline", pipeline::close, CLOSED, reporter);
            closes("a language model", model::close, CLOSED, reporter);
            closes("a machine", machine::close, MACHINE_CLOSED, reporter);
        } finally {
            processes.get(stopped).resume();
        }
    }

    private static void closes(String what, Runnable close, Duration within, TestReporter reporter) {
        long start = System.nanoTime();
        close.run();
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        reporter.publishEntry(what + " was closed after ms", "" + taken.toMillis());
        assertTrue(taken.compareTo(within) < 0, () -> what + " was closed after " + taken);
    }

    @Test
    void batchesOfAWorkerThatSleepsAreComputedElsewhereAndEachIsAnsweredOnce(TestReporter reporter) throws IOException {
        Map<String, HostTensor> inputs = Map.of("in0", Npy.read(MODELS.resolve("residual.in0.npy")));
        try (OnnxPipeline pipeline = OnnxPipeline.load(
                client.workers(),
                MODELS.resolve("residual.onnx").toString(),
                new dev.outpost.onnx.OnnxPipelineOptions().stages(2).mostInFlight(BATCHES))) {
            byte[] whole = pipeline.run(inputs).tensor("out0").bytes();
            assertEquals(2, pipeline.plan().stages().size());
            String sleeper = pipeline.plan().workers().getFirst().name();
            LanWorkerProcess asleep = processes.get(sleeper);
            asleep.stall();
            try {
                List<PipelineRun> runs = new ArrayList<>();
                for (int batch = 0; batch < BATCHES; batch++) {
                    runs.add(pipeline.runAsync(inputs));
                }
                Duration noticed =
                        until("the silence is noticed", () -> pipeline.lost().equals(List.of(sleeper)));
                reporter.publishEntry("a sleeping worker was noticed after ms", "" + noticed.toMillis());
                Duration answered =
                        until("all are answered", () -> runs.stream().allMatch(PipelineRun::isComplete));
                reporter.publishEntry("all batches were answered after further ms", "" + answered.toMillis());
                for (PipelineRun run : runs) {
                    assertArrayEquals(whole, run.await().tensor("out0").bytes());
                }
                assertTrue(pipeline.plan().workers().stream()
                        .noneMatch(worker -> worker.name().equals(sleeper)));
            } finally {
                asleep.resume();
            }
            Await.until(
                    "the worker is used again",
                    () -> pipeline.plan().workers().stream()
                            .anyMatch(worker -> worker.name().equals(sleeper)));
            assertArrayEquals(whole, pipeline.run(inputs).tensor("out0").bytes());
        }
    }
}
