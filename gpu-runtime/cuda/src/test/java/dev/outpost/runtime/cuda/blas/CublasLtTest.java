package dev.outpost.runtime.cuda.blas;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.runtime.cuda.library.CudaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class CublasLtTest {
    private FakeCublasLt fake;
    private CublasLt library;

    @BeforeEach
    void bind() throws ReflectiveOperationException {
        fake = new FakeCublasLt();
        library = new CublasLt(fake.library());
    }

    private MemorySegment heuristic(Arena arena) {
        CublasLt.Operands layouts = new CublasLt.Operands(at(3), at(4), at(5));
        return library.heuristic(at(1), at(2), layouts, at(6), arena);
    }

    private static MemorySegment at(long address) {
        return MemorySegment.ofAddress(address);
    }

    /** Layouts as C compilers produce them from cublasLt.h of CUDA 12.9 and 13.5. */
    @Test
    void theHeuristicsResultIsLaidOutAsInTheHeader() {
        assertEquals(96, CublasLt.HEURISTIC.byteSize());
        assertEquals(64, CublasLt.HEURISTIC.byteOffset(groupElement("workspace")));
        assertEquals(72, CublasLt.HEURISTIC.byteOffset(groupElement("status")));
        assertEquals(76, CublasLt.HEURISTIC.byteOffset(groupElement("waves")));
    }

    @Test
    void readsTheVersion() {
        assertEquals("12.9", library.version().toString());
    }

    @Test
    void aLibraryThatDoesNotStartIsNamedWithItsText() {
        fake.startStatus = FakeCublasLt.NOT_INITIALIZED;
        CudaException failure = assertThrows(CudaException.class, library::create);
        assertEquals("cublasLtCreate: failed with code 1: CUBLAS_STATUS_FAKE, a fake's text", failure.getMessage());
    }

    @Test
    void asksForAnAlgorithmWithTheResultsLayoutTwice() {
        try (Arena arena = Arena.ofConfined()) {
            long[] received = Arrays.copyOf(heuristic(arena).asSlice(0, 64).toArray(JAVA_LONG), 7);
            assertArrayEquals(new long[] {1, 2, 3, 4, 5, 5, 6}, received);
        }
    }

    @Test
    void noAlgorithmIsAFailure() {
        fake.found = 0;
        try (Arena arena = Arena.ofConfined()) {
            IllegalStateException failure = assertThrows(IllegalStateException.class, () -> heuristic(arena));
            assertEquals("cublasLtMatmulAlgoGetHeuristic: no algorithm for this product", failure.getMessage());
        }
    }

    @Test
    void anAlgorithmWithABadStatusIsAFailure() {
        fake.algorithmStatus = FakeCublasLt.NOT_SUPPORTED;
        try (Arena arena = Arena.ofConfined()) {
            CudaException failure = assertThrows(CudaException.class, () -> heuristic(arena));
            assertEquals(15, failure.code());
        }
    }
}
