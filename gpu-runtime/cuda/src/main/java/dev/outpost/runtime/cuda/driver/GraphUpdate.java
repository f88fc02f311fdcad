package dev.outpost.runtime.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outpost.runtime.cuda.library.NativeFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;

/** The driver's function that updates a graph. JCuda declares the function but does not bind it. Used under the engine's lock. */
@SuppressWarnings("restricted")
final class GraphUpdate {
    /** CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, by cuda.h. */
    private static final int REFUSED = 910;

    /** CUgraphExecUpdateResultInfo: the reason, and two nodes. */
    private static final long RESULT_BYTES = 24;

    private NativeFunction update;

    /**
     * Replaces the work of a graph by the captured work. Returns false, and leaves the graph unchanged, if the two
     * differ too much.
     */
    boolean tryUpdate(long executable, long captured) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(RESULT_BYTES, Long.BYTES);
            int code =
                    function().callInt(MemorySegment.ofAddress(executable), MemorySegment.ofAddress(captured), result);
            if (code == REFUSED) {
                return false;
            }
            DriverCheck.check("cuGraphExecUpdate", code);
            return true;
        }
    }

    private NativeFunction function() {
        if (update == null) {
            FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
            try {
                update = CudaDriver.loadLibrary().function("cuGraphExecUpdate_v2", type);
            } catch (NoDriverException failure) {
                throw new IllegalStateException("the driver was there before", failure);
            }
        }
        return update;
    }
}
