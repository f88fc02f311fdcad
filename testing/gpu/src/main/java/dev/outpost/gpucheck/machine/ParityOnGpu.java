package dev.outpost.gpucheck.machine;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ops.MachineSubject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs the cases of the parity pack whose ops exist on a GPU. Results must equal PyTorch's, except for the pack's known differences and
 * those of the reference engine. The order of the cases is random but fixed, so that a partial run covers all ops.
 */
final class ParityOnGpu {
    private static final long ORDER = 1;

    /** A file of the pack's folder; each line is a case, a tab, and the reason. */
    private static final String KNOWN = "known-differences.txt";

    private final GpuUnderCheck gpu;
    private final CheckLimits limits;
    private final int from;
    private final TimeLimit time;
    private int total = 1;
    private final Queue<ParityOutcome> judged = new ConcurrentLinkedQueue<>();

    /** @param from the number of cases that earlier runs judged */
    ParityOnGpu(GpuUnderCheck gpu, CheckLimits limits, long from, TimeLimit time) {
        this.gpu = gpu;
        this.limits = limits;
        this.from = Math.toIntExact(from);
        this.time = time;
    }

    PartProgress progress() {
        return new PartProgress(from + judged.size(), total);
    }

    GpuFinding run() {
        return limits.parity().map(this::run).orElseGet(() -> GpuFinding.skipped("the parity pack is not here"));
    }

    private GpuFinding run(Path folder) {
        try (ParityPack pack = ParityPack.open(folder)) {
            Predicate<String> known = MachineSubject.knownOps();
            List<ParityCase> cases = new ArrayList<>(
                    pack.cases().stream().filter(each -> known.test(each.op())).toList());
            Collections.shuffle(cases, new Random(ORDER));
            total = cases.size();
            judgeOnGpu(pack, new ConcurrentLinkedQueue<>(cases.subList(Math.min(from, total), total)));
            List<ParityOutcome> wrong = wrong(pack, known(folder));
            if (!wrong.isEmpty()) {
                throw new WrongAnswerException(
                        wrong.size() + " of " + judged.size() + " cases differ, the first: "
                                + describe(wrong.getFirst()) + progress().left(),
                        wrong.stream().map(ParityOnGpu::describe).toList());
            }
            double seconds = time.used().toMillis() / 1e3;
            return GpuFinding.of(
                    Map.of("cases", (double) judged.size(), "seconds", seconds),
                    "%d of %d cases, %d of them as PyTorch and the others as on any engine, in %.0f s%s",
                    judged.size(),
                    total,
                    judged.stream().filter(ParityOutcome::passed).count(),
                    seconds,
                    progress().left());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String describe(ParityOutcome wrong) {
        return wrong.id() + ", " + wrong.difference().orElseThrow();
    }

    private void judgeOnGpu(ParityPack pack, Queue<ParityCase> cases) {
        try (ExecutorService machines = Executors.newFixedThreadPool(limits.machines())) {
            List<CompletableFuture<Void>> all = IntStream.range(0, limits.machines())
                    .mapToObj(number -> CompletableFuture.runAsync(() -> judgeOnOne(pack, cases), machines))
                    .toList();
            all.forEach(CompletableFuture::join);
        }
    }

    private void judgeOnOne(ParityPack pack, Queue<ParityCase> cases) {
        try (CheckedMachine machine = new CheckedMachine(() -> gpu.engines().apply(EngineSettings.DEFAULT))) {
            ParityJudge judge = new ParityJudge(new MachineSubject(machine.machine()), pack);
            for (ParityCase next = cases.poll(); next != null; next = cases.poll()) {
                judged.add(judge.judge(next));
                if (time.isOver()) {
                    return;
                }
            }
        }
    }

    private static Set<String> known(Path folder) throws IOException {
        Path file = folder.resolve(KNOWN);
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .map(line -> line.split("\t")[0])
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** Returns the unexpected differences from PyTorch that the reference engine does not have. */
    private List<ParityOutcome> wrong(ParityPack pack, Set<String> known) {
        List<ParityOutcome> different = judged.stream()
                .filter(outcome -> !outcome.passed() && !known.contains(outcome.id()))
                .toList();
        if (different.isEmpty()) {
            return different;
        }
        Map<String, ParityCase> byId =
                pack.cases().stream().collect(Collectors.toMap(ParityCase::id, Function.identity()));
        MachineOptions options = new MachineOptions().option("engine", "reference");
        try (MachineSubject subject = new MachineSubject(RemoteMachine.of("mock", "any", options))) {
            ParityJudge reference = new ParityJudge(subject, pack);
            return different.stream()
                    .filter(outcome -> reference.judge(byId.get(outcome.id())).passed())
                    .toList();
        }
    }
}
