package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.TensorScope;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A model in ONNX format that a machine holds and runs with ONNX Runtime. Its inputs and outputs are ordinary tensors. No gradient
 * flows through it. Thread-safe; calls of several threads run one after the other.
 *
 * <pre>{@code
 * try (var model = OnnxModel.open(machine, Files.readAllBytes(file))) {
 *     Tensor logits = model.call(List.of(new TensorType(DType.FLOAT32, Shape.of(8, 10))), images).getFirst();
 * }
 * }</pre>
 *
 * <p>The machine needs {@code outpost-runtime-onnx}. If it is missing, the first read of an output fails with a
 * message about it.
 */
public final class OnnxModel implements AutoCloseable {
    private final Tensor handle;

    private OnnxModel(Tensor handle) {
        this.handle = handle;
    }

    /**
     * Like {@link #open(RemoteMachine, ByteBuffer, Map, boolean)}, but for bytes that contain all weights, without
     * optimization.
     */
    public static OnnxModel open(RemoteMachine machine, byte[] model) {
        return open(machine, ByteBuffer.wrap(ArgumentChecks.required(model, "the model")), Map.of(), false);
    }

    /**
     * Opens a model. Does not wait: if the machine refuses the model, the first read of an output throws.
     *
     * @param model a serialized {@code ModelProto}, at most 2 GiB
     * @param weights the initializers with external data, by name; the caller may close them when this method returns
     * @param isOptimized true if ONNX Runtime may fuse nodes. This is faster and rounds differently: only an unoptimized model computes
     *     the same bits as its parts one after the other
     */
    public static OnnxModel open(
            RemoteMachine machine, ByteBuffer model, Map<String, Tensor> weights, boolean isOptimized) {
        ArgumentChecks.required(machine, "the machine");
        List<Operand> operands = new ArrayList<>();
        List<String> names = List.copyOf(weights.keySet());
        try (Tensor bytes = machine.tensor(HostTensor.of(DType.UINT8, model, model.remaining()))) {
            operands.add(bytes);
            for (String name : names) {
                Tensor weight = weights.get(name);
                if (weight.machine() != machine) {
                    throw new OutpostException(
                            FaultKind.USER, "model_open: the weight " + name + " is on another machine");
                }
                operands.add(weight);
            }
            return new OnnxModel(TensorScope.unscoped(
                    () -> Dispatch.apply(new ModelOpen(names, isOptimized), operands.toArray(Operand[]::new))));
        }
    }

    /** Returns the machine that holds the model. */
    public RemoteMachine machine() {
        return handle.machine();
    }

    /** Same as {@link #call(List, List)}. */
    public List<Tensor> call(List<TensorType> outputs, Tensor... inputs) {
        return call(outputs, List.of(inputs));
    }

    /**
     * Runs the model; does not wait.
     *
     * @param outputs dtype and shape of each output, in the model's order; if they are wrong, the first read throws a user fault @param
     *     inputs the inputs in the model's order, on the model's machine
     */
    public List<Tensor> call(List<TensorType> outputs, List<Tensor> inputs) {
        Operand[] operands = new Operand[1 + inputs.size()];
        operands[0] = handle;
        for (int input = 0; input < inputs.size(); input++) {
            operands[1 + input] = inputs.get(input);
        }
        return List.of(Dispatch.applyAll(new ModelCall(outputs), operands));
    }

    /** Releases the model on the machine after all earlier calls have run. */
    @Override
    public void close() {
        handle.close();
    }
}
