package dev.outpost.client.sharding;

import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/** Computes the placement of a view from the placement of its storage. */
public final class PlacedView {
    private PlacedView() {}

    /** @param base the shape of the storage's value */
    public static Sharding of(Sharding stored, Shape base, Layout view) {
        if (!PartView.isCut(stored.placement())) {
            return stored;
        }
        return stored.with(PartView.of(base, stored.placement(), view)
                .map(PartView::placement)
                .orElse(Placement.REPLICATE));
    }
}
