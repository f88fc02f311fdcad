package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that a read of a tensor that another thread closes succeeds or is refused, and that the session continues. */
@JCStressTest
@State
@Outcome(id = "4, true", expect = ACCEPTABLE, desc = "The read came first.")
@Outcome(id = "closed, true", expect = ACCEPTABLE, desc = "The close came first.")
public class ReadRacesClose {
    private final Tensor x = SharedMachine.ones(2);

    @Actor
    public void close() {
        x.close();
    }

    @Actor
    public void read(LL_Result result) {
        result.r1 = SharedMachine.seen(() -> x.mul(2).sum().itemDouble());
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r2 = SharedMachine.works();
    }
}
