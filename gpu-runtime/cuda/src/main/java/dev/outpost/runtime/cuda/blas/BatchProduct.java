package dev.outpost.runtime.cuda.blas;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.outpost.runtime.cuda.device.Multiplier.Factor;
import dev.outpost.runtime.cuda.device.Multiplier.Product;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A planned batch of products, for which an algorithm has been chosen. cuBLASLt is column-major and Outpost
 * row-major, so cuBLASLt reads Outpost's matrices as transposed ones. It therefore computes {@code cᵀ = bᵀ aᵀ}: its
 * left operand is Outpost's right one, and an operand that is transposed for Outpost is transposed for cuBLASLt too.
 */
final class BatchProduct implements AutoCloseable {
    /**
     * The common state of all products.
     *
     * @param shortProducts true if operands of float32 may be rounded to 10 bits
     */
    record Start(MemorySegment handle, long workspaceBytes, boolean shortProducts) {}

    private final CublasLt library;
    private final CublasLt.PlannedProduct plan;
    private final Arena arena = Arena.ofShared();
    private final Deque<Runnable> release = new ArrayDeque<>();

    BatchProduct(CublasLt library, Start start, Product product, Alignments alignments) {
        this.library = library;
        release.push(arena::close);
        try {
            plan = plan(start, product, alignments);
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    CublasLt.PlannedProduct plan() {
        return plan;
    }

    private CublasLt.PlannedProduct plan(Start start, Product product, Alignments alignments) {
        MatrixType type = CublasLtMultiplier.type(product.dtype());
        MemorySegment description = library.createProduct(start.shortProducts && type == MatrixType.FLOAT32);
        release.push(() -> library.destroyProduct(description));
        library.transpose(
                description, product.right().transposed(), product.left().transposed());
        CublasLt.Operands layouts = new CublasLt.Operands(
                layout(type, product.k(), product.n(), product.right(), product.batch()),
                layout(type, product.m(), product.k(), product.left(), product.batch()),
                layout(type, product.m(), product.n(), dense(product), product.batch()));
        MemorySegment preference = library.createPreference(start.workspaceBytes, alignments);
        try {
            return new CublasLt.PlannedProduct(
                    description,
                    layouts,
                    library.heuristic(start.handle, description, layouts, preference, arena),
                    arena.allocateFrom(JAVA_FLOAT, 1),
                    arena.allocateFrom(JAVA_FLOAT, 0));
        } finally {
            library.destroyPreference(preference);
        }
    }

    private static Factor dense(Product product) {
        return new Factor(false, product.n(), product.m() * product.n());
    }

    /** Creates the library's layout of an operand, which the library sees as column-major matrices. */
    private MemorySegment layout(MatrixType type, long rows, long columns, Factor factor, long batch) {
        MemorySegment layout = factor.transposed()
                ? library.createLayout(type, rows, columns, factor.leading())
                : library.createLayout(type, columns, rows, factor.leading());
        release.push(() -> library.destroyLayout(layout));
        library.repeat(layout, batch, factor.distance());
        return layout;
    }

    /** Releases the descriptors in reverse order. */
    @Override
    public void close() {
        while (!release.isEmpty()) {
            release.pop().run();
        }
    }
}
