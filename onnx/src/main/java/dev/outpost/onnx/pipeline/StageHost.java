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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A stage on its machine. Calls do not wait for the machine. */
record StageHost(RemoteMachine machine, Stage stage, OnnxModel model) implements AutoCloseable {
    /** Sends the stage to the machine. */
    static StageHost open(RemoteMachine machine, OnnxFile file, Stage stage, boolean isOptimized) {
        Map<String, Tensor> weights = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, TensorProto> weight : stage.weights().entrySet()) {
                weights.put(weight.getKey(), upload(machine, file, weight.getValue()));
            }
            return new StageHost(
                    machine, stage, OnnxModel.open(machine, ByteBuffer.wrap(stage.model()), weights, isOptimized));
        } finally {
            weights.values().forEach(Tensor::close);
        }
    }

    private static Tensor upload(RemoteMachine machine, OnnxFile file, TensorProto weight) {
        TensorType type = OnnxTypes.type(weight).orElseThrow();
        return machine.tensor(
                HostTensor.of(type.dtype(), file.elements(weight), type.shape().toArray()));
    }

    /** Waits until the machine has opened the stage. Fails if it cannot. */
    void awaitOpen() {
        machine.synchronize();
    }

    /**
     * Computes a batch. Does not wait.
     *
     * @param inputs the inputs of the stage, in its order, on its machine
     * @param types the types of all values of the model, for this batch
     * @return the outputs, in the stage's order; the caller closes them
     */
    List<Tensor> run(List<Tensor> inputs, Map<String, TensorType> types) {
        return model.call(stage.outputs().stream().map(types::get).toList(), inputs);
    }

    @Override
    public void close() {
        model.close();
    }
}
