package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Index;
import dev.outpost.Tensor;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Checks that no write is lost if threads write different rows of one tensor, each by a randomly chosen op. */
@JCStressTest
@State
@Outcome(id = "14, 14, 14", expect = ACCEPTABLE, desc = "All rows were written.")
public class DisjointWrites {
    private static final int ROWS = 3;
    private static final int COLUMNS = 2;

    private final Tensor x = SharedMachine.ones(ROWS * COLUMNS).view(ROWS, COLUMNS);

    @Actor
    public void first() {
        write(0);
    }

    /** Uses two actors, because jcstress skips a race with more actors than the computer has processors. */
    @Actor
    public void second() {
        write(1);
        write(2);
    }

    /** Adds 6 to the two ones of a row. */
    private void write(long row) {
        switch (ThreadLocalRandom.current().nextInt(7)) {
            case 0 -> x.select(0, row).fill_(7);
            case 1 -> x.t().narrow(1, row, 1).add_(6);
            case 2 -> x.set(7, Index.at(row));
            case 3 -> x.indexFill_(0, x.machine().tensor(new long[] {row}), 7);
            case 4 -> x.scatter_(0, x.machine().tensor(new long[] {row, row}).view(1, COLUMNS), 7);
            case 5 -> x.maskedFill_(x.machine().arange(ROWS).eq(row).view(ROWS, 1), 7);
            default ->
                x.asStrided(new long[] {COLUMNS}, new long[] {1}, COLUMNS * row).mul_(7);
        }
    }

    @Arbiter
    public void after(LLL_Result result) {
        result.r1 = SharedMachine.seen(() -> x.select(0, 0).sum().itemDouble());
        result.r2 = SharedMachine.seen(() -> x.select(0, 1).sum().itemDouble());
        result.r3 = SharedMachine.seen(() -> x.select(0, 2).sum().itemDouble());
        x.close();
    }
}
