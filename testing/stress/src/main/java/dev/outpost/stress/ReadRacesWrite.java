package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that a read with a concurrent write returns the value before or after the write. */
@JCStressTest
@State
@Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "The read came first.")
@Outcome(id = "8, 4", expect = ACCEPTABLE, desc = "The write came first.")
public class ReadRacesWrite {
    private final Tensor x = SharedMachine.ones(2);

    @Actor
    public void write() {
        x.add_(1);
    }

    @Actor
    public void read(LL_Result result) {
        result.r1 = SharedMachine.seen(() -> x.mul(2).sum().itemDouble());
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r2 = SharedMachine.seen(() -> x.sum().itemDouble());
        x.close();
    }
}
