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
 * Exports modules to ONNX's format, for any program that can run models in this format. A module is traced with
 * example inputs. The model takes inputs of these shapes and dtypes. It contains the present weights, and all values
 * that the module reads in Java become constants.
 *
 * <pre>{@code
 * model.eval();
 * OnnxExport.write(model, machine.zeros(8, 784), Path.of("model.onnx"));
 * }</pre>
 *
 * <p>docs/onnx.md lists the instructions that have an equivalent. Others are refused by name, and so is a module that draws
 * random numbers or changes its statistics: call {@code eval()} first.
 */
public final class OnnxExport {
    private static final int MAX_BYTES = Integer.MAX_VALUE - (1 << 20);

    private OnnxExport() {}

    /** Exports a module with one input and one output, named {@code input} and {@code output}. Waits for the weights. */
    public static void write(Module module, Tensor exampleInput, Path path) throws IOException {
        write(exampleInput.machine(), inputs -> List.of(module.call(inputs.getFirst())), List.of(exampleInput), path);
    }

    /**
     * Exports a function over tensors. The inputs are named {@code input0} and so on, and the outputs
     * {@code output0}; a single input or output has no number. Waits for the weights.
     *
     * @param machine the machine of the function's tensors
     * @param exampleInputs tensors of the shapes and dtypes that the model takes; their elements do not matter
     * @param path the file, which is overwritten
     * @throws OnnxException if an instruction has no equivalent; the message names it
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
