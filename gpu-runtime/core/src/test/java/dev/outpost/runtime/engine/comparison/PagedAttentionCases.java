package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.function.Consumer;

/** Attention over pages: windows, caps, grouped heads, sequences of unequal length, and pages that are not there. */
public final class PagedAttentionCases {
    private static final double LARGEST = 4;

    /** @param shared heads of a group */
    private record Sizes(
            long batch, long groups, long shared, long tokens, long features, long values, long pageSize, long pages) {
        /** The tokens for which a sequence has room. */
        long room() {
            return pageSize * pages;
        }

        /** The number of pages; one of them belongs to no sequence. */
        long pool() {
            return batch * pages + 1;
        }

        /** Whether an engine may multiply weights that are rounded to 16 bits. */
        boolean isForTensorCores() {
            return features == values && (features == 64 || features == 128);
        }

        double scale() {
            return 1 / (LARGEST * features);
        }
    }

    private PagedAttentionCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16)) {
            all(consumer, dtype, new Sizes(2, 2, 3, 3, 8, 4, 4, 5));
            all(consumer, dtype, new Sizes(3, 1, 1, 1, 5, 7, 3, 4));
        }
        all(consumer, DType.FLOAT32, new Sizes(1, 2, 2, 2, 128, 128, 16, 20));
        all(consumer, DType.BFLOAT16, new Sizes(2, 1, 4, 1, 64, 300, 16, 17));
        all(consumer, DType.BFLOAT16, new Sizes(2, 1, 3, 23, 64, 64, 16, 9));
        all(consumer, DType.FLOAT16, new Sizes(1, 2, 1, 16, 128, 128, 5, 14));
        all(consumer, DType.BFLOAT16, new Sizes(1, 1, 2, 19, 128, 128, 8, 10));
        // Single queries with more tokens than a part.
        all(consumer, DType.BFLOAT16, new Sizes(3, 2, 4, 1, 128, 128, 16, 11));
        all(consumer, DType.FLOAT16, new Sizes(2, 1, 5, 2, 64, 64, 7, 21));
        all(consumer, DType.FLOAT32, new Sizes(0, 1, 1, 2, 3, 3, 2, 2));
        refused(consumer);
    }

    private static void all(Consumer<Case> consumer, DType dtype, Sizes sizes) {
        for (int window : new int[] {0, 1, 6}) {
            consumer.accept(run(dtype, sizes, new PagedAttention(window, false, sizes.scale(), 1)));
        }
        consumer.accept(run(dtype, sizes, new PagedAttention(3, true, sizes.scale(), 0.5)));
    }

    private static Case run(DType dtype, Sizes sizes, PagedAttention op) {
        double rounded = sizes.isForTensorCores() ? AttentionCases.ofRoundedWeights(dtype) : 0;
        double length = 2 * (LARGEST * sizes.features + 20 + sizes.room()) + rounded;
        return Case.accumulating((long) length, LARGEST, op, operands(dtype, sizes));
    }

    private static TestOperand[] operands(DType dtype, Sizes sizes) {
        return new TestOperand[] {
            query(dtype, sizes),
            pool(dtype, sizes, sizes.features, 1),
            pool(dtype, sizes, sizes.values, 2),
            table(sizes),
            positions(sizes)
        };
    }

    /** Heads side by side in memory, as the layer for all heads computes them. */
    private static TestOperand query(DType dtype, Sizes sizes) {
        Shape lies = Shape.of(sizes.batch, sizes.tokens, sizes.groups * sizes.shared, sizes.features);
        return TestOperand.of(
                OperandSamples.ORDINARY, dtype, Layout.contiguous(lies).transpose(1, 2), 0);
    }

    private static TestOperand pool(DType dtype, Sizes sizes, long features, int salt) {
        Shape shape = Shape.of(sizes.pool(), sizes.pageSize, sizes.groups, features);
        return TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(shape), salt);
    }

    /** The pages of a sequence, in scattered order. */
    private static TestOperand table(Sizes sizes) {
        HeapBuffer elements = HeapBuffer.allocate(DType.INT64, Math.max(1, (int) (sizes.batch * sizes.pages)));
        for (int entry = 0; entry < elements.elements(); entry++) {
            elements.setLong(entry, (entry * 7L + 3) % sizes.pool());
        }
        return new TestOperand(elements, Layout.contiguous(Shape.of(sizes.batch, sizes.pages)));
    }

    /** Positions from the first to the last, different for each sequence. */
    private static TestOperand positions(Sizes sizes) {
        HeapBuffer elements = HeapBuffer.allocate(DType.INT64, Math.max(1, (int) (sizes.batch * sizes.tokens)));
        for (int place = 0; place < elements.elements(); place++) {
            long last = place == 0 ? 0 : sizes.room() - 1 - (place - 1) * 5L % sizes.room();
            elements.setLong(place, last);
        }
        return new TestOperand(elements, Layout.contiguous(Shape.of(sizes.batch, sizes.tokens)));
    }

    private static void refused(Consumer<Case> consumer) {
        Sizes sizes = new Sizes(2, 1, 1, 1, 2, 2, 2, 3);
        PagedAttention op = new PagedAttention(0, false, 1, 1);
        for (long page : new long[] {-1, sizes.pool()}) {
            TestOperand[] operands = operands(DType.FLOAT32, sizes);
            operands[3].elements().setLong(4, page);
            consumer.accept(Case.of(op, operands));
        }
        for (long position : new long[] {-1, sizes.room()}) {
            TestOperand[] operands = operands(DType.FLOAT32, sizes);
            operands[4].elements().setLong(1, position);
            consumer.accept(Case.of(op, operands));
        }
    }
}
