package dev.outpost.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.protocol.tape.Slots;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The remembered segments, their number, and the bytes of a repeat on the wire. */
@Tag("quick")
class SegmentCacheTest {
    private static final TensorType SMALL = new TensorType(DType.FLOAT32, Shape.of(2));

    private final SegmentCache cache = new SegmentCache();

    @Test
    void aSlotIsNamedWhereTheStructureIsKnown() {
        assertEquals(0, remembered(fill(1, 2)));
        assertEquals(1, remembered(fill(1, 3)));
        assertEquals(0, repeated(fill(7, 2)));
        assertEquals(1, repeated(fill(7, 3)));
        assertEquals(2, cache.size());
    }

    @Test
    void theLeastRecentlySentMakesRoom() {
        for (int size = 1; size <= Slots.COUNT; size++) {
            assertEquals(size - 1, remembered(fill(1, size)));
        }
        assertEquals(0, repeated(fill(1, 1)));
        assertEquals(1, remembered(fill(1, 1000)));
        assertEquals(0, repeated(fill(1, 1)));
        assertEquals(2, remembered(fill(1, 2)));
        for (int size = 2000; size < 3000; size++) {
            remembered(fill(1, size));
        }
        assertEquals(Slots.COUNT, cache.size());
    }

    @Test
    void oversizedSegmentIsSentWhole() {
        remembered(literals(1, 3));
        for (int time = 0; time < 2; time++) {
            assertInstanceOf(ToRuntime.RunSegment.class, cache.message(literals(100 * time, Slots.MAX_BYTES / 4096)));
        }
        assertEquals(0, repeated(literals(500, 3)));
    }

    private static SegmentWriter literals(long id, int count) {
        SegmentWriter segment = new SegmentWriter();
        Literal literal = new Literal(new TensorType(DType.FLOAT32, Shape.of(1024)), new byte[4096]);
        for (int index = 0; index < count; index++) {
            add(segment, literal, id + index, false);
        }
        return segment;
    }

    /**
     * Kind 1, slot 1, length 1; equal data 1; the input moved on by 2,000, 2; no lines 1: seven bytes for 1,000
     * instructions.
     */
    @Test
    void aChainThatKeepsNothing() {
        assertEquals(7, bytesOfRepeat(id -> chain(id, false), 2000));
    }

    /** Four bytes more than without kept results, because all ids move equally: no distance, 1; a repeat, 1; for 999 more, 2. */
    @Test
    void aChainThatKeepsAll() {
        assertEquals(11, bytesOfRepeat(id -> chain(id, true), 2000));
    }

    /** The bytes of a Free: kind 1, count 2, first id 3, and a step of one with 998 repeats, 4. */
    @Test
    void consecutiveValuesAreFreedTogether() {
        Message free = new ToRuntime.Free(LongStream.range(100_000, 101_000).toArray());
        assertEquals(10, free.encode().length);
    }

    /**
     * The same as for a chain that keeps nothing, except the data: length 1, unchanged bytes 1, seven bytes of a double 1 + 7, unchanged
     * bytes 1.
     */
    @Test
    void aNumberThatIsNewTravels() {
        assertEquals(6 + 11, bytesOfRepeat(id -> updates(id, id == 1 ? 0.1 : 0.01), 2000));
        assertEquals(6 + 1, bytesOfRepeat(id -> updates(id, 0.1), 2000));
    }

    /** Eight instructions that multiply by numbers; the second number is a learning rate. */
    private static SegmentWriter updates(long id, double rate) {
        SegmentWriter segment = new SegmentWriter();
        segment.addInput(id);
        for (int index = 0; index < 8; index++) {
            segment.begin(Binary.MUL, 2);
            segment.input(0);
            segment.immediate(Scalar.of(DType.FLOAT64, index == 1 ? rate : 0.5));
            segment.drop(segment.finish(Binary.MUL, id + 1 + index, 1));
        }
        return segment;
    }

    /** The output id moved by one, which takes five bytes without data; then length 1, unchanged bytes 1, seed and call 1 + 9. */
    @Test
    void aSeedThatIsNewTravels() {
        long seed = 0x123456789abcdefL;
        assertEquals(5 + 12, bytesOfRepeat(id -> random(id, id == 1 ? seed : ~seed), 1));
        assertEquals(5 + 1, bytesOfRepeat(id -> random(id, seed), 1));
    }

    private static SegmentWriter random(long id, long seed) {
        SegmentWriter segment = new SegmentWriter();
        add(segment, new Random(Random.Fn.UNIFORM, SMALL, seed, 1, 0, 0), id, true);
        return segment;
    }

    private int bytesOfRepeat(LongFunction<SegmentWriter> segment, long later) {
        SegmentCache own = new SegmentCache();
        int first = own.message(segment.apply(1)).encode().length;
        Message repeat = own.message(segment.apply(1 + later));
        assertInstanceOf(ToRuntime.RepeatSegment.class, repeat);
        assertTrue(repeat.encode().length < first);
        return repeat.encode().length;
    }

    private static SegmentWriter chain(long id, boolean isKept) {
        SegmentWriter segment = new SegmentWriter();
        segment.addInput(id);
        for (int index = 0; index < 1000; index++) {
            segment.begin(Unary.NEG, 1);
            if (index == 0) {
                segment.input(0);
            } else {
                segment.result(index - 1);
            }
            int result = segment.finish(Unary.NEG, id + 1 + index, 1);
            if (!isKept) {
                segment.drop(result);
            }
        }
        return segment;
    }

    private static SegmentWriter fill(long id, long size) {
        SegmentWriter segment = new SegmentWriter();
        add(segment, new Fill(Shape.of(size), Scalar.of(DType.FLOAT32, 1L)), id, true);
        return segment;
    }

    private static void add(SegmentWriter segment, Op op, long id, boolean isKept) {
        segment.begin(op, 0);
        int result = segment.finish(op, id, 1);
        if (!isKept) {
            segment.drop(result);
        }
    }

    private int remembered(SegmentWriter segment) {
        return assertInstanceOf(ToRuntime.RememberSegment.class, cache.message(segment))
                .slot();
    }

    private int repeated(SegmentWriter segment) {
        return assertInstanceOf(ToRuntime.RepeatSegment.class, cache.message(segment))
                .slot();
    }
}
