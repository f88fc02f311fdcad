package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.Tensors.GridIndexing;
import dev.outpost.ops.PadMode;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Views, rearrangements, splits and concatenations. */
final class ShapeTable {
    private static final Map<String, GridIndexing> GRIDS = Map.of("ij", GridIndexing.IJ, "xy", GridIndexing.XY);

    private static final Map<String, PadMode> PADS =
            Map.of("reflect", PadMode.REFLECT, "replicate", PadMode.REPLICATE, "circular", PadMode.CIRCULAR);

    private ShapeTable() {}

    static void addTo(OpRegistry registry) {
        addShapes(registry);
        addDimensions(registry);
        addViews(registry);
        addPartWrites(registry);
        addPads(registry);
        addSplits(registry);
        addRearrangements(registry);
        addJoins(registry);
    }

    private static void addShapes(OpRegistry registry) {
        registry.one("view", call -> call.self().view(call.sizesFrom(1)));
        registry.one("reshape", call -> call.self().reshape(call.sizesFrom(1)));
        registry.one("expand", call -> call.self().expand(call.sizesFrom(1)));
        registry.one("broadcast_to", call -> call.self().broadcastTo(call.sizesFrom(1)));
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

    private static void addDimensions(OpRegistry registry) {
        registry.one(
                "movedim",
                call -> call.self()
                        .movedim(
                                call.at(1, "source").dims(),
                                call.at(2, "destination").dims()));
        registry.one(
                "squeeze",
                call -> call.at(1, "dim").isPresent()
                        ? call.self().squeeze(call.at(1, "dim").dims())
                        : call.self().squeeze());
        registry.alongDim("unsqueeze", Tensor::unsqueeze);
    }

    private static void addViews(OpRegistry registry) {
        registry.one("narrow", ShapeTable::narrow);
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

    private static Tensor narrow(OpCall call) {
        int dim = call.at(1, "dim").dim();
        BoundArgument start = call.at(2, "start");
        long length = call.at(3, "length").integer();
        return start.isTensor()
                ? call.self().narrow(dim, start.tensor(), length)
                : call.self().narrow(dim, start.integer(), length);
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
                    : call.self().pad(call.at(2, "mode").choice(PADS, null), counts);
        });
    }

    private static void addSplits(OpRegistry registry) {
        registry.many("unbind", call -> call.self().unbind(call.at(1, "dim").dim(0)));
        registry.many("split", call -> {
            BoundArgument sizes = call.at(1, "split_size_or_sections");
            int dim = call.at(2, "dim").dim(0);
            return sizes.isList()
                    ? call.self().split(sizes.sizes(), dim)
                    : call.self().split(sizes.integer(), dim);
        });
        registry.many(
                "split_with_sizes",
                call -> call.self()
                        .split(
                                call.at(1, "split_sizes").sizes(),
                                call.at(2, "dim").dim(0)));
        registry.many(
                "chunk",
                call -> call.self()
                        .chunk(call.at(1, "chunks").dim(), call.at(2, "dim").dim(0)));
        registry.many("tensor_split", ShapeTable::tensorSplit);
        registry.many("hsplit", call -> split(call, Tensor::hsplit, Tensor::hsplit));
        registry.many("vsplit", call -> split(call, Tensor::vsplit, Tensor::vsplit));
        registry.many("dsplit", call -> split(call, Tensor::dsplit, Tensor::dsplit));
    }

    private static List<Tensor> tensorSplit(OpCall call) {
        BoundArgument parts = call.at(1, "indices_or_sections");
        int dim = call.at(2, "dim").dim(0);
        if (parts.isTensor()) {
            return call.self().tensorSplit(parts.tensor(), dim);
        }
        return parts.isList()
                ? call.self().tensorSplit(parts.sizes(), dim)
                : call.self().tensorSplit(parts.dim(), dim);
    }

    private interface Sections {
        List<Tensor> apply(Tensor self, int sections);
    }

    private interface AtIndices {
        List<Tensor> apply(Tensor self, long[] indices);
    }

    private static List<Tensor> split(OpCall call, Sections sections, AtIndices atIndices) {
        BoundArgument parts = call.at(1, "indices_or_sections");
        return parts.isList() ? atIndices.apply(call.self(), parts.sizes()) : sections.apply(call.self(), parts.dim());
    }

    private static void addRearrangements(OpRegistry registry) {
        registry.one("rot90", ShapeTable::rot90);
        registry.one("roll", ShapeTable::roll);
        registry.one("repeat", call -> call.self().repeat(call.sizesFrom(1)));
        registry.one("tile", call -> call.self().tile(call.sizesFrom(1)));
        registry.one("repeat_interleave", ShapeTable::repeatInterleave);
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

    private static Tensor repeatInterleave(OpCall call) {
        BoundArgument repeats = call.at(1, "repeats");
        BoundArgument dim = call.at(2, "dim");
        return dim.isPresent()
                ? call.self().repeatInterleave(repeats.dim(), dim.dim())
                : call.self().repeatInterleave(repeats.dim());
    }

    private static void addJoins(OpRegistry registry) {
        registry.one(
                "cat",
                call -> Tensors.cat(
                        call.at(0, "tensors").tensors(), call.at(1, "dim").dim(0)));
        registry.one(
                "stack",
                call -> Tensors.stack(
                        call.at(0, "tensors").tensors(), call.at(1, "dim").dim(0)));
        join(registry, "hstack", Tensors::hstack);
        join(registry, "vstack", Tensors::vstack);
        join(registry, "dstack", Tensors::dstack);
        join(registry, "column_stack", Tensors::columnStack);
        join(registry, "block_diag", Tensors::blockDiag);
        join(registry, "cartesian_prod", Tensors::cartesianProd);
        registry.many("broadcast_shapes", ShapeTable::broadcastShapes);
        registry.many("broadcast_tensors", call -> Tensors.broadcastTensors(all(call)));
        registry.many(
                "meshgrid", call -> Tensors.meshgrid(call.named("indexing").choice(GRIDS, GridIndexing.IJ), all(call)));
    }

    /** Returns the common shape as one scalar tensor for each size, since results are tensors. */
    private static List<Tensor> broadcastShapes(OpCall call) {
        Shape[] shapes =
                call.all().stream().map(BoundArgument::sizes).map(Shape::of).toArray(Shape[]::new);
        return Arrays.stream(Tensors.broadcastShapes(shapes).toArray())
                .mapToObj(call.machine()::scalar)
                .toList();
    }

    private static void join(OpRegistry registry, String name, Function<Tensor[], Tensor> op) {
        registry.one(name, call -> op.apply(all(call)));
    }

    private static Tensor[] all(OpCall call) {
        return call.rest(0).stream().map(BoundArgument::tensor).toArray(Tensor[]::new);
    }
}
