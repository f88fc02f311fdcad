package dev.outpost;

import dev.outpost.client.BytesSink;
import dev.outpost.client.ElementSink;
import dev.outpost.client.StoredOperand;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** How values come home. */
final class Reading {
    /** Users' callbacks run apart from the threads that serve the connection. */
    static final Executor CALLBACKS = task -> Thread.ofVirtual().start(task);

    private Reading() {}

    static HostTensor await(Tensor tensor) {
        return HostTensor.ofBytes(
                tensor.dtype(), tensor.shape(), tensor.recorder().waits().look(() -> start(tensor)));
    }

    /** How many elements an array must take; refused where there is none of that size. */
    static int elements(Tensor tensor) {
        return HostTensor.requireHeld(tensor.dtype(), tensor.shape())
                / tensor.dtype().bytes();
    }

    /** Waits until all elements are where they should go, which takes elements of one dtype, and no more than so many. */
    static void copy(Tensor tensor, DType dtype, int room, ElementSink target) {
        if (tensor.dtype() != dtype) {
            throw new OpException("copyTo", "an array of " + dtype + " takes no " + tensor.dtype());
        }
        if (tensor.numel() > room) {
            throw new OpException(
                    "copyTo", "the array holds " + room + " elements, too few for a tensor of " + tensor.shape());
        }
        LoanedSink loan = new LoanedSink(target);
        try {
            tensor.recorder().waits().look(() -> start(tensor, loan));
        } finally {
            loan.end();
        }
    }

    static CompletableFuture<byte[]> start(Tensor tensor) {
        BytesSink sink = new BytesSink(HostTensor.requireHeld(tensor.dtype(), tensor.shape()));
        return start(tensor, sink).thenApply(whole -> sink.bytes());
    }

    private static CompletableFuture<Void> start(Tensor tensor, ElementSink sink) {
        StoredOperand operand = new StoredOperand(tensor.cell(), tensor.layout());
        CompletableFuture<Void> started = tensor.recorder().current().fetch(operand, sink);
        Reference.reachabilityFence(tensor);
        return started;
    }
}
