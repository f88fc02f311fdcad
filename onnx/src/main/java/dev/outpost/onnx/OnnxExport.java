package dev.outpost.onnx;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.trace.TracedGraph;
import dev.outpost.nn.Module;
import dev.outpost.onnx.export.GraphWriter;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes modules in ONNX's format, for whatever runs it. A module is traced over example inputs: the model takes inputs of these
 * shapes and dtypes, its weights are those of now, and what the module reads in Java is as it was in this call.
 *
 * <pre>{@code
 * model.eval();
 * OnnxExport.write(model, List.of(machine.zeros(8, 784)), Path.of("model.onnx"));
 * }</pre>
 *
 * <p>The instructions that have an equivalent are in a table in docs/onnx.md. Others are refused by name, and so is a module that
 * draws random numbers or changes its statistics: call {@code eval()} first.
 */
public final class OnnxExport {
    private static final int MAX_BYTES = Integer.MAX_VALUE - (1 << 20);

    private OnnxExport() {}

    /** A module of one input and one output, which the model calls {@code input} and {@code output}. Waits for the weights. */
    public static void write(Module module, Tensor exampleInput, Path path) throws IOException {
        write(exampleInput.machine(), inputs -> List.of(module.call(inputs.getFirst())), List.of(exampleInput), path);
    }

    /**
     * A function over tensors. The model calls its inputs {@code input0} and so on, and its outputs {@code output0}; a single one
     * has no number. Waits for the weights.
     *
     * @param machine where the function's tensors are
     * @param exampleInputs tensors of the shapes and dtypes that the model takes; their elements do not matter
     * @param path the file, which is written over
     * @throws OnnxException where the function does something that has no equivalent; it names what
     */
    public static void write(RemoteMachine machine, Program.Body function, List<Tensor> exampleInputs, Path path)
            throws IOException {
        ModelProto model = model(machine, function, exampleInputs);
        if (model.getSerializedSize() > MAX_BYTES) {
            throw new OnnxException("export: the model takes over 2 GiB, which a file of this format cannot hold");
        }
        Files.write(path, model.toByteArray());
    }

    private static ModelProto model(RemoteMachine machine, Program.Body function, List<Tensor> examples) {
        TracedGraph traced;
        try {
            traced = TracedGraph.of(
                    TensorDevice.of(machine), inputs -> function.apply(Dispatch.tensors(inputs)), examples);
        } catch (OutpostException failure) {
            throw new OnnxException("export: " + failure.getMessage(), failure);
        }
        return GraphWriter.write(
                traced,
                names("input", examples.size()),
                names("output", traced.outputs().size()));
    }

    private static List<String> names(String kind, int count) {
        return count == 1
                ? List.of(kind)
                : IntStream.range(0, count).mapToObj(place -> kind + place).toList();
    }
}
