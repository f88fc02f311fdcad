package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.cuda.compile.CompilationException;
import dev.outpost.runtime.cuda.compile.KernelCompilers;
import dev.outpost.runtime.cuda.emulation.IdleGpu;
import dev.outpost.runtime.cuda.kernel.TensorCoreAttentionTest;
import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.ElementwiseCases;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.comparison.MovingCases;
import dev.outpost.runtime.engine.comparison.PagedAttentionCases;
import dev.outpost.runtime.engine.comparison.QuantizedCases;
import dev.outpost.runtime.engine.comparison.WindowCases;
import dev.outpost.runtime.plan.AttentionPrograms;
import dev.outpost.runtime.plan.FixedPrograms;
import dev.outpost.runtime.plan.ProgramSources;
import dev.outpost.runtime.session.RandomProgramSources;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every kernel that the cases of the op table and random programs need, for every architecture of the catalogue. No GPU is needed. */
class KernelsCompileTest {
    /** The number of kernels of each family in the usual run. */
    private static final int SOME = 18;

    private KernelCompilers compilers;
    private List<Integer> known;

    @BeforeEach
    void find() {
        compilers = KernelCompilers.find();
        known = compilers.known();
        assertTrue(known.contains(90), "the compiler does not know the H100");
    }

    @Test
    void someElementwiseKernels() {
        compileSome(ElementwiseCases::each);
    }

    @Test
    void someFolds() {
        compileSome(FoldingCases::each);
    }

    @Test
    void someMoves() {
        compileSome(MovingCases::each);
    }

    @Test
    void someAttentionOverPages() {
        compileSome(PagedAttentionCases::each);
        compileSome(QuantizedCases::each);
    }

    @Test
    void someWindows() {
        compileSome(WindowCases::each);
    }

    @Test
    void attention() {
        compileAll(ProgramSources.of(AttentionPrograms.attention()));
    }

    @Test
    void fixedPrograms() {
        compileAll(FixedPrograms.all().values().stream()
                .flatMap(program -> ProgramSources.of(program).stream())
                .distinct()
                .toList());
    }

    @Test
    void someOfRandomPrograms() throws InterruptedException {
        compileSome(RandomProgramSources.of(1, 3), SOME);
    }

    @Test
    @Tag("full")
    void ofRandomPrograms() throws InterruptedException {
        compileAll(RandomProgramSources.of(1, 10));
    }

    @Test
    @Tag("full")
    void elementwiseKernels() {
        compileAll(ElementwiseCases::each);
    }

    @Test
    @Tag("full")
    void folds() {
        compileAll(FoldingCases::each);
    }

    @Test
    @Tag("full")
    void moves() {
        compileAll(MovingCases::each);
    }

    @Test
    @Tag("full")
    void windows() {
        compileAll(WindowCases::each);
    }

    /** A few of many similar kernels, only for devices that have the instruction. */
    @Test
    void attentionByTensorCores() {
        compileByTensorCores(TensorCoreAttentionTest::each, 11);
    }

    @Test
    void attentionOverPagesByTensorCores() {
        compileByTensorCores(TensorCoreAttentionTest::eachOfPages, 1);
    }

    /** @param step the distance from one compiled case to the next */
    private void compileByTensorCores(Consumer<Consumer<Case>> cases, int step) {
        List<String> sources = CaseSources.of(new IdleGpu(80), cases);
        List<String> problems = new ArrayList<>();
        List<Integer> able = known.stream().filter(one -> one >= 80).toList();
        for (int number = 0; number < sources.size(); number += step) {
            compile(sources.get(number), able.get(number % able.size()), problems);
        }
        assertEquals(List.of(), problems);
    }

    /** Each kernel only for one architecture, because they are long. */
    @Test
    @Tag("full")
    void allAttention() {
        List<String> sources = CaseSources.of(AttentionCases::each);
        compileSome(sources, sources.size());
    }

    /** Compiles a selection of the family, spread over the architectures that the compiler supports. */
    private void compileSome(Consumer<Consumer<Case>> cases) {
        compileSome(CaseSources.of(cases), SOME);
    }

    private void compileSome(List<String> sources, int count) {
        List<String> problems = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            String source = sources.get((int) ((long) number * sources.size() / count));
            compile(source, known.get(number % known.size()), problems);
        }
        assertEquals(List.of(), problems);
    }

    private void compileAll(Consumer<Consumer<Case>> cases) {
        compileAll(CaseSources.of(cases));
    }

    private void compileAll(List<String> sources) {
        List<String> problems = new ArrayList<>();
        sources.forEach(source -> known.forEach(architecture -> compile(source, architecture, problems)));
        assertEquals(List.of(), problems);
    }

    private void compile(String source, int architecture, List<String> problems) {
        try {
            byte[] cubin = compilers.compile(source, architecture);
            assertTrue(cubin.length > 0);
        } catch (CompilationException failure) {
            problems.add("for " + architecture + ": " + failure.log() + "\n" + source.substring(source.length() / 2));
        }
    }
}
