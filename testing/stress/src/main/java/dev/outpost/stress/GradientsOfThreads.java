package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that the gradients that two threads compute for one leaf are added, also while one of them reads the gradient. */
@JCStressTest
@State
@Outcome(id = "2, 5", expect = ACCEPTABLE, desc = "The look came before the other thread's gradient.")
@Outcome(id = "5, 5", expect = ACCEPTABLE, desc = "The look came last.")
public class GradientsOfThreads {
    private final Tensor leaf = SharedMachine.ones(1).requiresGrad(true);

    @Actor
    public void first(LL_Result result) {
        leaf.mul(2).sum().backward();
        result.r1 = seen();
    }

    @Actor
    public void second() {
        leaf.mul(3).sum().backward();
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
