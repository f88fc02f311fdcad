package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.OnnxModel;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.OnnxFile;
import dev.outpost.onnx.graph.OnnxTypes;
import dev.outpost.onnx.graph.Stage;
import dev.outpost.onnx.graph.StageCutter;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.types.DType;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A part of ONNX's own node tests: inferred types, values, and chains of those with several nodes. {@code
 * src/test/python/export_nodes.py} packs them, and counts the omitted ones by reason. {@code -Doutpost.onnx.nodes} names another
 * archive of it.
 */
class NodeTest {
    private static final Path CENSUS = Path.of("src/test/resources/nodes/census.txt");
    private static final Path NODES =
            Path.of(System.getProperty("outpost.onnx.nodes", "src/test/resources/nodes/nodes.zip"));
    private static final Path PAGE = Path.of("../docs/onnx.md");

    private static final int MAX_STAGES = 4;
    /** The tolerances of ONNX's own test runner. */
    private static final double RELATIVE = 1e-3;

    private static final double ABSOLUTE = 1e-5;
    private static final double HALF = 1e-2;

    private static final Map<String, Map<String, byte[]>> CASES = new TreeMap<>();
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "any");
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    static List<String> names() throws IOException {
        try (InputStream file = Files.newInputStream(NODES);
                ZipInputStream archive = new ZipInputStream(file)) {
            for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                String[] path = entry.getName().split("/");
                CASES.computeIfAbsent(path[0], name -> new LinkedHashMap<>()).put(path[1], archive.readAllBytes());
            }
        }
        return List.copyOf(CASES.keySet());
    }

    @ParameterizedTest
    @MethodSource("names")
    void theNodeComputesWhatOnnxSays(String name) throws IOException {
        Map<String, byte[]> files = CASES.get(name);
        ModelGraph model = ModelGraph.of(OnnxFile.of(files.get("model.onnx")));
        Map<String, HostTensor> inputs = new LinkedHashMap<>();
        for (String input : model.index().inputs().keySet()) {
            inputs.put(input, tensor(model.file(), files.get("input_" + inputs.size() + ".pb")));
        }
        Map<String, TensorType> given = model.check(inputs);
        Map<String, HostTensor> whole = chain(model, given, inputs, 1);
        int place = 0;
        for (String output : model.index().outputs()) {
            compare(tensor(model.file(), files.get("output_" + place++ + ".pb")), whole.get(output));
        }
        for (int stages = 2; stages <= Math.min(MAX_STAGES, model.index().size()); stages++) {
            Map<String, HostTensor> cut = chain(model, given, inputs, stages);
            whole.forEach((output, tensor) ->
                    assertArrayEquals(tensor.bytes(), cut.get(output).bytes(), output));
        }
    }

    /** The page states how many of ONNX's tests are run, and why the others are not. */
    @Test
    void thePageTellsOfAllTests(TestReporter reporter) throws IOException {
        List<String[]> census = Files.readAllLines(CENSUS).stream()
                .map(line -> line.split("\t"))
                .toList();
        int all = census.stream().mapToInt(line -> Integer.parseInt(line[0])).sum();
        String page = Files.readString(PAGE);
        assertTrue(
                page.contains(names().size() + " of the " + String.format(Locale.ROOT, "%,d", all)), "of all " + all);
        for (String[] line : census) {
            reporter.publishEntry(line[1], line[0]);
            if (line[1].equals("run")) {
                assertEquals(names().size(), Integer.parseInt(line[0]));
            } else {
                assertTrue(page.contains("| " + line[0] + " | " + line[1] + " |"), line[0] + " " + line[1]);
            }
        }
    }

    private static HostTensor tensor(OnnxFile reader, byte[] file) throws IOException {
        TensorProto tensor = TensorProto.parseFrom(file);
        TensorType type = OnnxTypes.type(tensor).orElseThrow();
        return HostTensor.of(type.dtype(), reader.elements(tensor), type.shape().toArray());
    }

    /** Cuts at evenly spaced positions, if possible, and runs one part after the other. */
    private static Map<String, HostTensor> chain(
            ModelGraph model, Map<String, TensorType> given, Map<String, HostTensor> inputs, int stages) {
        Map<String, TensorType> types = model.types(given);
        StageCutter cutter = model.cutter(given);
        Map<String, HostTensor> values = new LinkedHashMap<>(inputs);
        int first = 0;
        for (int end : ends(cutter, model.index().size(), stages)) {
            run(cutter.stage(first, end), types, values);
            first = end;
        }
        values.keySet().retainAll(model.index().outputs());
        return values;
    }

    private static List<Integer> ends(StageCutter cutter, int nodes, int stages) {
        long[] bytes = cutter.bytesAtCuts();
        List<Integer> ends = new ArrayList<>();
        for (int stage = 1; stage < stages; stage++) {
            int end = nodes * stage / stages;
            if (end > 0 && bytes[end] >= 0 && !ends.contains(end)) {
                ends.add(end);
            }
        }
        ends.add(nodes);
        return ends;
    }

    private static void run(Stage stage, Map<String, TensorType> types, Map<String, HostTensor> values) {
        List<Tensor> inputs = new ArrayList<>();
        stage.inputs().forEach(input -> inputs.add(machine.tensor(values.get(input))));
        try (OnnxModel open = OnnxModel.open(machine, stage.model())) {
            List<Tensor> outputs =
                    open.call(stage.outputs().stream().map(types::get).toList(), inputs);
            for (int output = 0; output < outputs.size(); output++) {
                values.put(stage.outputs().get(output), outputs.get(output).toHost());
            }
            outputs.forEach(Tensor::close);
        } finally {
            inputs.forEach(Tensor::close);
        }
    }

    private static void compare(HostTensor expected, HostTensor got) {
        assertEquals(expected.dtype(), got.dtype());
        assertEquals(expected.shape(), got.shape());
        if (!expected.dtype().isFloating()) {
            assertArrayEquals(expected.bytes(), got.bytes());
            return;
        }
        double relative = expected.dtype() == DType.FLOAT16 ? HALF : RELATIVE;
        double[] wanted = expected.toDoubleArray();
        double[] made = got.toDoubleArray();
        for (int index = 0; index < wanted.length; index++) {
            boolean isEqual = Double.compare(wanted[index], made[index]) == 0
                    || Math.abs(wanted[index] - made[index]) <= ABSOLUTE + relative * Math.abs(wanted[index]);
            assertTrue(isEqual, "element " + index + ": expected " + wanted[index] + ", got " + made[index]);
        }
    }
}
