package dev.outpost.internal.text;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.Cell;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.internal.ops.HostElements;
import dev.outpost.internal.transfer.Reading;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.protocol.op.Concat;
import dev.outpost.types.Layout;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Prints a remote tensor as PyTorch does. For a large tensor, it fetches only the shown elements. */
public final class TensorPrinter {
    private static final String SETTING = "outpost.tostring";
    /** The value of the setting that turns off reads, for debuggers. */
    private static final String TYPE_ONLY = "type";

    private static final long TIMEOUT_MILLIS = 2000;
    private static final String NOT_READ = " (not read)";
    private static final String CLOSED = " (closed)";

    private TensorPrinter() {}

    /**
     * Returns the text of a tensor. Never throws, and waits for at most two seconds. If no values can be printed, the text is type and
     * state, for example {@code float32[3, 4] (closed)}.
     */
    public static String print(TensorState tensor) {
        String type = States.heldType(tensor).dtype() + tensor.shape().toString();
        if (TYPE_ONLY.equals(System.getProperty(SETTING))) {
            return type;
        }
        String state;
        try {
            state = States.isClosed(tensor) ? CLOSED : stateWithoutValues(tensor);
        } catch (OpException ignored) {
            state = CLOSED;
        }
        return state == null ? printWithin(tensor, type) : type + state;
    }

    /** Returns the state of a tensor without readable values; null if the values can be read. */
    private static @Nullable String stateWithoutValues(TensorState tensor) {
        Cell storage = States.cell(tensor);
        if (storage.batch() != null) {
            return " (in a mapped function)";
        }
        boolean isTraced = storage.isOfProgram() || HostStates.ofThread().either(() -> false, () -> true);
        return isTraced ? " (in a program)" : null;
    }

    /** Reads on another thread, because a read may wait for room, for memory or for an answer before it is sent. */
    private static String printWithin(TensorState tensor, String type) {
        if (Thread.currentThread().isInterrupted()) {
            // Without this, a quick read would be printed although the thread was interrupted before.
            return type + NOT_READ;
        }
        FutureTask<String> reading = new FutureTask<>(() -> values(tensor));
        Thread reader = Thread.ofVirtual().name("outpost-print").start(reading);
        try {
            return reading.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException ignored) {
            reader.interrupt();
            return type + NOT_READ;
        } catch (InterruptedException interrupted) {
            reader.interrupt();
            Thread.currentThread().interrupt();
            return type + NOT_READ;
        } catch (ExecutionException failure) {
            return type + (States.isClosed(tensor) ? CLOSED : state(failure.getCause()));
        }
    }

    private static String state(Throwable failure) {
        String how = switch (failure) {
            case MachineLostException lost -> "lost";
            case RemoteException failed -> "failed";
            default -> "not read";
        };
        return " (" + how + ": " + failure.getMessage() + ")";
    }

    private static String values(TensorState tensor) {
        HostElements shown = TensorFormat.isCut(tensor.shape())
                ? shownOfLarge(tensor)
                : host(tensor, tensor.shape(), Reading.peek(tensor));
        return TensorFormat.format(tensor.shape(), shown, suffixes(tensor));
    }

    private static HostElements shownOfLarge(TensorState tensor) {
        byte[] whole = Reading.wholeBefore(tensor);
        if (whole != null) {
            return TensorFormat.edges(host(tensor, tensor.shape(), whole));
        }
        byte[] before = Reading.shownBefore(tensor);
        return before != null
                ? host(tensor, TensorFormat.shownShape(tensor.shape()), before)
                : GradMode.with(false, () -> readShown(tensor));
    }

    /** Reads a snapshot, so that the kept elements belong to one value even if another thread writes the tensor. */
    private static HostElements readShown(TensorState tensor) {
        try (TensorScope scope = TensorScope.openTidy()) {
            TensorState snapshot = States.snapshot(tensor);
            TensorState edges = edges(snapshot);
            byte[] shown = Reading.peek(edges);
            Reading.keepShown(snapshot, shown);
            return host(tensor, edges.shape(), shown);
        }
    }

    private static HostElements host(TensorState tensor, Shape shape, byte[] bytes) {
        return new HostElements(tensor.dtype(), shape, bytes);
    }

    private static TensorState edges(TensorState tensor) {
        TensorState shown = tensor;
        for (int dim = 0; dim < tensor.shape().rank(); dim++) {
            if (TensorFormat.isCut(tensor.shape(), dim)) {
                long[] indices = TensorFormat.shownIndices(tensor.shape(), dim);
                int head = indices.length / 2;
                Layout layout = States.layout(shown);
                TensorState first = States.view(shown, layout.slice(dim, 0, head, 1));
                TensorState last = States.view(shown, layout.slice(dim, indices[head], indices.length - head, 1));
                shown = OpRecording.apply(new Concat(dim), first, last);
            }
        }
        return shown;
    }

    private static List<String> suffixes(TensorState tensor) {
        List<String> suffixes = new ArrayList<>();
        Edge edge = States.gradientEdge(tensor);
        if (edge != null) {
            suffixes.add(
                    States.isRequiringLeaf(tensor)
                            ? "requires_grad=True"
                            : "grad_fn=<" + edge.node().label() + ">");
        }
        return suffixes;
    }
}
