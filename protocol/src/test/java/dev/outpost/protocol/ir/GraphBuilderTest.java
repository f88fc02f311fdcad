package dev.outpost.protocol.ir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpSample;
import dev.outpost.protocol.op.OpSamples;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.Unary;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class GraphBuilderTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));
    private static final TensorType INTS = new TensorType(DType.INT32, Shape.of(2, 3));

    @Test
    void valuesAreNumberedInputsFirst() {
        GraphBuilder builder = new GraphBuilder(FLOATS);
        assertEquals(1, builder.input(INTS));
        Instruction sort = builder.add(new Sort(1, false), 0);
        Instruction negation = builder.add(Unary.NEG, sort.result(1));
        assertArrayEquals(new int[] {2, 3, 4}, new int[] {sort.result(0), sort.result(1), negation.result(0)});
        Graph graph = builder.build();
        assertEquals(5, graph.valueCount());
        assertEquals(INTS, graph.type(1));
        assertEquals(new TensorType(DType.INT64, Shape.of(2, 3)), graph.type(4));
        assertEquals(2, graph.structure().inputCount());
        assertEquals(3, graph.structure().resultCount());
    }

    @Test
    void droppedValueIsDead() {
        GraphBuilder builder = new GraphBuilder(FLOATS, FLOATS);
        int sum = builder.add(Binary.ADD, 0, 1).result(0);
        builder.add(Unary.NEG, sum);
        builder.drop(1);
        builder.drop(sum);
        Structure structure = builder.build().structure();
        assertFalse(structure.isDying(0));
        assertTrue(structure.isDying(1));
        assertFalse(structure.isKept(0));
        assertTrue(structure.isKept(1));
        assertEquals(1, structure.outputCount());
    }

    @Test
    void builtGraphIsImmutable() {
        GraphBuilder builder = new GraphBuilder(FLOATS);
        builder.add(Unary.NEG, 0);
        Graph before = builder.build();
        Structure same = builder.build().structure();
        builder.add(new Fill(Shape.of(2), Scalar.of(DType.FLOAT32, 1.0)));
        builder.drop(0);
        Graph after = builder.build();
        assertEquals(1, before.instructions().size());
        assertEquals(2, before.valueCount());
        assertFalse(before.structure().isDying(0));
        assertEquals(same, before.structure());
        assertNotEquals(after.structure(), before.structure());
    }

    @Test
    void anInputComesBeforeTheFirstInstruction() {
        GraphBuilder builder = new GraphBuilder(FLOATS);
        builder.add(Unary.NEG, 0);
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> builder.input(INTS));
        assertEquals("an input of type int32[2,3] comes after neg(float32[2,3]) -> float32[2,3]", refused.getMessage());
    }

    @Test
    void anOperandIsAValueThatIsThere() {
        GraphBuilder builder = new GraphBuilder(FLOATS);
        assertEquals(
                "an operand is value 1 of 1",
                assertThrows(IllegalArgumentException.class, () -> builder.add(Unary.NEG, 1))
                        .getMessage());
        assertThrows(OpException.class, () -> builder.add(Unary.EXP, builder.input(INTS)));
    }

    @Test
    void aCopyIsTheSameOverOtherValues() {
        GraphBuilder first = new GraphBuilder(FLOATS);
        int[] operands = {0, Instruction.IMMEDIATE};
        Scalar[] numbers = {null, Scalar.of(DType.FLOAT32, 2.5)};
        Instruction sum = first.add(Binary.ADD, operands, numbers);
        GraphBuilder second = new GraphBuilder(INTS, FLOATS);
        second.add(Unary.NEG, 0);
        Instruction copy = second.copy(sum, 1, Instruction.IMMEDIATE);
        assertEquals(1, copy.index());
        assertEquals(1, copy.operand(0));
        assertEquals(3, copy.result(0));
        assertEquals(sum.immediate(1), copy.immediate(1));
        assertEquals(sum.toString(), copy.toString());
        assertTrue(second.build().hasData(copy));
        assertThrows(IllegalArgumentException.class, () -> second.copy(sum, 1));
        assertThrows(IllegalArgumentException.class, () -> second.copy(sum, 9, Instruction.IMMEDIATE));
    }

    @Test
    void linesAreThoseOfTheirInstructions() {
        GraphBuilder builder = new GraphBuilder(FLOATS);
        assertEquals("", builder.build().source(0));
        for (int index = 0; index < 50; index++) {
            builder.add(Unary.NEG, index);
            if (index % 20 == 3) {
                builder.source("Train.java:" + index);
            }
        }
        Graph graph = builder.build();
        assertEquals("Train.java:3", graph.source(3));
        assertEquals("Train.java:43", graph.source(43));
        assertEquals("", graph.source(4));
        assertEquals("", graph.source(49));
    }

    /** Every variant of every sample that fits the operands, as its op describes it. */
    @Test
    void dataAreNoPartOfTheStructureAndAllElseIs() {
        for (OpSample sample : OpSamples.all()) {
            Graph graph = graph(sample, sample.op());
            assertEquals(!sample.otherData().isEmpty(), graph.dataBytes() > 0, sample::toString);
            assertEquals(
                    graph.dataBytes() > 0, graph.hasData(graph.instructions().getFirst()));
            sample.otherData().stream()
                    .filter(variant -> fits(sample, variant))
                    .forEach(variant -> assertEquals(
                            graph.structure(), graph(sample, variant).structure()));
            sample.otherStructure().stream()
                    .filter(variant -> fits(sample, variant))
                    .forEach(variant -> assertNotEquals(
                            graph.structure(), graph(sample, variant).structure()));
        }
    }

    private static boolean fits(OpSample sample, Op op) {
        try {
            op.infer(sample.operands().toArray(TensorType[]::new));
            return true;
        } catch (OpException ignored) {
            return false;
        }
    }

    private static Graph graph(OpSample sample, Op op) {
        GraphBuilder builder = new GraphBuilder(sample.operands().toArray(TensorType[]::new));
        builder.add(op, IntStream.range(0, sample.operands().size()).toArray());
        return builder.build();
    }

    /** Each value is used twice by the next one, 60,000 deep: as a tree it would have too many nodes to count. */
    @Test
    void equalityDoesNotWalkATree() throws Exception {
        Await.within("structures are compared", () -> {
            Structure first = deep(60_000);
            Structure second = deep(60_000);
            assertEquals(first.hashCode(), second.hashCode());
            assertEquals(first, second);
            assertNotEquals(first, deep(59_999));
        });
    }

    private static Structure deep(int depth) {
        GraphBuilder builder = new GraphBuilder(FLOATS);
        for (int index = 0; index < depth; index++) {
            builder.add(Binary.MUL, index, index);
        }
        return builder.build().structure();
    }
}
