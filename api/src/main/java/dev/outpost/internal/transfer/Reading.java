package dev.outpost.internal.transfer;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.transfer.BytesSink;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.internal.Internals;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** How values come home. */
public final class Reading {
    /** Users' callbacks run apart from the threads that serve the connection. */
    public static final Executor CALLBACKS = task -> Thread.ofVirtual().start(task);

    private Reading() {}

    public static HostTensor await(Tensor tensor) {
        return await(tensor, false);
    }

    /** As {@link #await(Tensor)}, for prints and debuggers: a failure does not count as reported to the program. */
    public static HostTensor peek(Tensor tensor) {
        return await(tensor, true);
    }

    private static HostTensor await(Tensor tensor, boolean isPeek) {
        BlockingWaits blockingWaits = Internals.recorder(tensor).waits();
        CompletableFuture<byte[]> before = readBefore(tensor);
        byte[] bytes =
                before == null ? blockingWaits.awaitLatest(() -> ask(tensor, isPeek)) : blockingWaits.await(before);
        return HostTensor.ofBytes(tensor.dtype(), tensor.shape(), bytes);
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
        BlockingWaits blockingWaits = Internals.recorder(tensor).waits();
        CompletableFuture<byte[]> before = keptBefore(tensor);
        if (before != null) {
            ByteBuffer bytes = ByteBuffer.wrap(blockingWaits.await(before)).asReadOnlyBuffer();
            target.write(0, bytes.order(ByteOrder.LITTLE_ENDIAN));
            return;
        }
        LoanedSink loan = new LoanedSink(target);
        try {
            blockingWaits.awaitLatest(() -> ask(tensor, loan, false));
        } finally {
            loan.end();
        }
    }

    public static CompletableFuture<byte[]> start(Tensor tensor) {
        CompletableFuture<byte[]> before = readBefore(tensor);
        return before == null ? ask(tensor, false) : before;
    }

    /** Returns a copy of the elements of an earlier read, if the tensor's value has not changed since; else null. */
    private static @Nullable CompletableFuture<byte[]> readBefore(Tensor tensor) {
        CompletableFuture<byte[]> before = keptBefore(tensor);
        return before == null ? null : before.thenApply(byte[]::clone);
    }

    /** As {@link #readBefore}, with the array itself, which must not be changed. */
    private static @Nullable CompletableFuture<byte[]> keptBefore(Tensor tensor) {
        CompletableFuture<byte[]> before = Internals.recorder(tensor).current().readBefore(operand(tensor));
        Reference.reachabilityFence(tensor);
        return before;
    }

    /** Returns all elements if the program has read them before and they have not changed; else null. */
    public static @Nullable HostTensor wholeBefore(Tensor tensor) {
        CompletableFuture<byte[]> before = readBefore(tensor);
        return before == null
                ? null
                : HostTensor.ofBytes(
                        tensor.dtype(),
                        tensor.shape(),
                        Internals.recorder(tensor).waits().await(before));
    }

    /**
     * Returns the elements that {@link #keepShown} has kept, if the tensor has not changed since; else null.
     *
     * @param shape the shape of the shown elements
     */
    public static @Nullable HostTensor shownBefore(Tensor tensor, Shape shape) {
        byte[] shown = Internals.recorder(tensor).current().shownBefore(operand(tensor));
        Reference.reachabilityFence(tensor);
        return shown == null ? null : HostTensor.ofBytes(tensor.dtype(), shape, shown.clone());
    }

    /** Keeps the elements of a tensor that a print shows, for as long as its value lives. */
    public static void keepShown(Tensor tensor, HostTensor shown) {
        Internals.recorder(tensor).current().keepShown(operand(tensor), shown.bytes());
        Reference.reachabilityFence(tensor);
    }

    private static CompletableFuture<byte[]> ask(Tensor tensor, boolean isPeek) {
        BytesSink sink = new BytesSink(Internals.requireHeld(tensor.dtype(), tensor.shape()));
        return ask(tensor, sink, isPeek).thenApply(whole -> sink.bytes());
    }

    private static CompletableFuture<Void> ask(Tensor tensor, ElementSink sink, boolean isPeek) {
        CompletableFuture<Void> asked = Internals.recorder(tensor).current().fetch(operand(tensor), sink, isPeek);
        Reference.reachabilityFence(tensor);
        return asked;
    }

    private static StoredOperand operand(Tensor tensor) {
        BatchLevel.requireValue("item", tensor);
        return new StoredOperand(Internals.cell(tensor), Internals.layout(tensor));
    }
}
