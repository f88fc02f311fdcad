package dev.outpost.client.sharding;

import dev.outpost.sharding.Placement;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import java.util.List;
import java.util.Optional;

/**
 * A view of a value that is cut, and the layouts by which each worker sees its part.
 *
 * @param placement the placement of the view
 * @param layouts for each worker, the view's layout over the elements of its part
 */
record PartView(Placement placement, List<Layout> layouts) {

    /**
     * Returns the parts of a view; empty if the value is not cut, or if the view cannot be cut in the same way.
     *
     * @param base the shape of the value
     */
    static Optional<PartView> of(Shape base, Placement placement, Layout view) {
        return switch (placement) {
            case Placement.Replicate whole -> Optional.empty();
            case Placement.Partial due -> Optional.empty();
            case Placement.Shard(Split split) ->
                ViewSplit.of(base, split, view)
                        .map(found -> new PartView(new Placement.Shard(found.split()), found.layouts()));
            case Placement.OnMesh grid ->
                MeshView.of(base, grid, view).map(found -> new PartView(found.placement(), found.layouts()));
        };
    }

    /** Returns true if workers have different elements. */
    static boolean isCut(Placement placement) {
        return placement instanceof Placement.Shard || placement instanceof Placement.OnMesh;
    }
}
