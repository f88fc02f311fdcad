package dev.outpost.client.sharding;

import dev.outpost.sharding.Placement;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A view of a value that is cut along axes of a mesh. The {@linkplain ViewSplit view of the part} along one axis is the base of the view
 * along the next axis.
 *
 * @param placement the placement of the view
 * @param layouts for each place of the mesh, the view's layout over the elements of the place's part
 */
record MeshView(Placement.OnMesh placement, List<Layout> layouts) {

    /** @param base the shape of the value */
    static Optional<MeshView> of(Shape base, Placement.OnMesh cut, Layout view) {
        int places = cut.mesh().size();
        List<Layout> layouts = new ArrayList<>(Collections.nCopies(places, view));
        List<Shape> shapes = new ArrayList<>(Collections.nCopies(places, base));
        List<Placement> axes = new ArrayList<>();
        for (int axis = 0; axis < cut.axes().size(); axis++) {
            Placement placement = cut.axes().get(axis);
            if (placement instanceof Placement.Shard(Split split)) {
                Split ofView = null;
                for (int place = 0; place < places; place++) {
                    Optional<ViewSplit> found = ViewSplit.of(shapes.get(place), split, layouts.get(place));
                    if (found.isEmpty()
                            || ofView != null && !ofView.equals(found.get().split())) {
                        return Optional.empty();
                    }
                    ofView = found.get().split();
                    int coordinate = cut.mesh().coordinate(place, axis);
                    layouts.set(place, found.get().layouts().get(coordinate));
                    shapes.set(place, resized(shapes.get(place), split, coordinate));
                }
                placement = new Placement.Shard(ofView);
                if (isCutAlready(axes, ofView.dim())) {
                    return Optional.empty();
                }
            }
            axes.add(placement);
        }
        return Optional.of(new MeshView(new Placement.OnMesh(cut.mesh(), axes), layouts));
    }

    private static boolean isCutAlready(List<Placement> axes, int dim) {
        return axes.stream().anyMatch(axis -> axis instanceof Placement.Shard(Split split) && split.dim() == dim);
    }

    private static Shape resized(Shape shape, Split split, int member) {
        long[] sizes = shape.toArray();
        sizes[split.dim()] = split.size(member);
        return Shape.of(sizes);
    }
}
