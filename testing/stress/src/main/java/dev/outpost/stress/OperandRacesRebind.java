package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that an op over two tensors, one of which is written concurrently, sees one value of each. */
@JCStressTest
@State
@Outcome(id = "2, 4", expect = ACCEPTABLE, desc = "The product came first.")
@Outcome(id = "8, 4", expect = ACCEPTABLE, desc = "The write came first: both operands are the same value.")
public class OperandRacesRebind {
    private final Tensor x = SharedMachine.ones(2);

    @Actor
    public void write() {
        x.mul_(2);
    }

    @Actor
    public void square(LL_Result result) {
        result.r1 = SharedMachine.seen(() -> x.mul(x).sum().itemDouble());
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r2 = SharedMachine.seen(() -> x.sum().itemDouble());
        x.close();
    }
}
