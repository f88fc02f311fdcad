package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A value on its way between machines, as it travels. Immutable.
 *
 * @param parts what travels
 * @param type what it is when it has arrived
 * @param isCoded whether the parts are other than the value itself
 */
record Activation(List<HostTensor> parts, TensorType type, boolean isCoded) {

    /** A value that travels as it is. */
    static Activation plain(HostTensor tensor) {
        return new Activation(List.of(tensor), new TensorType(tensor.dtype(), tensor.shape()), false);
    }

    /**
     * Begins to fetch a value from its machine.
     *
     * @param mayBeCoded whether it may be encoded there, as the codec does
     */
    static CompletableFuture<Activation> fetch(Tensor value, ActivationCodec codec, boolean mayBeCoded) {
        TensorType type = value.type();
        boolean isCoded = mayBeCoded && codec.isCoded(type);
        List<Tensor> encoded = isCoded ? codec.encode(value) : List.of(value.detach());
        try {
            List<CompletableFuture<HostTensor>> parts =
                    encoded.stream().map(Tensor::fetch).toList();
            return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                    .thenApply(all -> new Activation(
                            parts.stream().map(CompletableFuture::join).toList(), type, isCoded));
        } finally {
            encoded.forEach(Tensor::close);
        }
    }

    /** Sends it to a machine, and decodes it there; the caller closes the value. */
    Tensor to(RemoteMachine machine, ActivationCodec codec) {
        List<Tensor> arrived = new ArrayList<>();
        try {
            parts.forEach(part -> arrived.add(machine.tensor(part)));
            return isCoded ? codec.decode(arrived, type) : arrived.getFirst().detach();
        } finally {
            arrived.forEach(Tensor::close);
        }
    }

    /** What travels, in bytes. */
    long bytes() {
        return parts.stream().mapToLong(part -> part.bytes().length).sum();
    }
}
