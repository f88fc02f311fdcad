package dev.outpost.internal.text;

import dev.outpost.internal.ops.HostElements;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Lays tensors out as PyTorch does (torch/_tensor_str.py of 1.13) at its default print options. For a tensor with more than {@value
 * #THRESHOLD} elements, only the edges are shown, so a print of a remote tensor fetches only these.
 */
public final class TensorFormat {
    private static final int THRESHOLD = 1000;
    private static final int EDGE_ITEMS = 3;
    private static final int LINE_WIDTH = 80;
    private static final String PREFIX = "tensor(";

    private final Shape fullShape;
    private final Shape shape;
    private final ElementTexts elements;

    private TensorFormat(Shape fullShape, HostElements edges) {
        this.fullShape = fullShape;
        this.shape = edges.shape();
        this.elements = ElementTexts.of(edges);
    }

    /** True if a print of a tensor with this shape omits elements of the dimension. */
    public static boolean isCut(Shape fullShape, int dim) {
        return fullShape.elements() > THRESHOLD && fullShape.size(dim) > 2 * EDGE_ITEMS;
    }

    /** True if a print omits elements of any dimension. */
    static boolean isCut(Shape fullShape) {
        return IntStream.range(0, fullShape.rank()).anyMatch(dim -> isCut(fullShape, dim));
    }

    /** Returns the shape of the elements that a print shows. */
    static Shape shownShape(Shape fullShape) {
        return Shape.of(IntStream.range(0, fullShape.rank())
                .mapToLong(dim -> isCut(fullShape, dim) ? 2 * EDGE_ITEMS : fullShape.size(dim))
                .toArray());
    }

    /** Returns the elements that a print shows. */
    public static HostElements edges(HostElements whole) {
        HostElements edges = whole;
        for (int dim = 0; dim < whole.shape().rank(); dim++) {
            if (isCut(whole.shape(), dim)) {
                edges = edges.take(dim, shownIndices(whole.shape(), dim));
            }
        }
        return edges;
    }

    /** Returns the indices of a dimension that are shown. {@code edges} must contain exactly these. */
    public static long[] shownIndices(Shape fullShape, int dim) {
        long size = fullShape.size(dim);
        LongStream shown = isCut(fullShape, dim)
                ? LongStream.concat(LongStream.range(0, EDGE_ITEMS), LongStream.range(size - EDGE_ITEMS, size))
                : LongStream.range(0, size);
        return shown.toArray();
    }

    /**
     * Formats a tensor.
     *
     * @param fullShape the shape of the whole tensor
     * @param edges its elements at {@link #shownIndices} of every dimension; the tensor itself if none is cut
     * @param suffixes texts that follow the dtype, such as {@code requires_grad=True}
     */
    public static String format(Shape fullShape, HostElements edges, List<String> suffixes) {
        String values =
                fullShape.isEmpty() ? "[]" : new TensorFormat(fullShape, edges).dimension(0, 0, PREFIX.length());
        List<String> all = new ArrayList<>(ownSuffixes(fullShape, edges.dtype()));
        all.addAll(suffixes);
        return withSuffixes(PREFIX + values, all);
    }

    /** Formats a dimension and all inner ones. {@code row} is the row-major index over the outer dimensions. */
    private String dimension(int dim, int row, int indent) {
        if (dim == shape.rank()) {
            return elements.text(row);
        }
        if (dim == shape.rank() - 1) {
            return vector(row, indent);
        }
        int size = (int) shape.size(dim);
        List<String> slices = IntStream.range(row * size, (row + 1) * size)
                .mapToObj(inner -> dimension(dim + 1, inner, indent + 1))
                .collect(Collectors.toCollection(ArrayList::new));
        markCut(slices, dim, "...");
        String separator = "," + "\n".repeat(shape.rank() - dim - 1) + " ".repeat(indent + 1);
        return "[" + String.join(separator, slices) + "]";
    }

    private String vector(int row, int indent) {
        int dim = shape.rank() - 1;
        int size = (int) shape.size(dim);
        List<String> items = IntStream.range(row * size, (row + 1) * size)
                .mapToObj(elements::text)
                .collect(Collectors.toCollection(ArrayList::new));
        markCut(items, dim, " ...");
        String separator = ",\n" + " ".repeat(indent + 1);
        return "[" + String.join(separator, lines(items, indent)) + "]";
    }

    private List<String> lines(List<String> items, int indent) {
        int perLine = Math.max(1, (LINE_WIDTH - indent) / (elements.width() + ", ".length()));
        List<String> lines = new ArrayList<>();
        for (int start = 0; start < items.size(); start += perLine) {
            lines.add(String.join(", ", items.subList(start, Math.min(start + perLine, items.size()))));
        }
        return lines;
    }

    private void markCut(List<String> items, int dim, String mark) {
        if (isCut(fullShape, dim)) {
            items.add(EDGE_ITEMS, mark);
        }
    }

    private static List<String> ownSuffixes(Shape shape, DType dtype) {
        List<String> suffixes = new ArrayList<>();
        if (shape.isEmpty() && shape.rank() != 1) {
            suffixes.add("size="
                    + LongStream.of(shape.toArray())
                            .mapToObj(Long::toString)
                            .collect(Collectors.joining(", ", "(", ")")));
        }
        if (!isEvident(dtype, shape)) {
            suffixes.add("dtype=" + dtype);
        }
        return suffixes;
    }

    /** True if the printed elements show the dtype, so that it need not be named. */
    private static boolean isEvident(DType dtype, Shape shape) {
        return dtype == DType.FLOAT32 || !shape.isEmpty() && (dtype == DType.INT64 || dtype == DType.BOOL);
    }

    /**
     * Appends the suffixes. PyTorch counts two more characters than the last line has; this does the same, so that lines break at the
     * same positions.
     */
    private static String withSuffixes(String text, List<String> suffixes) {
        StringBuilder result = new StringBuilder(text);
        int lineLength = text.length() - text.lastIndexOf('\n') + 1;
        for (String suffix : suffixes) {
            boolean breaks = lineLength + suffix.length() + 2 > LINE_WIDTH;
            result.append(breaks ? ",\n" + " ".repeat(PREFIX.length()) : ", ").append(suffix);
            lineLength = suffix.length() + (breaks ? PREFIX.length() : lineLength + 2);
        }
        return result.append(')').toString();
    }
}
