package dev.outpost;

import dev.outpost.client.ClientSession;
import dev.outpost.client.RemoteValue;
import dev.outpost.protocol.op.Unary;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** How values come home. */
final class Reading {
    /** Users' callbacks run apart from the threads that serve the connection. */
    static final Executor CALLBACKS = task -> Thread.ofVirtual().start(task);

    private Reading() {}

    static HostTensor await(Tensor tensor) {
        ClientSession session = tensor.session();
        return hostTensor(tensor, session.await(start(tensor)));
    }

    static CompletableFuture<byte[]> start(Tensor tensor) {
        ClientSession session = tensor.session();
        RemoteValue whole = tensor.wholeValue();
        if (whole == null) {
            return startCopy(tensor);
        }
        CompletableFuture<byte[]> bytes = session.fetch(whole);
        Reference.reachabilityFence(tensor);
        return bytes;
    }

    private static CompletableFuture<byte[]> startCopy(Tensor tensor) {
        try (Tensor copy = GradMode.with(false, () -> Dispatch.apply(Unary.COPY, tensor))) {
            return tensor.session().fetch(copy.cell().value());
        }
    }

    static HostTensor hostTensor(Tensor tensor, byte[] bytes) {
        return HostTensor.ofBytes(tensor.dtype(), tensor.shape(), bytes);
    }
}
