package dev.outpost.internal.transfer;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.client.StoredOperand;
import dev.outpost.client.transfer.BytesSink;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.internal.Internals;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** How values come home. */
public final class Reading {
    /** Users' callbacks run apart from the threads that serve the connection. */
    public static final Executor CALLBACKS = task -> Thread.ofVirtual().start(task);

    private Reading() {}

    public static HostTensor await(Tensor tensor) {
        return HostTensor.ofBytes(
                tensor.dtype(),
                tensor.shape(),
                Internals.recorder(tensor).waits().look(() -> start(tensor)));
    }

    /** How many elements an array must take; refused where there is none of that size. */
    public static int elements(Tensor tensor) {
        return Internals.requireHeld(tensor.dtype(), tensor.shape())
                / tensor.dtype().bytes();
    }

    /** Waits until all elements are where they should go, which takes elements of one dtype, and no more than so many. */
    public static void copy(Tensor tensor, DType dtype, int room, ElementSink target) {
        if (tensor.dtype() != dtype) {
            throw new OpException("copyTo", "an array of " + dtype + " takes no " + tensor.dtype());
        }
        if (tensor.numel() > room) {
            throw new OpException(
                    "copyTo", "the array holds " + room + " elements, too few for a tensor of " + tensor.shape());
        }
        LoanedSink loan = new LoanedSink(target);
        try {
            Internals.recorder(tensor).waits().look(() -> start(tensor, loan));
        } finally {
            loan.end();
        }
    }

    public static CompletableFuture<byte[]> start(Tensor tensor) {
        BytesSink sink = new BytesSink(Internals.requireHeld(tensor.dtype(), tensor.shape()));
        return start(tensor, sink).thenApply(whole -> sink.bytes());
    }

    private static CompletableFuture<Void> start(Tensor tensor, ElementSink sink) {
        BatchLevel.requireValue("item", tensor);
        StoredOperand operand = new StoredOperand(Internals.cell(tensor), Internals.layout(tensor));
        CompletableFuture<Void> started = Internals.recorder(tensor).current().fetch(operand, sink);
        Reference.reachabilityFence(tensor);
        return started;
    }
}
