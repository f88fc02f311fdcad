package dev.outpost.internal.graph;

import dev.outpost.internal.Footprint;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Binary;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the gradient of one tensor. Arriving gradients are added up. Gradients of disjoint views are instead written into one
 * storage of zeros. For example, a projection that is cut into queries, keys and values gets one gradient written in three places, not
 * the sum of three gradients that are mostly 0. The accumulator owns an arriving gradient and closes it after the addition.
 */
public final class GradientAccumulator {
    private TensorState sum;
    /** The tensor that the sum is a view of, as long as it consists only of disjoint parts; else null. */
    private TensorState storage;

    private final List<Footprint> parts = new ArrayList<>();

    /** Returns the sum. The caller owns it from now on. */
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

    /** Moves the sum out of the scope of a step, so that it survives the end of the step. */
    public void keepBeyond(TensorScope step) {
        step.keep(sum);
        step.keep(storage);
    }

    /** Adds the gradient that a view's gradient contributes to the viewed tensor. */
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
