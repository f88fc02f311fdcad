package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.run;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Upload;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ReferenceEngineTest {
    private final ReferenceEngine engine = new ReferenceEngine();

    @Test
    void readsWhatWasWritten() {
        EngineBuffer buffer = engine.allocate(DType.INT32, 4);
        engine.write(buffer, 1, new Slice(new byte[] {9, 1, 0, 0, 0, 2, 1, 0, 0}, 1, 8));
        Array all = Array.contiguous(buffer, Shape.of(4));
        assertArrayEquals(new byte[] {1, 0, 0, 0, 2, 1, 0, 0}, engine.read(all, 1, 2));
        assertArrayEquals(new long[] {0, 1, 258, 0}, ReferenceOp.longs(all));
    }

    @Test
    void sizesBeyondAnArrayAreAFaultOfResources() {
        OutpostException fault =
                assertThrows(OutpostException.class, () -> engine.allocate(DType.FLOAT32, 4_294_967_296L));
        assertEquals(FaultKind.RESOURCES, fault.kind());
        assertEquals(
                "allocate: out of memory, requested 17179869184 bytes for 4294967296 elements of float32; "
                        + "one value holds at most 2147483639 elements",
                fault.getMessage());
    }

    @Test
    void aFullHeapIsAFaultOfResources() {
        long maxBytes = Runtime.getRuntime().maxMemory();
        long elements = Math.min(Integer.MAX_VALUE - 8, maxBytes / 8 + 1);
        OutpostException fault = assertThrows(OutpostException.class, () -> engine.allocate(DType.FLOAT64, elements));
        assertEquals(FaultKind.RESOURCES, fault.kind());
        String expected = "allocate: out of memory, requested " + 8 * elements + " bytes for " + elements
                + " elements of float64; the heap holds at most " + maxBytes + " bytes";
        assertEquals(expected, fault.getMessage());
    }

    @Test
    void placementsAreNotItsBusiness() {
        Upload upload = new Upload(new TensorType(DType.FLOAT32, Shape.of(2)), 1);
        IllegalStateException fault = assertThrows(IllegalStateException.class, () -> run(upload));
        assertEquals(
                "upload only says where elements are; the session places it and no engine runs it", fault.getMessage());
    }
}
