package dev.outpost.runtime.cuda.blas;

import dev.outpost.runtime.cuda.driver.CudaStream;
import dev.outpost.runtime.cuda.driver.DeviceMemory;
import java.lang.foreign.MemorySegment;

/**
 * Multiplies matrices on the device of the current context, with a handle of cuBLASLt and a workspace. All products share the workspace,
 * so they must run in one stream. Plans must be closed before this object.
 */
public final class MatrixMultiplier implements AutoCloseable {
    /** The workspace size that NVIDIA recommends for its newest GPUs. Older ones need less. */
    private static final long WORKSPACE_BYTES = 32L << 20;

    private final CublasLt library;
    private final MemorySegment handle;
    private final DeviceMemory workspace;

    /**
     * @throws dev.outpost.runtime.cuda.library.CudaException if the library does not start on this device, or there is no memory for its
     *     workspace
     */
    public MatrixMultiplier(CublasLt library) {
        this.library = library;
        workspace = new DeviceMemory(WORKSPACE_BYTES);
        handle = createHandle();
    }

    private MemorySegment createHandle() {
        try {
            return library.create();
        } catch (RuntimeException failure) {
            workspace.close();
            throw failure;
        }
    }

    /**
     * Prepares {@code c = a b} for dense row-major matrices {@code a [m, k]}, {@code b [k, n]} and {@code c [m, n]}.
     *
     * @throws dev.outpost.runtime.cuda.library.CudaException if the library cannot multiply such matrices
     */
    public MatrixProduct plan(MatrixType type, long m, long n, long k) {
        return new MatrixProduct(this, type, m, n, k);
    }

    CublasLt library() {
        return library;
    }

    MemorySegment handle() {
        return handle;
    }

    long workspaceBytes() {
        return workspace.bytes();
    }

    void run(CublasLt.PlannedProduct plan, CublasLt.Operands matrices, CudaStream stream) {
        library.multiply(handle, plan, matrices, workspace, stream);
    }

    @Override
    public void close() {
        library.destroy(handle);
        workspace.close();
    }
}
