package dev.outpost.protocol.tape;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static dev.outpost.protocol.RefusalAssertions.assertRefused;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Received bytes are read, refused or reported as malformed, without any other effect and at a low cost. */
class HostileSegmentTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));

    /**
     * The bytes that a segment of a few hundred bytes may make its reader allocate: its tables of 2^17 values and some
     * more.
     */
    private static final long MAX_ALLOCATION = 8 << 20;

    private static final long[] HOSTILE = {
        0,
        1,
        -1,
        64,
        65,
        127,
        128,
        1L << 16,
        (1L << 17) + 1,
        Integer.MAX_VALUE,
        1L << 31,
        1L << 32,
        1L << 61,
        1L << 62,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    @Test
    @Tag("quick")
    void truncatedSegmentIsMalformed() {
        Trials.repeat(20, 1, random -> {
            byte[] bytes = segment(random);
            for (int end = 0; end < bytes.length; end++) {
                byte[] cut = Arrays.copyOf(bytes, end);
                assertThrows(MalformedException.class, () -> Segment.read(cut), "cut at " + end);
            }
        });
    }

    @Test
    @Tag("quick")
    void segmentWithTrailingBytesIsMalformed() {
        byte[] bytes = segment(new SplittableRandom(1));
        assertMalformed("segment has 1 bytes too many", () -> Segment.read(Arrays.copyOf(bytes, bytes.length + 1)));
    }

    @Test
    void survivesMutation() {
        byte[][] corpus = new byte[50][];
        Arrays.setAll(corpus, seed -> segment(new SplittableRandom(seed)));
        Trials.repeat(20_000, 1, random -> {
            byte[] mutant = corpus[random.nextInt(corpus.length)].clone();
            for (int round = random.nextInt(4); round >= 0; round--) {
                mutant = mutate(mutant, random);
            }
            readWithin(mutant);
        });
    }

    /** Mutates only the content of the structure's block, so that the block's length stays right and the content is read. */
    @Test
    void survivesMutationOfInstructions() {
        Parts[] corpus = new Parts[50];
        Arrays.setAll(corpus, seed -> Parts.of(segment(new SplittableRandom(seed))));
        Trials.repeat(20_000, 1, random -> {
            Parts parts = corpus[random.nextInt(corpus.length)];
            byte[] original = parts.instructions;
            parts.instructions = mutate(original, random);
            readWithin(parts.toByteArray());
            parts.instructions = original;
        });
    }

    @Test
    @Tag("quick")
    void countsMustBeBelievable() {
        for (String count : new String[] {"instruction", "input", "result"}) {
            Parts parts = negation();
            parts.set(count, Integer.MAX_VALUE);
            assertMalformed(count + " count is out of range: 2147483647", () -> read(parts));
            parts.set(count, -1);
            assertMalformed(count + " count is out of range: -1", () -> read(parts));
        }
    }

    @Test
    @Tag("quick")
    void moreInstructionsThanBytesAreMalformed() {
        Parts parts = negation();
        parts.instructionCount = 2;
        assertMalformed("truncated: 1 bytes wanted, 0 left", () -> read(parts));
        parts.instructionCount = 0;
        assertMalformed("the instructions do not define as many results as the segment says", () -> read(parts));
    }

    @Test
    @Tag("quick")
    void anInstructionMustNotDefineMoreThanSaid() {
        Parts parts = negation();
        parts.instructionCount = 2;
        byte[] twice = Arrays.copyOf(parts.instructions, 2 * parts.instructions.length);
        System.arraycopy(parts.instructions, 0, twice, parts.instructions.length, parts.instructions.length);
        parts.instructions = twice;
        assertMalformed("the instructions define more results than the segment says", () -> read(parts));
    }

    @Test
    @Tag("quick")
    void operandsMustExist() {
        assertMalformed("an operand refers to value 1 outside 0 to 1", () -> read(negationOf(operand(1, 1))));
        assertMalformed("an operand refers to value 1 outside 1 to 1", () -> read(negationOf(operand(0, 0))));
        assertMalformed("an operand refers to value 0 outside 1 to 1", () -> read(negationOf(operand(1, 0))));
        assertMalformed("an operand is of no known kind", () -> read(negationOf(3)));
        assertMalformed("dtype code 99 is unknown", () -> read(negationOf(operand(99, 2))));
    }

    @Test
    @Tag("quick")
    void aNumberHasNoViews() {
        SegmentWriter writer = new SegmentWriter();
        AsStrided whole = new AsStrided(Layout.contiguous(Shape.SCALAR));
        writer.begin(whole, 1);
        writer.immediate(Scalar.of(DType.FLOAT32, 1));
        writer.finish(whole, 100, 1);
        assertMalformed("as_strided of a number that stands in the instruction", () -> read(writer));
    }

    private static long operand(long payload, int kind) {
        return payload << 2 | kind;
    }

    @Test
    @Tag("quick")
    void shapesMustBeCountable() {
        assertRefused(
                "shape: the number of elements overflows, got [4294967296, 4294967296]",
                () -> read(fill(1L << 32, 1L << 32)));
        assertRefused("shape: sizes must not be negative, got [-1]", () -> read(fill(-1)));
    }

    private static Parts fill(long... sizes) {
        ByteWriter instructions = new ByteWriter();
        instructions.varint(170);
        instructions.varints(sizes);
        instructions.u8(DType.FLOAT32.code());
        return Parts.ofOne(instructions, new byte[8]);
    }

    @Test
    @Tag("quick")
    void extentsMustBeCountable() {
        ByteWriter instructions = new ByteWriter();
        instructions.varint(160);
        instructions.varint(operand(0, 1));
        instructions.varints(new long[] {3});
        instructions.varint(Long.MAX_VALUE);
        assertRefused(
                "as_strided: the extent overflows, got [3] strides [9223372036854775807] offset 0",
                () -> read(Parts.ofOne(instructions, new byte[1])));
    }

    @Test
    @Tag("quick")
    void bytesOfALiteralMustBeCountable() {
        TensorType huge = new TensorType(DType.FLOAT64, Shape.of(1L << 61));
        assertRefused(
                "shape: the number of bytes overflows, got float64[2305843009213693952]",
                () -> read(record(new Literal(huge, new byte[0]))));
    }

    @Test
    @Tag("quick")
    void sizesOfAConcatenationMustBeCountable() {
        TensorType huge = new TensorType(DType.BOOL, Shape.of(Long.MAX_VALUE));
        assertRefused(
                "cat: the size of dimension 0 overflows, got [9223372036854775807] and [9223372036854775807]",
                () -> Segment.read(record(new Concat(0), huge, huge).toByteArray())
                        .graph(huge, huge));
    }

    @Test
    @Tag("quick")
    void anIdIsBoundOnce() {
        SegmentWriter writer = new SegmentWriter();
        writer.addInput(7);
        writer.addInput(7);
        assertMalformed("value %7 is bound twice", () -> Segment.read(writer.toByteArray()));
    }

    @Test
    @Tag("quick")
    void idsArePositive() {
        SegmentWriter writer = new SegmentWriter();
        writer.addInput(0);
        assertMalformed("value ids are positive, got 0", () -> Segment.read(writer.toByteArray()));
    }

    @Test
    @Tag("quick")
    void aSourceLineBelongsToAnInstruction() {
        Parts parts = negation();
        ByteWriter rest = new ByteWriter();
        rest.bytes(Parts.rest(1));
        rest.varint(5);
        rest.string("Train.java:1");
        parts.rest = rest.toByteArray();
        assertMalformed("a source line names instruction 5 of 1", () -> read(parts));
    }

    private static byte[] segment(RandomGenerator random) {
        return Recording.random(random, new SplittableRandom(1)).writer().toByteArray();
    }

    private static Parts negation() {
        return negationOf(operand(0, 1));
    }

    private static Parts negationOf(long operand) {
        ByteWriter instructions = new ByteWriter();
        instructions.varint(Unary.NEG.code());
        instructions.varint(operand);
        return Parts.ofOne(instructions, new byte[0]);
    }

    private static SegmentWriter record(Op op, TensorType... operands) {
        SegmentWriter writer = new SegmentWriter();
        for (int index = 0; index < operands.length; index++) {
            writer.addInput(index + 1);
        }
        writer.begin(op, operands.length);
        for (int index = 0; index < operands.length; index++) {
            writer.input(index);
        }
        writer.finish(op, 100, 1);
        return writer;
    }

    private static Graph read(Parts parts) {
        return read(parts.toByteArray());
    }

    private static Graph read(SegmentWriter writer) {
        return read(writer.toByteArray());
    }

    private static Graph read(byte[] bytes) {
        Segment segment = Segment.read(bytes);
        TensorType[] inputTypes = new TensorType[segment.structure().inputCount()];
        Arrays.fill(inputTypes, FLOATS);
        return segment.graph(inputTypes);
    }

    private static void readWithin(byte[] bytes) {
        long before = allocated();
        try {
            read(bytes);
        } catch (MalformedException | OpException expected) {
            // Hostile bytes may cause either exception.
        }
        long spent = allocated() - before;
        assertTrue(spent < MAX_ALLOCATION, () -> bytes.length + " bytes made their reader allocate " + spent);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static byte[] mutate(byte[] bytes, RandomGenerator random) {
        int at = random.nextInt(bytes.length + 1);
        return switch (random.nextInt(4)) {
            case 0 -> splice(bytes, at, 0, out -> out.varint(HOSTILE[random.nextInt(HOSTILE.length)]));
            case 1 -> splice(bytes, at, 1, out -> out.varint(HOSTILE[random.nextInt(HOSTILE.length)]));
            case 2 -> splice(bytes, at, 1, out -> out.u8(random.nextInt(256)));
            default -> splice(bytes, at, 1 + random.nextInt(4), out -> {});
        };
    }

    private static byte[] splice(byte[] bytes, int at, int removed, Consumer<ByteWriter> insertion) {
        ByteWriter out = new ByteWriter();
        out.bytes(bytes, 0, at);
        insertion.accept(out);
        int from = Math.min(bytes.length, at + removed);
        out.bytes(bytes, from, bytes.length - from);
        return out.toByteArray();
    }
}
