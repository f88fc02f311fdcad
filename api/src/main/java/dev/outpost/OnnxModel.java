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
 * A model in ONNX's format that a machine holds and runs by ONNX Runtime. Its inputs and outputs are tensors as all others are.
 * No gradient flows through it. Thread-safe; calls of several threads run one after the other.
 *
 * <pre>{@code
 * try (var model = OnnxModel.open(machine, Files.readAllBytes(file))) {
 *     Tensor logits = model.call(List.of(new TensorType(DType.FLOAT32, Shape.of(8, 10))), images).getFirst();
 * }
 * }</pre>
 *
 * <p>The machine needs {@code outpost-runtime-onnx}; where it has not, the first read of an output says so.
 */
public final class OnnxModel implements AutoCloseable {
    private final Tensor handle;

    private OnnxModel(Tensor handle) {
        this.handle = handle;
    }

    /** As {@link #open(RemoteMachine, ByteBuffer, Map, boolean)}, of bytes that hold all weights, not optimized. */
    public static OnnxModel open(RemoteMachine machine, byte[] model) {
        return open(machine, ByteBuffer.wrap(ArgumentChecks.required(model, "the model")), Map.of(), false);
    }

    /**
     * Opens a model. Does not wait; a model that is refused is told of at the first read of what comes out of it.
     *
     * @param model a serialized {@code ModelProto}, at most 2 GiB
     * @param weights initializers whose data are external, by name; they may be closed when this returns
     * @param isOptimized whether ONNX Runtime may fuse nodes, which is faster and rounds differently: only without it does a
     *     model compute the bits that its parts compute one after the other
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
                    () -> Dispatch.applyAll(new ModelOpen(names, isOptimized), operands.toArray(Operand[]::new))[0]));
        }
    }

    /** The machine that holds it. */
    public RemoteMachine machine() {
        return handle.machine();
    }

    /** As {@link #call(List, List)}. */
    public List<Tensor> call(List<TensorType> outputs, Tensor... inputs) {
        return call(outputs, List.of(inputs));
    }

    /**
     * Runs the model; does not wait.
     *
     * @param outputs dtype and shape of each output, in the model's order; another one is a user fault at the first read
     * @param inputs in the model's order, on its machine
     */
    public List<Tensor> call(List<TensorType> outputs, List<Tensor> inputs) {
        Operand[] operands = new Operand[1 + inputs.size()];
        operands[0] = handle;
        for (int input = 0; input < inputs.size(); input++) {
            operands[1 + input] = inputs.get(input);
        }
        return List.of(Dispatch.applyAll(new ModelCall(outputs), operands));
    }

    /** The machine lets go of the model when the calls before this have run. */
    @Override
    public void close() {
        handle.close();
    }
}
