package dev.outpost;

import dev.outpost.client.ClientSession;
import dev.outpost.client.ElementSink;
import dev.outpost.client.SourceLine;
import dev.outpost.client.ValueHandle;
import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.types.DType;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** How values come home. */
final class Reading {
    /** Users' callbacks run apart from the threads that serve the connection. */
    static final Executor CALLBACKS = task -> Thread.ofVirtual().start(task);

    private Reading() {}

    static HostTensor await(Tensor tensor) {
        ClientSession session = tensor.session();
        return HostTensor.ofBytes(tensor.dtype(), tensor.shape(), session.look(() -> start(tensor)));
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
        ClientSession session = tensor.session();
        LoanedSink loan = new LoanedSink(target);
        try {
            session.look(() -> start(tensor, handle -> session.fetch(handle, loan)));
        } finally {
            loan.end();
        }
    }

    private static void requireLook() {
        if (Tracing.isActive()) {
            throw Trace.refusal(
                    SourceLine.calledOp(), "a program has no values while it is traced, so it cannot depend on them");
        }
    }

    static CompletableFuture<byte[]> start(Tensor tensor) {
        return start(tensor, tensor.session()::fetch);
    }

    private static <T> CompletableFuture<T> start(Tensor tensor, Function<ValueHandle, CompletableFuture<T>> fetch) {
        requireLook();
        if (!tensor.isWhole()) {
            return startCopy(tensor, fetch);
        }
        CompletableFuture<T> started = fetch.apply(tensor.cell().handle());
        Reference.reachabilityFence(tensor);
        return started;
    }

    private static <T> CompletableFuture<T> startCopy(
            Tensor tensor, Function<ValueHandle, CompletableFuture<T>> fetch) {
        try (Tensor copy = GradMode.with(false, () -> Dispatch.apply(Unary.COPY, tensor))) {
            return fetch.apply(copy.cell().handle());
        }
    }
}
