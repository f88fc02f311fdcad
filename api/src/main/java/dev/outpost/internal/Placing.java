package dev.outpost.internal;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.sharding.PlacedView;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Layout;
import dev.outpost.types.TensorType;
import java.util.function.Supplier;

/** Places tensors on a group of machines in the same way as existing tensors. Does nothing on a single machine. */
public final class Placing {
    private Placing() {}

    /**
     * Returns a new tensor in the placement of another one of the same shape. It is recorded as a write of all
     * elements of the other tensor, because from the other tensor such a write uses only the placement.
     *
     * @param made the new tensor; no other handle of its storage may exist, and it is closed
     */
    @SuppressWarnings("unchecked")
    public static <T extends TensorState> T as(TensorState like, T made) {
        if (!States.home(like).isGroup() || isMapped(like) || isMapped(made)) {
            return made;
        }
        return GradMode.noGrad(() -> {
            TensorState cast = (TensorState) like.cast(made.dtype());
            T placed = (T) OpRecording.apply(new StridedWrite(Layout.contiguous(made.shape())), cast, made);
            if (cast != like) {
                cast.close();
            }
            made.close();
            return placed;
        });
    }

    /** Returns the placement of a tensor on the machines of its group. Ends the segment that computes it. */
    public static Sharding of(TensorState tensor) {
        Cell storage = States.cell(tensor);
        Sharding stored = States.recorder(tensor).current().sharding(storage);
        return PlacedView.of(stored, storage.type().shape(), States.layout(tensor));
    }

    private static boolean isMapped(TensorState tensor) {
        return States.cell(tensor).batch() != null;
    }

    /** Runs the body. Uploads of this thread in the body get the placement of the given tensor if they have its shape. */
    public static <T> T uploads(TensorState like, Supplier<T> body) {
        if (!(States.recorder(like).current() instanceof GroupRecorder group)) {
            return body.get();
        }
        Sharding wanted = of(like).summed();
        return group.placing(type -> placement(type, like, wanted, group.size()), body);
    }

    private static Sharding placement(TensorType type, TensorState like, Sharding wanted, int size) {
        return type.shape().equals(like.shape()) ? wanted : Sharding.replicated(size);
    }
}
