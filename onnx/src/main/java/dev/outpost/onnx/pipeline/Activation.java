package dev.outpost.onnx.pipeline;

import dev.outpost.PeerLinks;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * A value in transit between machines. Its owner must close it.
 *
 * @param parts the tensors that are sent, on one machine
 * @param type the type of the value after decoding
 * @param isCoded true if the parts are an encoding, and not the value itself
 */
record Activation(List<Tensor> parts, TensorType type, boolean isCoded) implements AutoCloseable {
    /** Encodes a value on its machine, if the codec encodes its type. */
    static Activation encode(Tensor value, ActivationCodec codec) {
        TensorType type = value.type();
        boolean isCoded = codec.isCoded(type);
        return new Activation(isCoded ? codec.encode(value) : List.of(value.detach()), type, isCoded);
    }

    /** Sends the value to another machine. Does not wait. */
    Activation send(PeerLinks links, RemoteMachine target) {
        List<Tensor> arriving = new ArrayList<>();
        parts.forEach(part -> arriving.add(links.send(part, target)));
        return new Activation(arriving, type, isCoded);
    }

    /** Returns the decoded value on the machine of the parts. The caller closes it. */
    Tensor decode(ActivationCodec codec) {
        return isCoded ? codec.decode(parts, type) : parts.getFirst().detach();
    }

    /** Returns the number of bytes of the parts. */
    long bytes() {
        return parts.stream().mapToLong(part -> part.type().bytes()).sum();
    }

    @Override
    public void close() {
        parts.forEach(Tensor::close);
    }
}
