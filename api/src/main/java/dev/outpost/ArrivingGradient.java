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
        ViewNode.Part part = view.part(gradient);
        if (!view.isLaid(part)) {
            add(view.seen(view.inStorage(part)));
            return;
        }
        Footprint footprint = Footprint.of(part.layout());
        if (sum == null) {
            lay(view, part, footprint, view.zeros(part));
        } else if (storage != null && isApart(footprint)) {
            lay(view, part, footprint, storage);
        } else {
            add(view.seen(view.inStorage(part)));
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

    private void lay(ViewNode view, ViewNode.Part part, Footprint footprint, Tensor into) {
        storage = part.laidInto(into);
        sum = view.seen(storage);
        parts.add(footprint);
    }
}
