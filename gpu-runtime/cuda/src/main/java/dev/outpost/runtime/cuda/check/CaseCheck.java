package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.Comparison;
import dev.outpost.runtime.engine.comparison.DifferenceException;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Holds an engine to the reference engine over a family of cases, for as long as there is time. */
final class CaseCheck {
    private static final int MOST_TOLD = 500;

    private final Comparison comparison;
    private final int step;
    private final long most;
    private int seen;
    private int run;
    private int wrong;
    private final List<String> told = new ArrayList<>();

    /** @param step from one case that is run to the next */
    CaseCheck(Engine engine, int step, Duration most) {
        this.comparison = new Comparison(new ReferenceEngine(), engine);
        this.step = step;
        this.most = most.toNanos();
    }

    /** @throws WrongResultException if a case differs or fails, with how many do and what the first is */
    Measurement run(Consumer<Consumer<Case>> cases) {
        long start = System.nanoTime();
        cases.accept(next -> {
            if (seen++ % step == 0 && System.nanoTime() - start < most) {
                check(next);
            }
        });
        if (wrong > 0) {
            throw new WrongResultException(wrong + " of " + run + " cases differ, the first: " + told.getFirst(), told);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return Measurement.of(
                Map.of("cases", (double) run, "seconds", seconds),
                "%d of %d cases as the reference, in %.0f s%s",
                run,
                seen,
                seconds,
                run < (seen + step - 1) / step ? ", which was all the time" : "");
    }

    private void check(Case next) {
        run++;
        try {
            comparison.check(next);
        } catch (RuntimeException difference) {
            tell(next, difference);
        }
    }

    /** A case whose kernel is refused or fails does not keep the others from being tried. */
    private void tell(Case next, RuntimeException difference) {
        wrong++;
        if (told.size() < MOST_TOLD) {
            told.add(
                    difference instanceof DifferenceException
                            ? difference.getMessage()
                            : next + ": " + difference.getMessage());
        }
    }
}
