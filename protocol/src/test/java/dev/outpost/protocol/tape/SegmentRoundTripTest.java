package dev.outpost.protocol.tape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.op.AttributeWriter;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SegmentRoundTripTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));

    @Test
    void randomGraphsRoundTrip() {
        Trials.repeat(500, 1, random -> {
            Recording recording = Recording.random(random, new SplittableRandom(random.nextLong()));
            Segment segment = recording.read();
            assertBindings(recording, segment);
            Graph graph = segment.graph(recording.inputTypeArray());
            assertGraph(recording, graph);
            assertFlags(recording, graph.structure());
            assertSources(recording, graph);
        });
    }

    @Test
    void anEmptySegmentComesBack() {
        Recording empty = new Recording(new SplittableRandom(1));
        assertTrue(empty.writer().isEmpty());
        assertEquals(0, empty.graph().instructions().size());
        assertEquals(0, empty.graph().valueCount());
    }

    @Test
    void flagsOfManyValuesComeBack() {
        Recording recording = new Recording(new SplittableRandom(1));
        for (int index = 0; index < 300; index++) {
            recording.add(Unary.NEG, recording.input(FLOATS));
        }
        for (int index = 0; index < 300; index += 7) {
            recording.drop(index);
            recording.dropInput(299 - index);
        }
        assertFlags(recording, recording.graph().structure());
        assertBindings(recording, recording.read());
    }

    @Test
    void everyResultOfAnInstructionIsAValue() {
        Recording recording = new Recording(new SplittableRandom(1));
        Recording.Result sorted = recording.add(new Sort(1, false), recording.input(FLOATS));
        recording.add(Unary.NEG, new Recording.Result(sorted.index() + 1));
        Graph graph = recording.graph();
        assertEquals(
                List.of("sort(float32[2,3]) -> float32[2,3], int64[2,3]", "neg(int64[2,3]) -> int64[2,3]"),
                graph.instructions().stream().map(Instruction::toString).toList());
        assertEquals(
                graph.instructions().get(0).result(1),
                graph.instructions().get(1).operand(0));
    }

    @Test
    void numbersStandInTheInstruction() {
        Recording recording = new Recording(new SplittableRandom(1));
        Scalar half = Scalar.of(DType.FLOAT32, 0.5);
        recording.add(Binary.ADD, recording.input(FLOATS), new Recording.Immediate(half));
        Instruction add = recording.graph().instructions().getFirst();
        assertEquals(Instruction.IMMEDIATE, add.operand(1));
        assertEquals(half, add.immediate(1));
        assertEquals("add(float32[2,3], float32[]) -> float32[2,3]", add.toString());
    }

    /** The structures must be equal, so that a plan of one graph can be used for the other. */
    @Test
    void aGraphThatIsBuiltHasTheStructureOfOneThatIsRead() {
        Trials.repeat(200, 1, random -> {
            Graph read = Recording.random(random, new SplittableRandom(1)).graph();
            GraphBuilder builder = new GraphBuilder();
            Structure structure = read.structure();
            IntStream.range(0, structure.inputCount()).forEach(input -> builder.input(read.type(input)));
            for (Instruction instruction : read.instructions()) {
                builder.copy(
                        instruction,
                        IntStream.range(0, instruction.operandCount())
                                .map(instruction::operand)
                                .toArray());
            }
            IntStream.range(0, structure.inputCount())
                    .filter(structure::isDying)
                    .forEach(builder::drop);
            IntStream.range(0, structure.resultCount())
                    .filter(result -> !structure.isKept(result))
                    .forEach(result -> builder.drop(structure.inputCount() + result));
            assertEquals(structure, builder.build().structure());
        });
    }

    @Test
    void writingTwiceGivesTheSameBytes() {
        Recording recording = Recording.random(new SplittableRandom(5), new SplittableRandom(6));
        assertArrayEquals(recording.writer().toByteArray(), recording.writer().toByteArray());
    }

    private static void assertBindings(Recording recording, Segment segment) {
        assertArrayEquals(longs(recording.inputIds), segment.inputs());
        long[] outputs = IntStream.range(0, recording.resultIds.size())
                .filter(recording.kept::get)
                .mapToLong(recording.resultIds::get)
                .toArray();
        assertArrayEquals(outputs, segment.outputs());
        assertEquals(outputs.length, segment.structure().outputCount());
    }

    private static long[] longs(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    private static void assertFlags(Recording recording, Structure structure) {
        assertEquals(recording.dying.size(), structure.inputCount());
        assertEquals(recording.kept.size(), structure.resultCount());
        assertEquals(
                recording.dying,
                IntStream.range(0, structure.inputCount())
                        .mapToObj(structure::isDying)
                        .toList());
        assertEquals(
                recording.kept,
                IntStream.range(0, structure.resultCount())
                        .mapToObj(structure::isKept)
                        .toList());
    }

    private static void assertGraph(Recording recording, Graph graph) {
        assertEquals(recording.steps.size(), graph.instructions().size());
        int inputs = recording.inputTypes.size();
        assertEquals(inputs + recording.resultTypes.size(), graph.valueCount());
        for (int value = 0; value < graph.valueCount(); value++) {
            TensorType expected =
                    value < inputs ? recording.inputTypes.get(value) : recording.resultTypes.get(value - inputs);
            assertEquals(expected, graph.type(value));
        }
        int nextResult = inputs;
        for (Instruction instruction : graph.instructions()) {
            assertInstruction(recording.steps.get(instruction.index()), instruction, inputs);
            assertEquals(nextResult, instruction.result(0));
            nextResult += instruction.resultCount();
        }
    }

    private static void assertInstruction(Recording.Step step, Instruction instruction, int inputs) {
        assertEquals(step.op().code(), instruction.op().code());
        assertArrayEquals(attributes(step.op()), attributes(instruction.op()));
        assertEquals(step.operands().size(), instruction.operandCount());
        for (int position = 0; position < instruction.operandCount(); position++) {
            assertEquals(step.operandTypes().get(position), instruction.operandType(position));
            assertOperand(step.operands().get(position), instruction, position, inputs);
        }
    }

    private static void assertOperand(Recording.Operand expected, Instruction instruction, int position, int inputs) {
        int actual = instruction.operand(position);
        switch (expected) {
            case Recording.Input input -> assertEquals(input.index(), actual);
            case Recording.Result result -> assertEquals(inputs + result.index(), actual);
            case Recording.Immediate number -> {
                assertEquals(Instruction.IMMEDIATE, actual);
                assertEquals(number.value(), instruction.immediate(position));
            }
        }
    }

    private static byte[] attributes(Op op) {
        ByteWriter both = new ByteWriter();
        op.writeAttributes(new AttributeWriter(both, both));
        return both.toByteArray();
    }

    private static void assertSources(Recording recording, Graph graph) {
        String[] expected = recording.steps.stream().map(Recording.Step::source).toArray(String[]::new);
        String[] actual = new String[expected.length];
        Arrays.setAll(actual, graph::source);
        assertArrayEquals(expected, actual);
    }
}
