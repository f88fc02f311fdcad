package dev.outpost.runtime.cuda.code;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.runtime.cuda.code.AccessPattern.Access;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the exact text of fixed programs. */
@Tag("quick")
class MapKernelTest {
    private static final Shape SHAPE = Shape.of(8, 16);

    /** A chain of instructions, each on the result of the previous one and an input; only the last result is stored. */
    private static FusedMap chain(DType dtype, int inputs, Op... ops) {
        SegmentWriter writer = new SegmentWriter();
        for (int input = 0; input < inputs; input++) {
            writer.addInput(input + 1L);
        }
        for (int place = 0; place < ops.length; place++) {
            writer.begin(ops[place], ops[place].arity());
            if (place == 0) {
                writer.input(0);
            } else {
                writer.result(place - 1);
            }
            if (ops[place].arity() == 2) {
                writer.input(place + 1);
            }
            writer.finish(ops[place], 100 + place, 1);
        }
        TensorType[] types = new TensorType[inputs];
        Arrays.fill(types, new TensorType(dtype, SHAPE));
        Graph graph = Segment.read(writer.toByteArray()).graph(types);
        int last = graph.instructions().getLast().result(0);
        return new FusedMap(graph.instructions(), result -> result == last);
    }

    private static void assertText(String golden, FusedMap map, AccessPattern pattern) throws IOException {
        CudaSource source = MapKernel.source(ElementCode.of(map), pattern);
        try (InputStream in = MapKernelTest.class.getResourceAsStream(golden)) {
            assertEquals(
                    new String(in.readAllBytes(), StandardCharsets.UTF_8),
                    source.head() + source.parts() + source.tail());
        }
    }

    @Test
    void denseFloatsAreReadFourAtATime() throws IOException {
        assertText(
                "dense.cu",
                chain(DType.FLOAT32, 3, Binary.MUL, Binary.ADD, Unary.RELU),
                new AccessPattern(1, 4, false, List.of(Access.RUN, Access.RUN, Access.RUN, Access.RUN)));
    }

    @Test
    void broadcastOperandIsReadOnceOrInSteps() throws IOException {
        assertText(
                "broadcast.cu",
                chain(DType.BFLOAT16, 3, Binary.SUB, Binary.MUL),
                new AccessPattern(2, 2, false, List.of(Access.RUN, Access.RUN, Access.SAME, Access.STEP)));
    }

    @Test
    void aDivisorOfZeroIsToldByItsNumber() throws IOException {
        assertText(
                "division.cu",
                chain(DType.INT8, 2, Binary.FLOOR_DIV),
                new AccessPattern(1, 1, true, List.of(Access.RUN, Access.RUN, Access.RUN)));
    }

    @Test
    void copyMovesBitsOnly() throws IOException {
        assertText(
                "copy.cu",
                chain(DType.FLOAT16, 1, Unary.COPY),
                new AccessPattern(2, 1, false, List.of(Access.RUN, Access.STEP)));
    }
}
