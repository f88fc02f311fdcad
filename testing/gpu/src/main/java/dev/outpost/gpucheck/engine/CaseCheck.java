package dev.outpost.gpucheck.engine;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.DifferenceException;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Compares an engine with the reference engine over a family of cases, as long as time is left. Neighbouring cases are similar, so every
 * seventh case is tried first, then the case after each of those, and so on.
 */
final class CaseCheck {
    private static final int MAX_TOLD = 500;
    private static final int STEP = 7;

    private final EngineComparison comparison;
    private final TimeLimit time;
    private final long from;
    private final List<String> told = new ArrayList<>();
    private long place;
    private long total;
    private long run;
    private long wrong;

    /** @param from the number of cases that earlier runs tried */
    CaseCheck(Engine engine, long from, TimeLimit time) {
        this.comparison = new EngineComparison(new ReferenceEngine(), engine);
        this.from = from;
        this.time = time;
    }

    /** @throws WrongAnswerException if a case differs or fails; the message has the number of such cases and the first one */
    GpuFinding run(Consumer<Consumer<Case>> cases) {
        for (int offset = 0; offset < STEP && (offset == 0 || !time.isOver()); offset++) {
            total = runFrom(offset, cases);
        }
        if (wrong > 0) {
            throw new WrongAnswerException(
                    wrong + " of " + run + " cases differ, the first: " + told.getFirst()
                            + progress().left(),
                    told);
        }
        double seconds = time.used().toMillis() / 1e3;
        return GpuFinding.of(
                Map.of("cases", (double) run, "seconds", seconds),
                "%d of %d cases as the reference, in %.0f s%s",
                run,
                total,
                seconds,
                progress().left());
    }

    PartProgress progress() {
        return new PartProgress(from + run, total);
    }

    /** Returns the number of cases. */
    private long runFrom(int offset, Consumer<Consumer<Case>> cases) {
        long[] seen = {0};
        cases.accept(next -> {
            if (seen[0]++ % STEP == offset && place++ >= from && !time.isOver()) {
                check(next);
            }
        });
        return seen[0];
    }

    private void check(Case next) {
        run++;
        try {
            comparison.check(next);
        } catch (RuntimeException failure) {
            report(next, failure);
        }
    }

    /** After a case whose kernel is refused or fails, the others are still tried. */
    private void report(Case next, RuntimeException difference) {
        wrong++;
        if (told.size() < MAX_TOLD) {
            told.add(
                    difference instanceof DifferenceException
                            ? difference.getMessage()
                            : next + ": " + difference.getMessage());
        }
    }
}
