package dev.outpost.runtime.cuda.blas;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.outpost.runtime.cuda.driver.CudaStream;
import dev.outpost.runtime.cuda.driver.DeviceMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A planned product of matrices of one type and shape, for which an algorithm has been chosen. cuBLASLt is
 * column-major and Outpost row-major, so cuBLASLt reads Outpost's matrices as transposed ones. It therefore computes
 * {@code cᵀ = bᵀ aᵀ}: its left operand is Outpost's right one.
 */
public final class MatrixProduct implements AutoCloseable {
    private final MatrixMultiplier multiplier;
    private final CublasLt.PlannedProduct plan;
    private final Arena arena = Arena.ofShared();
    private final Deque<Runnable> release = new ArrayDeque<>();

    MatrixProduct(MatrixMultiplier multiplier, MatrixType type, long m, long n, long k) {
        this.multiplier = multiplier;
        release.push(arena::close);
        try {
            plan = plan(type, m, n, k);
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private CublasLt.PlannedProduct plan(MatrixType type, long m, long n, long k) {
        CublasLt library = multiplier.library();
        MemorySegment product = library.createProduct();
        release.push(() -> library.destroyProduct(product));
        CublasLt.Operands layouts = new CublasLt.Operands(layout(type, n, k), layout(type, k, m), layout(type, n, m));
        MemorySegment alpha = arena.allocateFrom(JAVA_FLOAT, 1);
        MemorySegment beta = arena.allocateFrom(JAVA_FLOAT, 0);
        return new CublasLt.PlannedProduct(product, layouts, algorithm(product, layouts), alpha, beta);
    }

    private MemorySegment layout(MatrixType type, long rows, long columns) {
        CublasLt library = multiplier.library();
        MemorySegment layout = library.createLayout(type, rows, columns);
        release.push(() -> library.destroyLayout(layout));
        return layout;
    }

    private MemorySegment algorithm(MemorySegment product, CublasLt.Operands layouts) {
        CublasLt library = multiplier.library();
        MemorySegment preference = library.createPreference(multiplier.workspaceBytes());
        try {
            return library.heuristic(multiplier.handle(), product, layouts, preference, arena);
        } finally {
            library.destroyPreference(preference);
        }
    }

    /** Appends the product to the stream. It writes the result to {@code c}, which must be none of the operands. */
    public void run(DeviceMemory a, DeviceMemory b, DeviceMemory c, CudaStream stream) {
        multiplier.run(plan, new CublasLt.Operands(address(b), address(a), address(c)), stream);
    }

    private static MemorySegment address(DeviceMemory memory) {
        return MemorySegment.ofAddress(memory.address());
    }

    /** Releases the descriptors in reverse order. */
    @Override
    public void close() {
        while (!release.isEmpty()) {
            release.pop().run();
        }
    }
}
