package dev.outpost.internal.transfer;

import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.transfer.BytesSink;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.internal.HostShapes;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Reads of tensor values by the client. */
public final class Reading {
    /** Runs users' callbacks on separate threads, so that they do not block the connection. */
    public static final Executor CALLBACKS = task -> Thread.ofVirtual().start(task);

    private Reading() {}

    public static byte[] await(TensorState tensor) {
        return await(tensor, false);
    }

    /**
     * Like {@link #await(TensorState)}, but for prints and debuggers: a failure does not count as reported to the
     * program.
     */
    public static byte[] peek(TensorState tensor) {
        return await(tensor, true);
    }

    private static byte[] await(TensorState tensor, boolean isPeek) {
        BlockingWaits blockingWaits = States.recorder(tensor).waits();
        CompletableFuture<byte[]> before = readBefore(tensor);
        return before == null ? blockingWaits.awaitLatest(() -> ask(tensor, isPeek)) : blockingWaits.await(before);
    }

    /** Returns the length of an array for all elements. Throws if no array can be so long. */
    public static int elements(TensorState tensor) {
        return HostShapes.requireHeld(tensor.dtype(), tensor.shape())
                / tensor.dtype().bytes();
    }

    /**
     * Copies all elements into a target and waits until they have arrived. Throws if the dtype differs or the target has room for fewer
     * elements.
     */
    public static void copy(TensorState tensor, DType dtype, int room, ElementSink target) {
        if (tensor.dtype() != dtype) {
            throw new OpException("copyTo", "an array of " + dtype + " takes no " + tensor.dtype());
        }
        if (tensor.shape().elements() > room) {
            throw new OpException(
                    "copyTo", "the array holds " + room + " elements, too few for a tensor of " + tensor.shape());
        }
        BlockingWaits blockingWaits = States.recorder(tensor).waits();
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

    public static CompletableFuture<byte[]> start(TensorState tensor) {
        CompletableFuture<byte[]> before = readBefore(tensor);
        return before == null ? ask(tensor, false) : before;
    }

    /** Returns a copy of the elements of an earlier read, if the tensor's value has not changed since; else null. */
    private static @Nullable CompletableFuture<byte[]> readBefore(TensorState tensor) {
        CompletableFuture<byte[]> before = keptBefore(tensor);
        return before == null ? null : before.thenApply(byte[]::clone);
    }

    /** Like {@link #readBefore}, but with the array itself, which must not be changed. */
    private static @Nullable CompletableFuture<byte[]> keptBefore(TensorState tensor) {
        CompletableFuture<byte[]> before = States.recorder(tensor).current().readBefore(operand(tensor));
        Reference.reachabilityFence(tensor);
        return before;
    }

    /** Returns all elements if the program has read them before and they have not changed; else null. */
    public static byte @Nullable [] wholeBefore(TensorState tensor) {
        CompletableFuture<byte[]> before = readBefore(tensor);
        return before == null ? null : States.recorder(tensor).waits().await(before);
    }

    /** Returns the elements that {@link #keepShown} has kept, if the tensor has not changed since; else null. */
    public static byte @Nullable [] shownBefore(TensorState tensor) {
        byte[] shown = States.recorder(tensor).current().shownBefore(operand(tensor));
        Reference.reachabilityFence(tensor);
        return shown == null ? null : shown.clone();
    }

    /** Keeps the elements of a tensor that a print shows, for as long as its value lives. */
    public static void keepShown(TensorState tensor, byte[] shown) {
        States.recorder(tensor).current().keepShown(operand(tensor), shown);
        Reference.reachabilityFence(tensor);
    }

    private static CompletableFuture<byte[]> ask(TensorState tensor, boolean isPeek) {
        BytesSink sink = new BytesSink(HostShapes.requireHeld(tensor.dtype(), tensor.shape()));
        return ask(tensor, sink, isPeek).thenApply(whole -> sink.bytes());
    }

    private static CompletableFuture<Void> ask(TensorState tensor, ElementSink sink, boolean isPeek) {
        CompletableFuture<Void> asked = States.recorder(tensor).current().fetch(operand(tensor), sink, isPeek);
        Reference.reachabilityFence(tensor);
        return asked;
    }

    private static StoredOperand operand(TensorState tensor) {
        BatchLevel.requireValue("item", tensor);
        return new StoredOperand(States.cell(tensor), States.layout(tensor));
    }
}
