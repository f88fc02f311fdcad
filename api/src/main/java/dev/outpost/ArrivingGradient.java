package dev.outpost;

import java.util.ArrayList;
import java.util.List;

/**
 * The gradient of one tensor while it arrives. What comes is added up; but what views of parts that are apart bring is laid
 * into one storage, where the others' parts are 0: a projection that is cut into queries, keys and values has one
 * gradient that was written in three places, not the sum of three that are 0 in most.
 */
final class ArrivingGradient {
    private Tensor sum;
    /** What the sum is a view of, as long as it is made of parts alone; else null. */
    private Tensor storage;

    private final List<Footprint> parts = new ArrayList<>();

    /** Null where nothing has come. */
    Tensor sum() {
        return sum;
    }

    void add(Tensor gradient) {
        sum = sum == null ? gradient : sum.add(gradient);
        storage = null;
    }

    /** Adds what a view's gradient is of the tensor that it is a view of. */
    void add(ViewNode view, Tensor gradient) {
        Footprint footprint = view.isLaid() ? Footprint.of(view.distinct()) : null;
        if (footprint != null && sum == null) {
            lay(view, gradient, footprint, view.zeros(gradient));
        } else if (footprint != null && storage != null && isApart(footprint)) {
            lay(view, gradient, footprint, storage);
        } else {
            add(view.backward(new Tensor[] {gradient})[0]);
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

    private void lay(ViewNode view, Tensor gradient, Footprint footprint, Tensor into) {
        storage = view.laidInto(into, gradient);
        sum = view.seen(storage);
        parts.add(footprint);
    }
}
