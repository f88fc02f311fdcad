package dev.outpost.onnx.pipeline;

import dev.outpost.PeerLinks;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * A value as it travels between machines. Whoever has it closes it.
 *
 * @param parts what travels, on one machine
 * @param type what it is when it has arrived
 * @param isCoded whether the parts are other than the value itself
 */
record Activation(List<Tensor> parts, TensorType type, boolean isCoded) implements AutoCloseable {
    /** Encodes a value on its machine, as the codec does, where it does. */
    static Activation encode(Tensor value, ActivationCodec codec) {
        TensorType type = value.type();
        boolean isCoded = codec.isCoded(type);
        return new Activation(isCoded ? codec.encode(value) : List.of(value.detach()), type, isCoded);
    }

    /** Has it sent to another machine; does not wait. */
    Activation send(PeerLinks links, RemoteMachine target) {
        List<Tensor> arriving = new ArrayList<>();
        parts.forEach(part -> arriving.add(links.send(part, target)));
        return new Activation(arriving, type, isCoded);
    }

    /** The value again, on the machine where this is; the caller closes it. */
    Tensor decode(ActivationCodec codec) {
        return isCoded ? codec.decode(parts, type) : parts.getFirst().detach();
    }

    /** The bytes on the way. */
    long bytes() {
        return parts.stream().mapToLong(part -> part.type().bytes()).sum();
    }

    @Override
    public void close() {
        parts.forEach(Tensor::close);
    }
}
