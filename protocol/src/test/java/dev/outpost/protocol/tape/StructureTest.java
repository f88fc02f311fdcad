package dev.outpost.protocol.tape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.outpost.protocol.Trials;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpSample;
import dev.outpost.protocol.op.OpSamples;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Recording.Immediate;
import dev.outpost.protocol.tape.Recording.Input;
import dev.outpost.protocol.tape.Recording.Result;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the structure by which segments share a plan. */
@Tag("quick")
class StructureTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));

    @Test
    void idsAreNoPartOfIt() {
        Trials.repeat(200, 1, random -> {
            long graph = random.nextLong();
            Recording first = Recording.random(new SplittableRandom(graph), new SplittableRandom(1));
            Recording second = Recording.random(new SplittableRandom(graph), new SplittableRandom(2));
            assertArrayEquals(first.writer().structure(), second.writer().structure());
            assertEquals(first.graph().structure(), second.graph().structure());
            assertEquals(
                    first.graph().structure().hashCode(),
                    second.graph().structure().hashCode());
        });
    }

    @Test
    void signatureIsPartOfIt() {
        assertDifferent(graph -> graph.add(Binary.SUB, graph.input(FLOATS), graph.input(FLOATS)), graph -> {
            Input left = graph.input(FLOATS);
            graph.add(Binary.SUB, graph.input(FLOATS), left);
        });
    }

    @Test
    void whichResultIsUsedIsPartOfIt() {
        assertDifferent(chain(0), chain(1));
    }

    private static Consumer<Recording> chain(int used) {
        return graph -> {
            Input input = graph.input(FLOATS);
            graph.add(Unary.NEG, input);
            graph.add(Unary.NEG, input);
            graph.add(Unary.NEG, new Result(used));
        };
    }

    @Test
    void opsArePartOfIt() {
        assertDifferent(
                graph -> graph.add(Unary.NEG, graph.input(FLOATS)), graph -> graph.add(Unary.ABS, graph.input(FLOATS)));
    }

    @Test
    void structuralAttributesArePartOfIt() {
        assertDifferent(
                graph -> graph.add(new Cast(DType.INT8), graph.input(FLOATS)),
                graph -> graph.add(new Cast(DType.INT16), graph.input(FLOATS)));
    }

    @Test
    void dataAttributesAreNoPartOfIt() {
        assertSame(fill(1), fill(2));
    }

    private static Consumer<Recording> fill(double value) {
        return graph -> graph.add(new Fill(Shape.of(4), Scalar.of(DType.FLOAT32, value)));
    }

    @Test
    void dtypesOfNumbersArePartOfItAndValuesAreNot() {
        assertSame(plus(Scalar.of(DType.FLOAT32, 1L)), plus(Scalar.of(DType.FLOAT32, 2L)));
        assertDifferent(
                graph -> graph.add(Unary.COPY, new Immediate(Scalar.of(DType.FLOAT32, 1L))),
                graph -> graph.add(Unary.COPY, new Immediate(Scalar.of(DType.FLOAT64, 1L))));
    }

    private static Consumer<Recording> plus(Scalar number) {
        return graph -> graph.add(Binary.ADD, graph.input(FLOATS), new Immediate(number));
    }

    @Test
    void livenessIsPartOfIt() {
        Consumer<Recording> negation = graph -> graph.add(Unary.NEG, graph.input(FLOATS));
        assertDifferent(negation, negation.andThen(graph -> graph.drop(0)));
        assertDifferent(negation, negation.andThen(graph -> graph.dropInput(0)));
    }

    @Test
    void sourceLinesAreNoPartOfIt() {
        Consumer<Recording> negation = graph -> graph.add(Unary.NEG, graph.input(FLOATS));
        assertSame(negation, negation.andThen(graph -> graph.recorded.source("Train.java:12")));
    }

    /** Tests every variant of every sample, as its op describes it. */
    @Test
    void holdsForTheVariantsOfEveryOp() {
        for (OpSample sample : OpSamples.all()) {
            byte[] structure = structure(sample, sample.op());
            for (Op variant : sample.otherData()) {
                assertArrayEquals(structure, structure(sample, variant), variant::toString);
            }
            for (Op variant : sample.otherStructure()) {
                assertFalse(Arrays.equals(structure, structure(sample, variant)), variant::toString);
            }
        }
    }

    /** Variants need not fit the operands, so they are written without being inferred. */
    private static byte[] structure(OpSample sample, Op op) {
        SegmentWriter writer = new SegmentWriter();
        int operands = sample.operands().size();
        IntStream.range(0, operands).forEach(index -> writer.addInput(index + 1));
        writer.begin(op, operands);
        IntStream.range(0, operands).forEach(writer::input);
        writer.finish(op, 100, 1);
        return writer.structure();
    }

    private static void assertSame(Consumer<Recording> left, Consumer<Recording> right) {
        assertEquals(structure(left), structure(right));
    }

    private static void assertDifferent(Consumer<Recording> left, Consumer<Recording> right) {
        assertEquals(structure(left), structure(left));
        assertNotEquals(structure(left), structure(right));
    }

    private static Structure structure(Consumer<Recording> program) {
        Recording recording = new Recording(new SplittableRandom(1));
        program.accept(recording);
        return recording.graph().structure();
    }
}
