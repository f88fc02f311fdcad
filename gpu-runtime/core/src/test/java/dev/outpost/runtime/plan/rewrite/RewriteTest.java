package dev.outpost.runtime.plan.rewrite;

import static dev.outpost.runtime.plan.rewrite.VerifiedDrafts.left;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.plan.Sketch;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RewriteTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));
    private static final TensorType INTEGERS = new TensorType(DType.INT32, Shape.of(2, 3));

    private final Sketch sketch = new Sketch();

    private RewriteContext draft(Rewrite rewrite) {
        return VerifiedDrafts.draft(sketch.graph(), rewrite, true);
    }

    @Test
    void unneededInstructionIsRemovedWithItsOperands() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, input);
        int second = sketch.op(Unary.NEG, first);
        sketch.op(Unary.SQRT, input);
        sketch.drop(first, second);
        assertEquals(List.of(2), left(draft(new DeadCodeElimination())));
    }

    @Test
    void keptValueStays() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, input);
        sketch.op(Unary.NEG, first);
        sketch.drop(first);
        assertEquals(List.of(0, 1), left(draft(new DeadCodeElimination())));
    }

    /** The kept value is replaced by another value, which is therefore needed. */
    @Test
    void replacementOfAKeptValueStays() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, input);
        int second = sketch.op(Unary.EXP, input);
        sketch.drop(first);
        Graph graph = sketch.graph();
        RewriteContext context = RewriteContext.of(graph, Rewrite.ALL, true);
        GraphVerifier.verify(graph, context, "all");
        assertEquals(List.of(0), left(context));
        assertEquals(first, context.replacements()[second]);
    }

    @Test
    void afterEachOfThemTheGraphIsSound() {
        for (int seed = 0; seed < 300; seed++) {
            Graph graph = random(new Random(seed));
            for (int count = 1; count <= Rewrite.ALL.size(); count++) {
                List<Rewrite> first = Rewrite.ALL.subList(0, count);
                for (boolean mayAssume : new boolean[] {true, false}) {
                    String where = "seed " + seed + ", after "
                            + first.getLast().getClass().getSimpleName();
                    GraphVerifier.verify(graph, RewriteContext.of(graph, first, mayAssume), where);
                }
            }
        }
    }

    /** Integers of one shape, so that all values can be combined, and many instructions are equal or cancel each other. */
    private static Graph random(Random random) {
        List<Op> unaries = List.of(
                Unary.NEG,
                Unary.NOT,
                Unary.RELU,
                Unary.COPY,
                new Cast(DType.INT32),
                new AsStrided(Layout.contiguous(INTEGERS.shape())));
        List<Op> binaries = List.of(Binary.ADD, Binary.MAXIMUM, Binary.AND, Binary.FLOOR_DIV);
        Sketch sketch = new Sketch();
        sketch.input(INTEGERS);
        int last = sketch.dyingInput(INTEGERS);
        for (int count = 0; count < 60; count++) {
            int value = Math.max(0, last - random.nextInt(5));
            int other = Math.max(0, last - random.nextInt(5));
            last = switch (random.nextInt(5)) {
                case 0 -> sketch.op(binaries.get(random.nextInt(binaries.size())), value, other);
                case 1 -> sketch.op(Binary.ADD, value, Scalar.of(DType.INT32, random.nextInt(2)));
                default -> sketch.op(unaries.get(random.nextInt(unaries.size())), value);
            };
            if (random.nextInt(3) > 0) {
                sketch.drop(last);
            }
        }
        return sketch.graph();
    }
}
