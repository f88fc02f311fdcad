package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Gradients that two threads compute for one leaf add up, also while a third looks. */
@JCStressTest
@State
@Outcome(id = "0, 5", expect = ACCEPTABLE, desc = "The look came first.")
@Outcome(id = "2, 5", expect = ACCEPTABLE, desc = "The look came after one of them.")
@Outcome(id = "3, 5", expect = ACCEPTABLE, desc = "The look came after the other one.")
@Outcome(id = "5, 5", expect = ACCEPTABLE, desc = "The look came last.")
public class GradientsOfThreads {
    private final Tensor leaf = SharedMachine.ones(1).requiresGrad(true);

    @Actor
    public void first() {
        leaf.mul(2).sum().backward();
    }

    @Actor
    public void second() {
        leaf.mul(3).sum().backward();
    }

    @Actor
    public void look(LL_Result result) {
        result.r1 = seen();
    }

    private String seen() {
        Tensor gradient = leaf.grad();
        return gradient == null ? "0" : SharedMachine.seen(() -> gradient.sum().itemDouble());
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r2 = seen();
        leaf.close();
    }
}
