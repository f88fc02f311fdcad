package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.io.Npy;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fate of batches when a machine is lost. */
class LostWorkerTest {
    private static final Path MODELS = Path.of("src/test/resources/models");
    private static final int BATCHES = 12;

    private final MockProvider mock = new MockProvider();
    private final List<RemoteMachine> machines = new ArrayList<>();
    private Map<String, HostTensor> inputs;

    @BeforeEach
    void start() throws IOException {
        inputs = Map.of("in0", Npy.read(MODELS.resolve("residual.in0.npy")));
        for (int machine = 0; machine < 3; machine++) {
            machines.add(RemoteMachine.of(mock, "any", new MachineOptions().lossTimeout(Duration.ofMillis(300)))
                    .awaitReady());
        }
    }

    @AfterEach
    void stop() {
        for (RemoteMachine machine : machines) {
            try {
                machine.close();
            } catch (OutpostException ignored) {
                // It was.
            }
        }
    }

    private OnnxPipeline open() {
        return OnnxPipeline.over(
                machines,
                MODELS.resolve("residual.onnx").toString(),
                new OnnxPipelineOptions().stages(3).mostInFlight(BATCHES));
    }

    @Test
    void stagesMoveAndEachBatchIsAnsweredOnce() {
        try (OnnxPipeline pipeline = open()) {
            byte[] whole = pipeline.run(inputs).tensor("out0").bytes();
            List<PipelineRun> runs = new ArrayList<>();
            for (int batch = 0; batch < BATCHES; batch++) {
                runs.add(pipeline.runAsync(inputs));
                if (batch == BATCHES / 2) {
                    mock.machines().get(1).killRuntime();
                }
            }
            runs.forEach(
                    run -> assertArrayEquals(whole, run.await().tensor("out0").bytes()));
            assertTrue(runs.stream().allMatch(PipelineRun::isComplete));
            assertArrayEquals(whole, pipeline.run(inputs).tensor("out0").bytes());
            assertFalse(pipeline.plan().workers().stream()
                    .anyMatch(worker -> worker.name().endsWith("-1")));
        }
    }

    @Test
    void whereNoMachineIsLeftASentenceSaysWhichWereLost() {
        try (OnnxPipeline pipeline = open()) {
            pipeline.run(inputs);
            mock.machines().forEach(machine -> machine.killRuntime());
            OutpostException lost = assertThrows(OutpostException.class, () -> pipeline.run(inputs));
            assertTrue(lost.getMessage().contains("onnx: lost "), lost.getMessage());
            assertTrue(lost.getMessage().contains("there is no worker"), lost.getMessage());
            OutpostException later = assertThrows(OutpostException.class, () -> pipeline.run(inputs));
            assertEquals(lost.getMessage(), later.getMessage());
        }
    }

    @Test
    void aBadInputFailsItsOwnBatchOnly() {
        try (OnnxPipeline pipeline = open()) {
            OnnxException refused =
                    assertThrows(OnnxException.class, () -> pipeline.run(Map.of("in0", new float[][] {{1, 2}})));
            assertTrue(refused.getMessage().contains("[batch, 24]"), refused.getMessage());
            assertEquals(1, pipeline.run(inputs).tensors().size());
        }
    }
}
