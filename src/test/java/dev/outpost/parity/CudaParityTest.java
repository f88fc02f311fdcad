package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.cuda.compile.CompilationException;
import dev.outpost.runtime.cuda.compile.KernelCompilers;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.cuda.engine.SourceCollector;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ops.MachineSubject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the parity pack with a GPU's kernels: run as C on an emulated GPU, and compiled for the GPUs of the catalogue. */
class CudaParityTest {
    private static final long QUOTA = 1L << 28;

    @Test
    void someCasesAreAsPyTorch() throws IOException {
        assertAsPyTorch(149);
    }

    @Test
    @Tag("full")
    void allCasesAreAsPyTorch() throws IOException {
        assertAsPyTorch(1);
    }

    @Test
    void someKernelsCompile() throws IOException {
        compile(149, 12);
    }

    @Test
    @Tag("full")
    void allKernelsCompile() throws IOException {
        compile(1, Integer.MAX_VALUE);
    }

    private static void assertAsPyTorch(int step) throws IOException {
        Set<String> known = KnownPackDifferences.all("");
        List<ParityOutcome> outcomes = judge(step, EmulatedEngines::open);
        assertTrue(outcomes.size() >= 20, "no case was judged");
        assertEquals(
                List.of(),
                outcomes.stream()
                        .filter(outcome -> !outcome.passed() && !known.contains(outcome.id()))
                        .toList());
    }

    private static List<ParityOutcome> judge(int step, Supplier<Engine> engines) throws IOException {
        MockProvider provider =
                new MockProvider(MockSettings.STANDARD.withEngine(engines).withQuota(QUOTA));
        List<ParityOutcome> outcomes = new ArrayList<>();
        try (ParityPack pack = ParityPack.open(
                        JudgedPack.resource("/parity/cases.jsonl").getParent());
                MachineSubject subject = new MachineSubject(RemoteMachine.of(provider, "any", new MachineOptions()))) {
            ParityJudge judge = new ParityJudge(subject, pack);
            List<ParityCase> cases = pack.cases().stream()
                    .filter(each -> subject.knows(each.op()))
                    .toList();
            for (int number = 0; number < cases.size(); number += step) {
                outcomes.add(judge.judge(cases.get(number)));
            }
        }
        return outcomes;
    }

    /** Compiles the kernels that cases need, collected by a GPU that computes nothing; each for one architecture in turn, or for all. */
    private static void compile(int step, int max) throws IOException {
        KernelCompilers compilers = KernelCompilers.find();
        SourceCollector collector = new SourceCollector();
        judge(step, collector::engine);
        List<Integer> known = compilers.known();
        List<String> sources = collector.sources();
        List<String> problems = new ArrayList<>();
        for (int number = 0; number < Math.min(max, sources.size()); number++) {
            boolean isAll = max >= sources.size();
            for (int architecture : isAll ? known : List.of(known.get(number % known.size()))) {
                try {
                    compilers.compile(sources.get(number), architecture);
                } catch (CompilationException failure) {
                    problems.add("for " + architecture + ": " + failure.log());
                }
            }
        }
        assertTrue(sources.size() > 12, "no source was collected");
        assertEquals(List.of(), problems);
    }
}
