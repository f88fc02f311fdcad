package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.OnnxModel;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.graph.OnnxFile;
import dev.outpost.onnx.graph.OnnxTypes;
import dev.outpost.onnx.graph.Stage;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A stage on its machine. Calls do not wait for the machine. */
final class StageHost implements AutoCloseable {
    private final RemoteMachine machine;
    private final Stage stage;
    private final OnnxModel model;
    /** Outputs of the whole model, which travel as they are. */
    private final Set<String> last;

    private StageHost(RemoteMachine machine, Stage stage, OnnxModel model, Set<String> last) {
        this.machine = machine;
        this.stage = stage;
        this.model = model;
        this.last = last;
    }

    /**
     * Sends the stage to the machine.
     *
     * @param last outputs of the whole model
     */
    static StageHost open(RemoteMachine machine, OnnxFile file, Stage stage, Set<String> last, boolean isOptimized) {
        Map<String, Tensor> weights = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, TensorProto> weight : stage.weights().entrySet()) {
                weights.put(weight.getKey(), upload(machine, file, weight.getValue()));
            }
            return new StageHost(
                    machine,
                    stage,
                    OnnxModel.open(machine, ByteBuffer.wrap(stage.model()), weights, isOptimized),
                    last);
        } finally {
            weights.values().forEach(Tensor::close);
        }
    }

    private static Tensor upload(RemoteMachine machine, OnnxFile file, TensorProto weight) {
        TensorType type = OnnxTypes.type(weight).orElseThrow();
        return machine.tensor(
                HostTensor.of(type.dtype(), file.elements(weight), type.shape().toArray()));
    }

    RemoteMachine machine() {
        return machine;
    }

    Stage stage() {
        return stage;
    }

    /** Waits until the machine has opened the stage; fails where it cannot. */
    void awaitOpen() {
        machine.synchronize();
    }

    /**
     * Computes a batch.
     *
     * @param inputs of the stage, in its order
     * @param types of all values of the model, for this batch
     * @return the outputs, which come later
     */
    Map<String, CompletableFuture<Activation>> run(
            List<Activation> inputs, Map<String, TensorType> types, ActivationCodec codec) {
        List<Tensor> arrived = new ArrayList<>();
        List<Tensor> outputs = List.of();
        try {
            for (Activation input : inputs) {
                arrived.add(input.to(machine, codec));
            }
            outputs = model.call(stage.outputs().stream().map(types::get).toList(), arrived);
            Map<String, CompletableFuture<Activation>> fetched = new LinkedHashMap<>();
            for (int output = 0; output < outputs.size(); output++) {
                String name = stage.outputs().get(output);
                fetched.put(name, Activation.fetch(outputs.get(output), codec, !last.contains(name)));
            }
            return fetched;
        } finally {
            arrived.forEach(Tensor::close);
            outputs.forEach(Tensor::close);
        }
    }

    @Override
    public void close() {
        model.close();
    }
}
