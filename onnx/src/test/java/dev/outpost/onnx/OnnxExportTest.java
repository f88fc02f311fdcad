package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.BatchNorm2d;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Flatten;
import dev.outpost.nn.GELU;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.MaxPool2d;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.nn.SiLU;
import dev.outpost.nn.Softmax;
import dev.outpost.onnx.type.OnnxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests modules that are written in ONNX's format, run by ONNX Runtime and by Outpost. */
class OnnxExportTest {
    private static final double TOLERANCE = 2e-5;

    private static RemoteMachine machine;
    private static RemoteMachine other;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "any");
        other = RemoteMachine.of("mock", "any");
        machine.manualSeed(4);
    }

    @AfterAll
    static void stop() {
        machine.close();
        other.close();
    }

    @Test
    void denseLayersNormsAndActivations() throws IOException {
        check(
                new Sequential(
                        new Linear(12, 16),
                        new ReLU(),
                        new LayerNorm(16),
                        new Linear(16, 8, false),
                        new GELU(),
                        new SiLU(),
                        new Linear(8, 5),
                        new Softmax(-1)),
                machine.randn(3, 12));
    }

    @Test
    void aConvolutionalNetwork() throws IOException {
        check(
                new Sequential(
                        new Conv2d(3, 6, 3, 1, 1),
                        new BatchNorm2d(6),
                        new ReLU(),
                        new MaxPool2d(2),
                        new Conv2d(6, 4, 3, 2, 0),
                        new Flatten(),
                        new Dropout(0.5),
                        new Linear(36, 4)),
                machine.randn(2, 3, 14, 14));
    }

    @Test
    void anEmbeddingOfIndices() throws IOException {
        check(new Sequential(new Embedding(11, 6), new Linear(6, 4)), machine.tensor(new long[] {1, 10, 0, 4}, 2, 2));
    }

    @Test
    void viewsComparisonsAndReductions() throws IOException {
        checkFunction(
                inputs -> {
                    Tensor x = inputs.get(0);
                    Tensor turned = x.transpose(0, 1).narrow(0, 1, 2);
                    Tensor wide = x.narrow(1, 0, 1).expand(4, 3);
                    return List.of(
                            Tensors.cat(List.of(turned.sum(1), wide.amax(0)), 0),
                            Tensors.where(x.gt(0), x, x.mul(-2)).mean(),
                            x.flip(0).argmax(1));
                },
                machine.randn(4, 3));
    }

    @Test
    void whatIsWrittenCanBeCut() throws IOException {
        Module module = new Sequential(new Linear(6, 6), new ReLU(), new Linear(6, 2)).to(machine);
        module.eval();
        Tensor input = machine.randn(5, 6);
        Path file = folder.resolve("cut.onnx");
        OnnxExport.write(module, input, file);
        try (OnnxPipeline pipeline =
                OnnxPipeline.over(List.of(machine, other), file.toString(), new OnnxPipelineOptions().stages(2))) {
            HostTensor output = pipeline.run(Map.of("input", input.toHost())).tensor("output");
            assertArrayEquals(call(module, input).toDoubleArray(), output.toDoubleArray(), TOLERANCE);
        }
    }

    @Test
    void whatHasNoEquivalentIsRefusedByName() {
        Tensor input = machine.randn(2, 2);
        OnnxException refused = assertThrows(
                OnnxException.class,
                () -> OnnxExport.write(
                        machine, inputs -> List.of(inputs.get(0).lgamma()), List.of(input), folder.resolve("no.onnx")));
        assertTrue(refused.getMessage().contains("lgamma has no equivalent"), refused.getMessage());
    }

    @Test
    void aModuleThatTrainsIsRefused() {
        Module module = new Sequential(new Linear(2, 2), new Dropout(0.5)).to(machine);
        OnnxException refused = assertThrows(
                OnnxException.class, () -> OnnxExport.write(module, machine.randn(2, 2), folder.resolve("no.onnx")));
        assertTrue(refused.getMessage().contains("call eval()"), refused.getMessage());
    }

    private void check(Module module, Tensor input) throws IOException {
        module.to(machine);
        module.eval();
        Path file = folder.resolve("module.onnx");
        OnnxExport.write(module, input, file);
        compare(List.of(call(module, input)), input, file);
    }

    private void checkFunction(Program.Body function, Tensor input) throws IOException {
        Path file = folder.resolve("function.onnx");
        OnnxExport.write(machine, function, List.of(input), file);
        compare(function.apply(List.of(input)).stream().map(Tensor::toHost).toList(), input, file);
    }

    private static HostTensor call(Module module, Tensor input) {
        return GradMode.noGrad(() -> module.call(input)).toHost();
    }

    private static void compare(List<HostTensor> expected, Tensor input, Path file) {
        try (OnnxPipeline pipeline = OnnxPipeline.over(List.of(machine), file.toString(), new OnnxPipelineOptions())) {
            List<HostTensor> outputs = List.copyOf(
                    pipeline.run(Map.of("input", input.toHost())).tensors().values());
            assertEquals(expected.size(), outputs.size());
            for (int output = 0; output < outputs.size(); output++) {
                assertEquals(expected.get(output).shape(), outputs.get(output).shape());
                assertArrayEquals(
                        expected.get(output).toDoubleArray(),
                        outputs.get(output).toDoubleArray(),
                        TOLERANCE);
            }
        }
    }
}
