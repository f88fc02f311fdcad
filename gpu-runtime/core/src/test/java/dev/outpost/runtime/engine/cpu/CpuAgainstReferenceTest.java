package dev.outpost.runtime.engine.cpu;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpTable;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.ElementwiseCases;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.FactorizationCases;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.comparison.MovingCases;
import dev.outpost.runtime.engine.comparison.PagedAttentionCases;
import dev.outpost.runtime.engine.comparison.QuantizedCases;
import dev.outpost.runtime.engine.comparison.WindowCases;
import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every op of the table, against the reference engine. */
class CpuAgainstReferenceTest {
    private static final long POOL = 1 << 20;

    /** Ops of placement, which no engine gets. */
    private static final Set<Integer> PLACEMENT = Stream.<Op>concat(
                    Stream.of(
                            new AsStrided(Layout.contiguous(Shape.SCALAR)),
                            new Literal(new TensorType(DType.BOOL, Shape.SCALAR), new byte[1]),
                            new Upload(new TensorType(DType.BOOL, Shape.SCALAR), 1),
                            new Load(new TensorType(DType.BOOL, Shape.SCALAR), "", "", "", "", List.of()),
                            new UpdateGuard(1, 1),
                            new UpdateCommit(),
                            new ModelOpen(List.of(), false),
                            new ModelCall(List.of(new TensorType(DType.BOOL, Shape.SCALAR)))),
                    collectives())
            .map(Op::code)
            .collect(Collectors.toSet());

    private static Stream<Op> collectives() {
        TensorType type = new TensorType(DType.FLOAT32, Shape.SCALAR);
        return Arrays.stream(Collective.Fn.values())
                .map(fn -> new Collective(fn, type, List.of(0), Optional.empty(), Optional.empty(), 1, 1));
    }

    @Test
    @Tag("quick")
    void elementwiseOpsAreTheReferences() {
        onTwoThreads(ElementwiseCases::each);
    }

    @Test
    void foldsAreTheReferences() {
        onTwoThreads(FoldingCases::each);
    }

    @Test
    @Tag("quick")
    void movesAreTheReferences() {
        onTwoThreads(MovingCases::each);
    }

    @Test
    void windowsAreTheReferences() {
        onTwoThreads(WindowCases::each);
    }

    @Test
    void attentionIsTheReferences() {
        onTwoThreads(AttentionCases::each);
        onTwoThreads(PagedAttentionCases::each);
        onTwoThreads(QuantizedCases::each);
    }

    @Test
    @Tag("quick")
    void factorizationsAreTheReferences() {
        onTwoThreads(FactorizationCases::each);
    }

    @Test
    void productsWithoutABlasAreTheReferences() {
        try (Engine engine = new CpuEngine(2, POOL, Optional.empty(), Chains.compiled(64))) {
            EngineComparison comparison = new EngineComparison(new ReferenceEngine(), engine);
            FoldingCases.each(run -> {
                if (run.op() instanceof Matmul) {
                    comparison.check(run);
                }
            });
            WindowCases.each(comparison::check);
            AttentionCases.each(comparison::check);
            PagedAttentionCases.each(comparison::check);
            QuantizedCases.each(comparison::check);
            FactorizationCases.each(comparison::check);
        }
    }

    @Test
    void noBitDependsOnTheNumberOfThreads() {
        try (Engine one = new CpuEngine(1, POOL);
                Engine three = new CpuEngine(3, POOL)) {
            EngineComparison comparison = new EngineComparison(one, three);
            FoldingCases.each(run -> comparison.check(run.exactly()));
            WindowCases.each(run -> comparison.check(run.exactly()));
            AttentionCases.each(run -> comparison.check(run.exactly()));
            PagedAttentionCases.each(run -> comparison.check(run.exactly()));
            QuantizedCases.each(run -> comparison.check(run.exactly()));
            FactorizationCases.each(run -> comparison.check(run.exactly()));
        }
    }

    @Test
    @Tag("quick")
    void everyOpOfTheTableHasACase() {
        Set<Integer> missing = new TreeSet<>();
        OpTable.rows().forEach(row -> missing.add(row.code()));
        missing.removeAll(PLACEMENT);
        Consumer<Case> seen = run -> missing.remove(run.op().code());
        ElementwiseCases.each(seen);
        FoldingCases.each(seen);
        MovingCases.each(seen);
        WindowCases.each(seen);
        AttentionCases.each(seen);
        PagedAttentionCases.each(seen);
        QuantizedCases.each(seen);
        FactorizationCases.each(seen);
        assertTrue(missing.isEmpty(), () -> "no case runs the ops of codes " + missing);
    }

    private static void onTwoThreads(Consumer<Consumer<Case>> cases) {
        try (Engine engine = new CpuEngine(2, POOL)) {
            cases.accept(new EngineComparison(new ReferenceEngine(), engine)::check);
        }
    }
}
