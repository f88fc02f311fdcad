package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.Tensors.GridIndexing;
import dev.outpost.ops.PadMode;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Views, rearrangements, splits and concatenations. */
final class ShapeTable {
    private ShapeTable() {}

    static void addTo(OpRegistry registry) {
        addShapes(registry);
        addViews(registry);
        addPartWrites(registry);
        addPads(registry);
        addSplits(registry);
        addRearrangements(registry);
        addJoins(registry);
    }

    private static void addShapes(OpRegistry registry) {
        atLeast(registry, "atleast_1d", Tensors::atleast1d);
        atLeast(registry, "atleast_2d", Tensors::atleast2d);
        atLeast(registry, "atleast_3d", Tensors::atleast3d);
    }

    /** Adds a row that applies an op to each of its tensors, given one by one or as a list. */
    private static void atLeast(OpRegistry registry, String name, UnaryOperator<Tensor> op) {
        registry.many(
                name,
                call -> call.rest(0).stream().map(BoundArgument::tensor).map(op).toList());
    }

    private static void addViews(OpRegistry registry) {
        registry.one(
                "slice",
                call -> call.self()
                        .slice(
                                call.at(1, "dim").dim(0),
                                call.at(2, "start").integer(0),
                                call.at(3, "end").integer(Long.MAX_VALUE),
                                call.at(4, "step").integer(1)));
        registry.one(
                "as_strided",
                call -> call.self()
                        .asStrided(
                                call.at(1, "size").sizes(),
                                call.at(2, "stride").sizes(),
                                call.at(3, "storage_offset").integer(0)));
    }

    private static void addPartWrites(OpRegistry registry) {
        registry.one(
                "slice_scatter",
                call -> call.self()
                        .sliceScatter(
                                call.at(1, "src").tensor(),
                                call.at(2, "dim").dim(0),
                                call.at(3, "start").integer(0),
                                call.at(4, "end").integer(Long.MAX_VALUE),
                                call.at(5, "step").integer(1)));
        registry.one(
                "as_strided_scatter",
                call -> call.self()
                        .asStridedScatter(
                                call.at(1, "src").tensor(),
                                call.at(2, "size").sizes(),
                                call.at(3, "stride").sizes(),
                                call.at(4, "storage_offset").integer(0)));
    }

    private static void addPads(OpRegistry registry) {
        registry.one(
                "constant_pad_nd",
                call -> call.self()
                        .pad(call.at(2, "value").number(0), call.at(1, "pad").sizes()));
        registry.one("nn.functional.pad", call -> {
            String mode = call.at(2, "mode").text("constant");
            Number value = call.at(3, "value").number(0);
            long[] counts = call.at(1, "pad").sizes();
            return mode.equals("constant")
                    ? call.self().pad(value, counts)
                    : call.self().pad(call.at(2, "mode").choice(PadMode.class, null), counts);
        });
    }

    private static void addSplits(OpRegistry registry) {
        registry.many("split", call -> {
            BoundArgument sizes = call.at(1, "split_size_or_sections");
            int dim = call.at(2, "dim").dim(0);
            return sizes.isList()
                    ? call.self().split(sizes.sizes(), dim)
                    : call.self().split(sizes.integer(), dim);
        });
    }

    private static void addRearrangements(OpRegistry registry) {
        registry.one(
                "resize_as_",
                call -> call.self()
                        .resize_(call.at(1, "the_template").tensor().shape().toArray()));
        registry.one("rot90", ShapeTable::rot90);
        registry.one("roll", ShapeTable::roll);
        registry.typed("repeat_interleave", "input repeats dim", "input repeats");
    }

    private static Tensor rot90(OpCall call) {
        int turns = call.at(1, "k").dim(1);
        BoundArgument dims = call.at(2, "dims");
        int[] plane = dims.isPresent() ? dims.dimPair() : new int[] {0, 1};
        return call.self().rot90(turns, plane[0], plane[1]);
    }

    private static Tensor roll(OpCall call) {
        BoundArgument shifts = call.at(1, "shifts");
        BoundArgument dims = call.at(2, "dims");
        return dims.isPresent() || shifts.isList()
                ? call.self().roll(shifts.sizes(), dims.dims())
                : call.self().roll(shifts.integer());
    }

    private static void addJoins(OpRegistry registry) {
        registry.many("broadcast_shapes", ShapeTable::broadcastShapes);
        registry.many(
                "meshgrid",
                call -> Tensors.meshgrid(
                        call.named("indexing").choice(GridIndexing.class, GridIndexing.IJ), all(call)));
    }

    /** Returns the common shape as one scalar tensor for each size, since results are tensors. */
    private static List<Tensor> broadcastShapes(OpCall call) {
        Shape[] shapes =
                call.all().stream().map(BoundArgument::sizes).map(Shape::of).toArray(Shape[]::new);
        return Arrays.stream(Tensors.broadcastShapes(shapes).toArray())
                .mapToObj(call.machine()::scalar)
                .toList();
    }

    private static Tensor[] all(OpCall call) {
        return call.rest(0).stream().map(BoundArgument::tensor).toArray(Tensor[]::new);
    }
}
