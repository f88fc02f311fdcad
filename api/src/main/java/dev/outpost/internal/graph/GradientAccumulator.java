package dev.outpost.internal.graph;

import dev.outpost.internal.Footprint;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Binary;
import java.util.ArrayList;
import java.util.List;

/**
 * The gradient of one tensor while it arrives. What comes is added up; but what views of parts that are apart bring is laid
 * into one storage, where the others' parts are 0: a projection that is cut into queries, keys and values has one
 * gradient that was written in three places, not the sum of three that are 0 in most. What comes is this one's, and closed
 * when it has been added.
 */
public final class GradientAccumulator {
    private TensorState sum;
    /** The tensor that the sum is a view of, as long as it is made of parts alone; else null. */
    private TensorState storage;

    private final List<Footprint> parts = new ArrayList<>();

    /** All that has come; it is the caller's from here on. */
    public TensorState take() {
        closeStorage();
        return sum;
    }

    public void add(TensorState gradient) {
        if (sum == null) {
            sum = gradient;
            return;
        }
        try (TensorState before = sum;
                TensorState more = gradient) {
            sum = OpRecording.binary(Binary.ADD, before, more);
        }
        closeStorage();
    }

    /** A step of the walk ends, what has arrived so far stays. */
    public void keepBeyond(TensorScope step) {
        step.keep(sum);
        step.keep(storage);
    }

    /** Adds what a view's gradient is of the tensor that it is a view of. */
    public void add(ViewNode view, TensorState gradient) {
        Footprint footprint = ViewGradients.isLaid(view) ? Footprint.of(ViewGradients.distinct(view)) : null;
        if (footprint != null && sum == null) {
            lay(view, gradient, footprint, ViewGradients.zeros(view, gradient));
        } else if (footprint != null && storage != null && isApart(footprint)) {
            lay(view, gradient, footprint, storage);
        } else {
            add(ViewGradients.backward(view, gradient));
        }
    }

    private boolean isApart(Footprint footprint) {
        for (Footprint part : parts) {
            if (!footprint.isApartFrom(part)) {
                return false;
            }
        }
        return true;
    }

    private void lay(ViewNode view, TensorState gradient, Footprint footprint, TensorState into) {
        TensorState laid = ViewGradients.laidInto(view, into, gradient);
        if (sum != null) {
            sum.close();
        }
        into.close();
        storage = laid;
        sum = ViewGradients.seen(view, laid);
        parts.add(footprint);
    }

    private void closeStorage() {
        if (storage != null) {
            storage.close();
            storage = null;
        }
    }
}
