package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.io.Npy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares real graphs, cut into one stage per machine, with the whole model and with PyTorch. */
class ChainTest {
    private static final int MAX_STAGES = 4;
    private static final Path MODELS = Path.of("src/test/resources/models");
    private static final double TORCH_TOLERANCE = 2e-5;

    private static final List<RemoteMachine> MACHINES = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int machine = 0; machine < MAX_STAGES; machine++) {
            MACHINES.add(RemoteMachine.of("mock", "any"));
        }
    }

    @AfterAll
    static void stop() {
        MACHINES.forEach(RemoteMachine::close);
    }

    static List<String> models() throws IOException {
        try (Stream<Path> files = Files.list(MODELS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".onnx"))
                    .map(name -> name.substring(0, name.length() - ".onnx".length()))
                    .sorted()
                    .toList();
        }
    }

    /** Each model has one of the numbers of stages, and each number has several models. */
    @ParameterizedTest
    @MethodSource("models")
    void aChainComputesTheBitsOfTheWholeModel(String name) throws IOException {
        compare(name, List.of(2 + models().indexOf(name) % (MAX_STAGES - 1)));
    }

    @ParameterizedTest
    @MethodSource("models")
    @Tag("full")
    void chainsOfAllLengthsComputeTheBitsOfTheWholeModel(String name) throws IOException {
        compare(name, IntStream.rangeClosed(2, MAX_STAGES).boxed().toList());
    }

    private static void compare(String name, List<Integer> lengths) throws IOException {
        Map<String, HostTensor> inputs = arrays(name, "in");
        Map<String, HostTensor> whole = run(name, 1, inputs);
        arrays(name, "out").forEach((output, expected) -> {
            assertEquals(expected.shape(), whole.get(output).shape());
            assertArrayEquals(
                    expected.toDoubleArray(), whole.get(output).toDoubleArray(), TORCH_TOLERANCE, name + " " + output);
        });
        for (int stages : lengths) {
            Map<String, HostTensor> chain = run(name, stages, inputs);
            for (String output : whole.keySet()) {
                assertArrayEquals(
                        whole.get(output).bytes(), chain.get(output).bytes(), name + " of " + stages + " stages");
            }
        }
    }

    private static Map<String, HostTensor> run(String name, int stages, Map<String, HostTensor> inputs) {
        try (OnnxPipeline pipeline = OnnxPipeline.over(
                MACHINES.subList(0, stages),
                MODELS.resolve(name + ".onnx").toString(),
                new OnnxPipelineOptions().stages(stages))) {
            assertEquals(stages, pipeline.plan().stages().size());
            return pipeline.run(inputs).tensors();
        }
    }

    private static Map<String, HostTensor> arrays(String name, String kind) throws IOException {
        Map<String, HostTensor> arrays = new LinkedHashMap<>();
        for (int place = 0; Files.exists(MODELS.resolve(name + "." + kind + place + ".npy")); place++) {
            arrays.put(kind + place, Npy.read(MODELS.resolve(name + "." + kind + place + ".npy")));
        }
        return arrays;
    }
}
