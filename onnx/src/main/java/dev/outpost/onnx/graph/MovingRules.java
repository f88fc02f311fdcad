package dev.outpost.onnx.graph;

import dev.outpost.onnx.graph.NodeView.Unknown;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Infers outputs of operators that create, move, join or select elements. */
final class MovingRules {
    private MovingRules() {}

    static void addTo(Map<String, ShapeRule> rules) {
        rules.put("Constant", node -> List.of(constant(node)));
        rules.put("ConstantOfShape", node -> List.of(constantOfShape(node)));
        rules.put("Shape", node -> List.of(shapeOf(node)));
        rules.put(
                "Size",
                node -> List.of(Inferred.of(
                        DType.INT64, Shape.SCALAR, new long[] {node.shape(0).elements()})));
        rules.put("Reshape", node -> List.of(reshape(node)));
        rules.put("Flatten", node -> List.of(flatten(node)));
        rules.put("Transpose", node -> List.of(transpose(node)));
        rules.put("Squeeze", node -> List.of(squeeze(node)));
        rules.put("Unsqueeze", node -> List.of(unsqueeze(node)));
        rules.put("Concat", node -> List.of(concat(node)));
        rules.put("Split", MovingRules::split);
        rules.put("Slice", node -> List.of(slice(node)));
        rules.put("Gather", node -> List.of(gather(node)));
        rules.put("GatherElements", node -> List.of(Inferred.of(node.dtype(0), node.shape(1))));
        rules.put("GatherND", node -> List.of(gatherNd(node)));
        rules.put(
                "Expand",
                node -> List.of(
                        Inferred.of(node.dtype(0), Shape.broadcast(node.op(), node.shape(0), shape(node.content(1))))));
        rules.put("Tile", node -> List.of(tile(node)));
        rules.put("Pad", node -> List.of(pad(node)));
        rules.put("Range", node -> List.of(range(node)));
        rules.put("OneHot", node -> List.of(oneHot(node)));
        rules.put("DepthToSpace", node -> List.of(blocks(node, true)));
        rules.put("SpaceToDepth", node -> List.of(blocks(node, false)));
        rules.put("Resize", node -> List.of(resize(node, 2, 3)));
        rules.put("Upsample", node -> List.of(resize(node, 1, -1)));
        rules.put(
                "EyeLike",
                node -> List.of(Inferred.of(node.dtypeAttribute("dtype").orElse(DType.FLOAT32), node.shape(0))));
    }

    static Shape shape(long... sizes) {
        for (long size : sizes) {
            if (size < 0) {
                throw new Unknown();
            }
        }
        return Shape.of(sizes);
    }

    private static Inferred constant(NodeView node) {
        if (node.tensor("value").isPresent()) {
            return node.constant(node.tensor("value").get());
        }
        if (node.has("value_int")) {
            return Inferred.of(DType.INT64, Shape.SCALAR, new long[] {node.integer("value_int", 0)});
        }
        if (node.has("value_ints")) {
            return Inferred.list(node.ints("value_ints").orElseThrow(Unknown::new));
        }
        if (node.has("value_float")) {
            return Inferred.of(DType.FLOAT32, Shape.SCALAR);
        }
        return node.floats("value_floats")
                .map(values -> Inferred.of(DType.FLOAT32, Shape.of(values.length)))
                .orElse(Inferred.UNKNOWN);
    }

    private static Inferred constantOfShape(NodeView node) {
        Shape shape = shape(node.content(0));
        Inferred value = node.tensor("value").map(node::constant).orElse(Inferred.of(DType.FLOAT32, Shape.SCALAR));
        if (value.type() == null) {
            return Inferred.UNKNOWN;
        }
        long[] content = value.content();
        if (content == null || shape.rank() > 1 || shape.elements() > Inferred.MAX_CONTENT) {
            return Inferred.of(value.type().dtype(), shape);
        }
        long[] filled = new long[(int) shape.elements()];
        Arrays.fill(filled, content[0]);
        return Inferred.of(value.type().dtype(), shape, filled);
    }

    private static Inferred shapeOf(NodeView node) {
        long[] sizes = node.shape(0).toArray();
        int start = clamp(node.integer("start", 0), sizes.length);
        int end = clamp(node.integer("end", sizes.length), sizes.length);
        return Inferred.list(Arrays.copyOfRange(sizes, start, Math.max(start, end)));
    }

    private static int clamp(long index, int size) {
        return Math.clamp(index < 0 ? index + size : index, 0, size);
    }

    private static Inferred reshape(NodeView node) {
        long[] wanted = node.list("shape", 1).orElseThrow(Unknown::new).clone();
        Shape from = node.shape(0);
        boolean keepsZero = node.integer("allowzero", 0) == 0;
        int free = -1;
        long known = 1;
        for (int dim = 0; dim < wanted.length; dim++) {
            if (wanted[dim] == 0 && keepsZero) {
                if (dim >= from.rank()) {
                    throw new Unknown();
                }
                wanted[dim] = from.size(dim);
            }
            if (wanted[dim] == -1) {
                free = dim;
            } else {
                known *= wanted[dim];
            }
        }
        if (free >= 0) {
            wanted[free] = known == 0 ? 0 : from.elements() / known;
        }
        Shape to = shape(wanted);
        if (to.elements() != from.elements()) {
            throw new Unknown();
        }
        return sameContent(node, to);
    }

    /** Returns the input's content with another shape; the elements keep their order. */
    private static Inferred sameContent(NodeView node, Shape shape) {
        return Inferred.of(node.dtype(0), shape, node.input(0).content());
    }

    private static Inferred flatten(NodeView node) {
        Shape from = node.shape(0);
        int axis = (int) node.integer("axis", 1);
        int at = axis < 0 ? axis + from.rank() : axis;
        long rows = 1;
        for (int dim = 0; dim < at; dim++) {
            rows *= from.size(dim);
        }
        return Inferred.of(node.dtype(0), shape(rows, rows == 0 ? 0 : from.elements() / rows));
    }

    private static Inferred transpose(NodeView node) {
        Shape from = node.shape(0);
        long[] order = node.ints("perm")
                .orElseGet(() -> LongStream.range(0, from.rank())
                        .map(dim -> from.rank() - 1 - dim)
                        .toArray());
        Shape to = shape(Arrays.stream(order)
                .map(dim -> from.size(NodeView.axis(dim, from.rank())))
                .toArray());
        long[] content = node.input(0).content();
        boolean isMatrix = content != null && from.rank() == 2 && order[0] == 1;
        return Inferred.of(node.dtype(0), to, isMatrix ? transposed(content, from) : null);
    }

    private static long[] transposed(long[] content, Shape from) {
        int rows = (int) from.size(0);
        int columns = (int) from.size(1);
        long[] turned = new long[content.length];
        for (int index = 0; index < turned.length; index++) {
            turned[index % columns * rows + index / columns] = content[index];
        }
        return turned;
    }

    private static Inferred squeeze(NodeView node) {
        Shape from = node.shape(0);
        List<Integer> axes = new ArrayList<>();
        if (node.hasInput(1) || node.has("axes")) {
            for (long axis : node.list("axes", 1).orElseThrow(Unknown::new)) {
                axes.add(NodeView.axis(axis, from.rank()));
            }
        } else {
            for (int dim = 0; dim < from.rank(); dim++) {
                if (from.size(dim) == 1) {
                    axes.add(dim);
                }
            }
        }
        long[] sizes = LongStream.range(0, from.rank())
                .filter(dim -> !axes.contains((int) dim))
                .map(dim -> from.size((int) dim))
                .toArray();
        return sameContent(node, shape(sizes));
    }

    private static Inferred unsqueeze(NodeView node) {
        Shape from = node.shape(0);
        long[] axes = node.list("axes", 1).orElseThrow(Unknown::new);
        int rank = from.rank() + axes.length;
        boolean[] isNew = new boolean[rank];
        for (long axis : axes) {
            isNew[NodeView.axis(axis, rank)] = true;
        }
        long[] sizes = new long[rank];
        int next = 0;
        for (int dim = 0; dim < rank; dim++) {
            sizes[dim] = isNew[dim] ? 1 : from.size(next++);
        }
        return sameContent(node, shape(sizes));
    }

    private static Inferred concat(NodeView node) {
        Shape first = node.shape(0);
        int axis = NodeView.axis(node.integer("axis", 0), first.rank());
        long[] sizes = first.toArray();
        List<long[]> contents = new ArrayList<>();
        sizes[axis] = 0;
        for (int place = 0; place < node.inputs(); place++) {
            sizes[axis] += node.shape(place).size(axis);
            contents.add(node.input(place).content());
        }
        boolean isKnown = first.rank() == 1
                && sizes[0] <= Inferred.MAX_CONTENT
                && contents.stream().noneMatch(each -> each == null);
        long[] content =
                isKnown ? contents.stream().flatMapToLong(Arrays::stream).toArray() : null;
        return Inferred.of(node.dtype(0), shape(sizes), content);
    }

    private static List<Inferred> split(NodeView node) {
        Shape from = node.shape(0);
        int axis = NodeView.axis(node.integer("axis", 0), from.rank());
        long[] parts = node.list("split", 1).orElseGet(() -> even(from.size(axis), node.outputs()));
        List<Inferred> outputs = new ArrayList<>();
        for (long part : parts) {
            long[] sizes = from.toArray();
            sizes[axis] = part;
            outputs.add(Inferred.of(node.dtype(0), shape(sizes)));
        }
        return outputs;
    }

    /** Divides a size into equal parts, of which the last may be smaller. */
    private static long[] even(long size, int parts) {
        long each = (size + parts - 1) / parts;
        long[] sizes = new long[parts];
        for (int part = 0; part < parts; part++) {
            sizes[part] = Math.min(each, size - each * part);
        }
        return sizes;
    }

    private static Inferred slice(NodeView node) {
        Shape from = node.shape(0);
        long[] starts = node.list("starts", 1).orElseThrow(Unknown::new);
        long[] ends = node.list("ends", 2).orElseThrow(Unknown::new);
        long[] axes = node.list("axes", 3)
                .orElseGet(() -> LongStream.range(0, starts.length).toArray());
        long[] steps = node.hasInput(4) ? node.content(4) : ones(starts.length);
        long[] sizes = from.toArray();
        // Along the first dimension, the selection consists of rows.
        boolean isRows = starts.length == 1 && NodeView.axis(axes[0], from.rank()) == 0;
        long[] content = isRows ? node.input(0).content() : null;
        int row = isRows && from.size(0) > 0 ? (int) (from.elements() / from.size(0)) : 1;
        for (int each = 0; each < starts.length; each++) {
            int axis = NodeView.axis(axes[each], from.rank());
            long size = from.size(axis);
            long step = steps[each];
            long low = step > 0 ? 0 : -1;
            long high = step > 0 ? size : size - 1;
            long start = Math.clamp(starts[each] < 0 ? starts[each] + size : starts[each], 0, high);
            long end =
                    ends[each] < -size ? low : Math.clamp(ends[each] < 0 ? ends[each] + size : ends[each], low, high);
            sizes[axis] = Math.max(0, step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step);
            content = content == null ? null : sliced(content, row, start, step, sizes[axis]);
        }
        return Inferred.of(node.dtype(0), shape(sizes), content);
    }

    private static long[] sliced(long[] content, int row, long start, long step, long count) {
        long[] part = new long[(int) count * row];
        for (int index = 0; index < count; index++) {
            System.arraycopy(content, (int) (start + index * step) * row, part, index * row, row);
        }
        return part;
    }

    private static long[] ones(int count) {
        long[] ones = new long[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static Inferred gather(NodeView node) {
        Shape from = node.shape(0);
        Shape index = node.shape(1);
        int axis = NodeView.axis(node.integer("axis", 0), from.rank());
        LongStream sizes = LongStream.concat(
                LongStream.concat(Arrays.stream(from.toArray()).limit(axis), Arrays.stream(index.toArray())),
                Arrays.stream(from.toArray()).skip(axis + 1L));
        long[] content = node.input(0).content();
        long[] chosen = node.input(1).content();
        long[] known = null;
        if (content != null && chosen != null && from.rank() == 1 && index.rank() <= 1) {
            known = Arrays.stream(chosen)
                    .map(place -> content[(int) (place < 0 ? place + content.length : place)])
                    .toArray();
        }
        return Inferred.of(node.dtype(0), shape(sizes.toArray()), known);
    }

    private static Inferred gatherNd(NodeView node) {
        Shape from = node.shape(0);
        long[] index = node.shape(1).toArray();
        int batch = (int) node.integer("batch_dims", 0);
        int last = (int) index[index.length - 1];
        LongStream sizes = LongStream.concat(
                Arrays.stream(index).limit(index.length - 1L),
                Arrays.stream(from.toArray()).skip(batch + last));
        return Inferred.of(node.dtype(0), shape(sizes.toArray()));
    }

    private static Inferred tile(NodeView node) {
        long[] sizes = node.shape(0).toArray();
        long[] repeats = node.content(1);
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] *= repeats[dim];
        }
        return Inferred.of(node.dtype(0), shape(sizes));
    }

    private static Inferred pad(NodeView node) {
        long[] sizes = node.shape(0).toArray();
        long[] pads = node.list("pads", 1).orElseThrow(Unknown::new);
        long[] axes = node.hasInput(3)
                ? node.content(3)
                : LongStream.range(0, sizes.length).toArray();
        for (int each = 0; each < axes.length; each++) {
            sizes[NodeView.axis(axes[each], sizes.length)] += pads[each] + pads[each + axes.length];
        }
        return Inferred.of(node.dtype(0), shape(sizes));
    }

    private static Inferred range(NodeView node) {
        long start = node.content(0)[0];
        long step = node.content(2)[0];
        long count = Math.max(0, Math.ceilDiv(node.content(1)[0] - start, step));
        long[] content = count > Inferred.MAX_CONTENT
                ? null
                : LongStream.range(0, count).map(index -> start + index * step).toArray();
        return Inferred.of(node.dtype(0), shape(count), content);
    }

    private static Inferred oneHot(NodeView node) {
        Shape index = node.shape(0);
        int axis = NodeView.axis(node.integer("axis", -1), index.rank() + 1);
        List<Long> sizes =
                new ArrayList<>(Arrays.stream(index.toArray()).boxed().toList());
        sizes.add(axis, node.content(1)[0]);
        return Inferred.of(
                node.dtype(2), shape(sizes.stream().mapToLong(Long::longValue).toArray()));
    }

    private static Inferred blocks(NodeView node, boolean isToSpace) {
        Shape from = node.shape(0);
        long block = node.integer("blocksize", 1);
        long square = block * block;
        return Inferred.of(
                node.dtype(0),
                isToSpace
                        ? shape(from.size(0), from.size(1) / square, from.size(2) * block, from.size(3) * block)
                        : shape(from.size(0), from.size(1) * square, from.size(2) / block, from.size(3) / block));
    }

    /** Infers the result from sizes only, because versions of the format round scales differently. */
    private static Inferred resize(NodeView node, int scales, int sizes) {
        if (sizes >= 0
                && node.hasInput(sizes)
                && !node.has("axes")
                && node.text("keep_aspect_ratio_policy", "stretch").equals("stretch")) {
            return Inferred.of(node.dtype(0), shape(node.content(sizes)));
        }
        throw new Unknown();
    }
}
