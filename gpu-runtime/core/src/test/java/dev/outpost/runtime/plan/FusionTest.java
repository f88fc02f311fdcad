package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class FusionTest {
    private static final Reduce ROW_SUM = new Reduce(Reduce.Fn.SUM, Axes.of(1), true);

    private static final Predicate<Instruction> NOT_IN_ROWS = instruction -> false;
    private static final Predicate<Instruction> IN_ROWS = instruction -> true;

    private static final IntPredicate KEPT = value -> true;

    private IntPredicate kept = KEPT;
    private final SegmentWriter writer = new SegmentWriter();
    private int inputs;
    private int results;

    @Test
    void aChainIsOneGroup() {
        int input = input();
        int sum = op(Binary.ADD, input, input);
        int root = op(Unary.SQRT, sum);
        op(Unary.NEG, root);
        assertEquals("[[0, 1, 2]]", groups(4, 5));
    }

    @Test
    void twoChainsAndTheirCommonEndAreOneGroup() {
        int input = input();
        int left = op(Unary.EXP, input);
        int right = op(Unary.NEG, input);
        op(Binary.MUL, left, right);
        assertEquals("[[0, 1, 2]]", groups(4, 5));
    }

    /** The last instruction needs the sum, and the sum needs the first: a group of the two would wait for itself. */
    @Test
    void dependencyOnAnotherGroupPreventsFusion() {
        int input = input();
        int exponential = op(Unary.EXP, input);
        int sum = op(ROW_SUM, exponential);
        op(Binary.DIV, exponential, sum);
        assertEquals("[[0], [1], [2]]", groups(4, 5));
    }

    /** The last instruction could be fused with either of the other two, but these two cannot be fused with each other. */
    @Test
    void groupsThatWaitForEachOtherAreNotMerged() {
        int input = input();
        int first = op(Unary.EXP, input);
        int sum = op(ROW_SUM, first);
        int second = op(Binary.DIV, input, sum);
        op(Binary.MUL, first, second);
        assertEquals("[[0], [1], [2, 3]]", groups(4, 5));
    }

    @Test
    void anotherShapeIsAnotherGroup() {
        int input = input();
        int sum = op(ROW_SUM, input);
        int root = op(Unary.SQRT, sum);
        op(Binary.DIV, input, root);
        assertEquals("[[0], [1], [2]]", groups(4, 5));
    }

    @Test
    void aGroupHasABound() {
        int value = input();
        for (int instruction = 0; instruction < 200; instruction++) {
            value = op(Unary.NEG, value);
        }
        List<KernelBody> groups = Fusion.of(graph(4, 5), NOT_IN_ROWS, KEPT);
        assertEquals(
                List.of(128, 72),
                groups.stream().map(group -> group.instructions().size()).toList());
    }

    @Test
    void anOperandMoreMayBeOneTooMany() {
        int value = input();
        int[] others = new int[40];
        for (int other = 0; other < others.length; other++) {
            others[other] = input();
        }
        for (int other : others) {
            value = op(Binary.ADD, value, other);
        }
        List<KernelBody> groups = Fusion.of(graph(4, 5), NOT_IN_ROWS, KEPT);
        assertEquals(2, groups.size());
    }

    @Test
    void rowwiseOpsAreOneGroup() {
        int input = input();
        int largest = op(new Reduce(Reduce.Fn.MAX, Axes.of(1), true), input);
        int power = op(Unary.EXP, op(Binary.SUB, input, largest));
        op(Binary.DIV, power, op(ROW_SUM, power));
        assertEquals("[[0, 1, 2, 3, 4]]", groups(IN_ROWS, 4, 5));
    }

    /** The sums of columns are complete when the last row is done. */
    @Test
    void aSumOfColumnsGoesAlongAndItsUsersWait() {
        int input = input();
        int square = op(Binary.MUL, input, input);
        int sum = op(new Reduce(Reduce.Fn.SUM, Axes.of(0), true), square);
        int rows = op(ROW_SUM, square);
        op(Binary.DIV, square, rows);
        op(Binary.SUB, square, sum);
        assertEquals("[[0, 1, 2, 3], [4]]", groups(IN_ROWS, 4, 5));
    }

    /** Then the input is read once. */
    @Test
    void aSumByItselfGoesWithRowsThatReadWhatItIsOf() {
        int input = input();
        op(Binary.SUB, input, op(ROW_SUM, input));
        op(new Reduce(Reduce.Fn.SUM, Axes.of(0), true), input);
        assertEquals("[[0, 1, 2]]", groups(IN_ROWS, 4, 5));
    }

    @Test
    void aSumThatTheRowsWaitForDoesNotGoWithThem() {
        int input = input();
        int sum = op(new Reduce(Reduce.Fn.SUM, Axes.of(0), true), input);
        op(ROW_SUM, op(Binary.SUB, input, sum));
        assertEquals("[[0], [1, 2]]", groups(IN_ROWS, 4, 5));
    }

    /** A line as long as the number of rows gives a number for each column of a square, not for each row. */
    @Test
    void broadcastAcrossRowsIsNotFused() {
        int input = input();
        int sum = op(new Reduce(Reduce.Fn.SUM, Axes.of(1), false), input);
        op(Binary.SUB, input, sum);
        assertEquals("[[0], [1]]", groups(IN_ROWS, 5, 5));
    }

    @Test
    void aRowsNumberThatIsRepeatedByAViewStaysWithItsRow() {
        int input = input();
        int sum = op(ROW_SUM, input);
        int view = op(new AsStrided(Layout.of(Shape.of(4, 5), new long[] {1, 0}, 0)), sum);
        op(Binary.SUB, input, view);
        assertEquals("[[0, 1, 2]]", groups(IN_ROWS, 4, 5));
    }

    /** A separate view costs nothing; in the group it would be stored. */
    @Test
    void aViewThatOnlyOthersUseLeavesItsGroup() {
        int input = input();
        int sum = op(ROW_SUM, input);
        op(Binary.SUB, input, sum);
        int view = op(new AsStrided(Layout.of(Shape.of(4), new long[] {1}, 0)), sum);
        op(new Reduce(Reduce.Fn.SUM, Axes.of(0), true), view);
        assertEquals("[[0, 1], [2], [3]]", groups(IN_ROWS, 4, 5));
    }

    @Test
    void rowsThatNoCacheHoldsAreNotFused() {
        int input = input();
        int sum = op(ROW_SUM, input);
        op(Binary.SUB, input, sum);
        assertEquals("[[0], [1]]", groups(IN_ROWS, 20, 1 << 17));
        assertEquals("[[0, 1]]", groups(IN_ROWS, 20, 1 << 16));
    }

    /**
     * The exponentials are in memory for the sum, so values that only the last instruction needs are computed from them there and not
     * stored.
     */
    @Test
    void opOnStoredValuesMovesToTheGroupThatNeedsIt() {
        recordWhatMayGoLater();
        assertEquals("[[0, 2], [1], [3]]", groups(4, 5));
        kept = value -> false;
        assertEquals("[[0], [1], [2, 3]]", groups(4, 5));
    }

    private void recordWhatMayGoLater() {
        int exponential = op(Unary.EXP, input());
        int sum = op(ROW_SUM, exponential);
        int negative = op(Unary.NEG, exponential);
        op(Binary.DIV, negative, sum);
    }

    /** Otherwise the operand would be stored instead of the result. */
    @Test
    void opOnAnUnstoredValueStaysInItsGroup() {
        kept = value -> false;
        int exponential = op(Unary.EXP, op(Unary.ABS, input()));
        int other = op(Unary.SQRT, op(Unary.NEG, exponential));
        int sum = op(ROW_SUM, op(Binary.ADD, exponential, other));
        op(Binary.DIV, other, sum);
        assertEquals("[[0, 1, 2, 3, 4], [5], [6]]", groups(4, 5));
    }

    /** The sent value and the returned gradient would be in one group, which would wait for the answer to its own message. */
    @Test
    void exchangesStayInTheirOrder() {
        int output = op(Unary.TANH, input());
        op(exchange(Collective.Fn.SEND, List.of(0, 1), Shape.of(0), 1), output);
        int gradient = op(exchange(Collective.Fn.RECEIVE, List.of(1, 0), Shape.of(4, 5), 2));
        op(Binary.MUL, output, gradient);
        kept = value -> false;
        assertEquals("[[0], [1], [2], [3]]", groups(4, 5));
    }

    private static Collective exchange(Collective.Fn fn, List<Integer> members, Shape shape, long number) {
        return new Collective(
                fn, new TensorType(DType.FLOAT32, shape), members, Optional.empty(), Optional.empty(), number, 1);
    }

    /** Each instruction of a recorded program occurs once, and after its operands. */
    @Test
    void theOrderCanBeRun() {
        for (int seed = 0; seed < 200; seed++) {
            FusionTest random = new FusionTest();
            random.recordRandomly(new Random(seed));
            Graph graph = random.graph(4, 5);
            for (IntPredicate some : List.<IntPredicate>of(KEPT, value -> false, value -> value % 3 == 0)) {
                assertRuns(graph, Fusion.of(graph, NOT_IN_ROWS, some), seed);
                assertRuns(graph, Fusion.of(graph, instruction -> true, some), seed);
            }
        }
    }

    private void recordRandomly(Random random) {
        int[] values = new int[60];
        for (int value = 0; value < 3; value++) {
            values[value] = input();
        }
        for (int value = 3; value < values.length; value++) {
            int left = values[random.nextInt(value)];
            int right = values[value - 1 - random.nextInt(Math.min(value, 8))];
            values[value] = random.nextInt(5) == 0 ? op(ROW_SUM, left) : op(Binary.ADD, left, right);
        }
    }

    private static void assertRuns(Graph graph, List<KernelBody> groups, int seed) {
        Set<Integer> known = new HashSet<>();
        for (int input = 0; input < graph.structure().inputCount(); input++) {
            known.add(input);
        }
        int seen = 0;
        for (KernelBody group : groups) {
            for (Instruction instruction : group.instructions()) {
                for (int position = 0; position < instruction.operandCount(); position++) {
                    assertTrue(known.contains(instruction.operand(position)), "seed " + seed + ": " + instruction);
                }
                known.add(instruction.result(0));
                seen++;
            }
        }
        assertEquals(graph.instructions().size(), seen, "seed " + seed);
    }

    // ---- recording

    /** Returns a negative number, to distinguish the input from a result. */
    private int input() {
        writer.addInput(++inputs);
        return -inputs;
    }

    private int op(Op op, int... operands) {
        writer.begin(op, operands.length);
        for (int operand : operands) {
            if (operand < 0) {
                writer.input(-operand - 1);
            } else {
                writer.result(operand);
            }
        }
        return writer.finish(op, 1_000 + results++, 1);
    }

    private Graph graph(long... sizes) {
        TensorType[] types = new TensorType[inputs];
        Arrays.fill(types, new TensorType(DType.FLOAT32, Shape.of(sizes)));
        return Segment.read(writer.toByteArray()).graph(types);
    }

    private String groups(long... sizes) {
        return groups(NOT_IN_ROWS, sizes);
    }

    private String groups(Predicate<Instruction> inRows, long... sizes) {
        return Fusion.of(graph(sizes), inRows, kept).stream()
                .map(group ->
                        group.instructions().stream().map(Instruction::index).toList())
                .toList()
                .toString();
    }
}
