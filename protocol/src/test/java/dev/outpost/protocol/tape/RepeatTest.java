package dev.outpost.protocol.tape;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static dev.outpost.protocol.RefusalAssertions.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AttributeWriter;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpSample;
import dev.outpost.protocol.op.OpSamples;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Recording.Immediate;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A segment that is sent as changes equals the same segment that is sent in full. */
@Tag("quick")
class RepeatTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));
    private static final TensorType INTS = new TensorType(DType.INT32, Shape.of(2, 3));

    @Test
    void changedIdsRoundTrip() {
        Trials.repeat(500, 1, random -> {
            long graph = random.nextLong();
            Recording first = Recording.random(new SplittableRandom(graph), new SplittableRandom(random.nextLong()));
            Recording second = Recording.random(new SplittableRandom(graph), new SplittableRandom(random.nextLong()));
            Segment segment = first.read();
            Segment next = segment.next(changes(first, second));
            assertSameSegment(second, first.inputTypeArray(), next);
            DecodedSegment decoded = segment.decode(first.inputTypeArray());
            assertSame(decoded.graph(), decoded.next(next).graph());
        });
    }

    @Test
    void changedDataRoundTripForEveryOp() {
        int variants = 0;
        for (OpSample sample : OpSamples.all()) {
            for (Op variant : sample.otherData().stream()
                    .filter(op -> accepts(op, sample))
                    .toList()) {
                Recording first = recording(sample, sample.op());
                Recording second = recording(sample, variant);
                assertSameGraph(second.graph(), next(first, second));
                variants++;
            }
        }
        assertTrue(variants > 5, "only " + variants);
    }

    private static boolean accepts(Op op, OpSample sample) {
        try {
            op.infer(sample.operands().toArray(TensorType[]::new));
            return true;
        } catch (OpException ignored) {
            return false;
        }
    }

    /** With an instruction without data before and after it, and another one with data. */
    private static Recording recording(OpSample sample, Op op) {
        Recording recording = new Recording(new SplittableRandom(1));
        recording.add(Unary.NEG, recording.input(FLOATS));
        Recording.Operand[] operands =
                sample.operands().stream().map(recording::input).toArray(Recording.Operand[]::new);
        recording.add(op, operands);
        recording.add(Unary.ABS, new Recording.Result(0));
        recording.add(Binary.ADD, new Recording.Result(0), new Immediate(Scalar.of(DType.FLOAT32, 2.5)));
        return recording;
    }

    @Test
    void instructionWithoutDataIsNotDecodedAgain() {
        Recording first = plus(1);
        Recording second = plus(2);
        Segment segment = first.read();
        DecodedSegment decoded = segment.decode(first.inputTypeArray());
        Graph before = decoded.graph();
        Graph after = decoded.next(segment.next(changes(first, second))).graph();
        assertSame(before.instructions().get(0), after.instructions().get(0));
        assertNotSame(before.instructions().get(1), after.instructions().get(1));
        assertEquals(Scalar.of(DType.FLOAT32, 1.0), before.instructions().get(1).immediate(1));
        assertEquals(Scalar.of(DType.FLOAT32, 2.0), after.instructions().get(1).immediate(1));
    }

    private static Recording plus(double number) {
        Recording recording = new Recording(new SplittableRandom(1));
        Recording.Result negation = recording.add(Unary.NEG, recording.input(FLOATS));
        recording.add(Binary.ADD, negation, new Immediate(Scalar.of(DType.FLOAT32, number)));
        return recording;
    }

    @Test
    void dataThatAnOpRefusesAreRefused() {
        Recording first = integers(0, 9);
        Recording second = new Recording(new SplittableRandom(1));
        assertThrows(OpException.class, () -> second.add(random(9, 0)));
        byte[] data = data(random(9, 0));
        SegmentArguments refused = new SegmentArguments(data, new long[0], new long[] {1_000_002}, new byte[] {0});
        Segment segment = first.read();
        DecodedSegment before = segment.decode(first.inputTypeArray());
        Segment next = segment.next(refused.since(first.writer().particulars()));
        assertRefused("randint: low must be below high, got 9 and 0", () -> before.next(next));
    }

    private static Recording integers(long low, long high) {
        Recording recording = new Recording(new SplittableRandom(1));
        recording.add(random(low, high));
        return recording;
    }

    private static Random random(long low, long high) {
        return new Random(Random.Fn.INTEGER, INTS, 1, 1, low, high);
    }

    private static byte[] data(Op op) {
        ByteWriter data = new ByteWriter();
        op.writeAttributes(new AttributeWriter(new ByteWriter(), data));
        return data.toByteArray();
    }

    @Test
    void inputsOfOtherTypesAreToldApart() {
        Recording recording = plus(1);
        Graph graph = recording.graph();
        assertTrue(graph.isOver(new TensorType[] {FLOATS}));
        assertFalse(graph.isOver(new TensorType[] {INTS}));
        assertFalse(graph.isOver(new TensorType[] {new TensorType(DType.FLOAT32, Shape.of(3, 2))}));
    }

    @Test
    void aRepeatIsMalformedWhereverItEnds() {
        Recording first = plus(1);
        byte[] changes = changes(first, plus(2));
        for (int end = 0; end < changes.length; end++) {
            byte[] cut = Arrays.copyOf(changes, end);
            assertThrows(MalformedException.class, () -> first.read().next(cut), "cut at " + end);
        }
        byte[] longer = Arrays.copyOf(changes, changes.length + 1);
        assertMalformed("segment has 1 bytes too many", () -> first.read().next(longer));
    }

    @Test
    void aRepeatBindsPositiveIdsOnce() {
        SegmentArguments before = new SegmentArguments(new byte[0], new long[] {5, 6}, new long[0], new byte[] {0});
        SegmentArguments twice = new SegmentArguments(new byte[0], new long[] {7, 7}, new long[0], new byte[] {0});
        assertMalformed("value %7 is bound twice", () -> before.next(twice.since(before)));
        SegmentArguments negative = new SegmentArguments(new byte[0], new long[] {5, -6}, new long[0], new byte[] {0});
        assertMalformed("value ids are positive, got -6", () -> before.next(negative.since(before)));
    }

    @Test
    void survivesMutation() {
        Trials.repeat(20_000, 1, random -> {
            long seed = random.nextInt(50);
            Recording first = Recording.random(new SplittableRandom(seed), new SplittableRandom(1));
            Recording second = Recording.random(new SplittableRandom(seed), new SplittableRandom(2));
            byte[] changes = changes(first, second);
            for (int change = random.nextInt(3); change >= 0; change--) {
                changes[random.nextInt(changes.length)] = (byte) random.nextInt(256);
            }
            Segment segment = first.read();
            try {
                segment.decode(first.inputTypeArray()).next(segment.next(changes));
            } catch (MalformedException | OpException expected) {
                // Hostile bytes may cause either exception.
            }
        });
    }

    /** 1,000 dependent ops that keep nothing: equal data, a byte; how far the one id moved on, two; equal lines, one. */
    @Test
    void aChainTakesFourBytes() {
        assertEquals(4, changes(chain(1000, 5000), chain(1000, 6000)).length);
    }

    private static Recording chain(int length, long input) {
        Recording chain = new Recording(new SplittableRandom(input));
        Recording.Operand last = chain.input(FLOATS);
        for (int op = 0; op < length; op++) {
            Recording.Result result = chain.add(Unary.NEG, last);
            chain.drop(result.index());
            last = result;
        }
        return chain;
    }

    private static Graph next(Recording first, Recording second) {
        Segment segment = first.read();
        assertEquals(first.graph().structure(), second.graph().structure());
        return segment.decode(first.inputTypeArray())
                .next(segment.next(changes(first, second)))
                .graph();
    }

    private static byte[] changes(Recording first, Recording second) {
        return second.writer().particulars().since(first.writer().particulars());
    }

    private static void assertSameSegment(Recording recording, TensorType[] types, Segment actual) {
        Segment expected = recording.read();
        assertArrayEquals(expected.data(), actual.data());
        assertArrayEquals(expected.inputs(), actual.inputs());
        assertArrayEquals(expected.outputs(), actual.outputs());
        Graph right = expected.graph(types);
        Graph found = actual.graph(types);
        assertEquals(right.structure(), found.structure());
        for (int index = 0; index < right.structure().instructionCount(); index++) {
            assertEquals(right.source(index), found.source(index));
        }
    }

    private static void assertSameGraph(Graph expected, Graph actual) {
        assertEquals(texts(expected), texts(actual));
        for (Instruction instruction : expected.instructions()) {
            Instruction same = actual.instructions().get(instruction.index());
            assertArrayEquals(data(instruction.op()), data(same.op()));
            assertEquals(instruction.operandCount(), same.operandCount());
            for (int position = 0; position < same.operandCount(); position++) {
                assertEquals(instruction.operand(position), same.operand(position));
                assertEquals(instruction.immediate(position), same.immediate(position));
            }
        }
    }

    private static List<String> texts(Graph graph) {
        return graph.instructions().stream().map(Instruction::toString).toList();
    }
}
