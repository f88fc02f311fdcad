package dev.outpost.internal.text;

import dev.outpost.types.Shape;
import dev.outpost.internal.States;
import dev.outpost.HostTensor;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.Cell;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.internal.transfer.Reading;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A remote tensor as PyTorch prints it; of a large one, only the elements that are shown travel. */
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
    public static String print(Tensor tensor) {
        String type = States.heldType(tensor).dtype() + tensor.shape().toString();
        if (TYPE_ONLY.equals(System.getProperty(SETTING))) {
            return type;
        }
        String state;
        try {
            state = tensor.isClosed() ? CLOSED : stateWithoutValues(tensor);
        } catch (OpException ignored) {
            state = CLOSED;
        }
        return state == null ? printWithin(tensor, type) : type + state;
    }

    /** Returns the state of a tensor without readable values; null if the values can be read. */
    private static @Nullable String stateWithoutValues(Tensor tensor) {
        Cell storage = States.cell(tensor);
        if (storage.batch() != null) {
            return " (in a mapped function)";
        }
        boolean isTraced = storage.isOfProgram() || HostStates.ofThread().either(() -> false, () -> true);
        return isTraced ? " (in a program)" : null;
    }

    /** Another thread reads, because a read may wait for room, for memory or for an answer before it is sent. */
    private static String printWithin(Tensor tensor, String type) {
        if (Thread.currentThread().isInterrupted()) {
            // A read that is quick enough would be printed although the thread was interrupted before.
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
            return type + (tensor.isClosed() ? CLOSED : state(failure.getCause()));
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

    private static String values(Tensor tensor) {
        HostTensor shown = TensorFormat.isCut(tensor.shape()) ? shownOfLarge(tensor) : host(tensor, tensor.shape(), Reading.peek(tensor));
        return TensorFormat.format(tensor.shape(), shown, suffixes(tensor));
    }

    private static HostTensor shownOfLarge(Tensor tensor) {
        byte[] whole = Reading.wholeBefore(tensor);
        if (whole != null) {
            return TensorFormat.edges(host(tensor, tensor.shape(), whole));
        }
        byte[] before = Reading.shownBefore(tensor);
        return before != null
                ? host(tensor, TensorFormat.shownShape(tensor.shape()), before)
                : GradMode.with(false, () -> Scope.tidy(() -> readShown(tensor), values -> List.of()));
    }

    /** Reads a snapshot, so that the kept elements belong to one value even if another thread writes the tensor. */
    private static HostTensor readShown(Tensor tensor) {
        Tensor snapshot = States.snapshot(tensor);
        Tensor edges = edges(snapshot);
        byte[] shown = Reading.peek(edges);
        Reading.keepShown(snapshot, shown);
        return host(tensor, edges.shape(), shown);
    }

    private static HostTensor host(Tensor tensor, Shape shape, byte[] bytes) {
        return HostTensor.ofBytes(tensor.dtype(), shape, bytes);
    }

    private static Tensor edges(Tensor tensor) {
        Tensor shown = tensor;
        for (int dim = 0; dim < tensor.dim(); dim++) {
            if (TensorFormat.isCut(tensor.shape(), dim)) {
                long[] indices = TensorFormat.shownIndices(tensor.shape(), dim);
                int head = indices.length / 2;
                Tensor first = shown.narrow(dim, 0, head);
                Tensor last = shown.narrow(dim, indices[head], indices.length - head);
                shown = Tensors.cat(List.of(first, last), dim);
            }
        }
        return shown;
    }

    private static List<String> suffixes(Tensor tensor) {
        List<String> suffixes = new ArrayList<>();
        Edge edge = States.gradientEdge(tensor);
        if (edge != null) {
            suffixes.add(
                    tensor.isLeaf()
                            ? "requires_grad=True"
                            : "grad_fn=<" + edge.node().label() + ">");
        }
        return suffixes;
    }
}
