package dev.outpost.protocol.ir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.junit.jupiter.api.Test;

/** Recorded graphs. Tests of segments cover the bytes of graphs. */
class RecordedGraphTest {
    private static final TensorType MATRIX = new TensorType(DType.FLOAT32, Shape.of(2, 3));

    private final RecordedGraph recorded = new RecordedGraph();

    /** Records {@code exp(input + 2) * input}; the sum is dropped. */
    private void record() {
        int input = recorded.addInput(7);
        recorded.input(input);
        recorded.immediate(Scalar.of(DType.FLOAT32, 2));
        int sum = recorded.finish(Binary.ADD, 20, 1);
        recorded.source("Train.java:3");
        recorded.result(sum);
        int power = recorded.finish(Unary.EXP, 30, 1);
        recorded.result(power);
        recorded.input(input);
        recorded.finish(Binary.MUL, 40, 1);
        recorded.drop(sum);
        recorded.dropInput(input);
    }

    @Test
    void theGraphHasTheRecordedInstructions() {
        record();
        Graph graph = recorded.graph(MATRIX);
        assertEquals(3, graph.instructions().size());
        assertEquals("Train.java:3", graph.source(0));
        assertEquals("", graph.source(1));
        assertTrue(graph.structure().isDying(0));
        assertFalse(graph.structure().isKept(0));
        assertTrue(graph.structure().isKept(1));
        assertArrayEquals(new long[] {7}, recorded.inputs());
        assertArrayEquals(new long[] {30, 40}, recorded.outputs());
    }

    @Test
    void theGraphIsThatOfItsBytes() {
        record();
        Segment segment = Segment.read(SegmentWriter.of(recorded).toByteArray());
        Graph decoded = segment.graph(MATRIX);
        Graph graph = recorded.graph(MATRIX);
        assertEquals(decoded.structure(), graph.structure());
        assertEquals(decoded.instructions().toString(), graph.instructions().toString());
        assertEquals(2.0, graph.instructions().getFirst().immediate(1).asDouble());
        assertArrayEquals(segment.inputs(), recorded.inputs());
        assertArrayEquals(segment.outputs(), recorded.outputs());
    }

    @Test
    void nothingOfAGraphIsLeftInTheNextOne() {
        record();
        byte[] bytes = SegmentWriter.of(recorded).toByteArray();
        recorded.clear();
        assertTrue(recorded.isEmpty());
        assertEquals(0, recorded.inputs().length);
        assertEquals(0, recorded.outputs().length);
        record();
        assertArrayEquals(bytes, SegmentWriter.of(recorded).toByteArray());
    }

    @Test
    void arraysGrowWithTheGraph() {
        int value = recorded.addInput(1);
        recorded.input(value);
        value = recorded.finish(Unary.EXP, 2, 1);
        for (int count = 1; count < 10_000; count++) {
            recorded.result(value);
            recorded.immediate(Scalar.of(DType.FLOAT32, count));
            value = recorded.finish(Binary.ADD, 2 + count, 1);
            recorded.source("line " + count);
        }
        Graph graph = recorded.graph(MATRIX);
        assertEquals(10_000, graph.instructions().size());
        assertEquals("line 9999", graph.source(9_999));
        assertEquals(9_999.0, graph.instructions().getLast().immediate(1).asDouble());
    }
}
