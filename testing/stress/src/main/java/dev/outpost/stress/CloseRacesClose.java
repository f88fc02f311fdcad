package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Checks that a tensor that two threads close releases its value once, so that other holders keep the value. */
@JCStressTest
@State
@Outcome(id = "2", expect = ACCEPTABLE, desc = "The other holder has its value.")
public class CloseRacesClose {
    private final Tensor x = SharedMachine.ones(2);
    private final Tensor other = x.detach();

    @Actor
    public void close() {
        x.close();
    }

    @Actor
    public void closeAsWell() {
        x.close();
    }

    @Arbiter
    public void after(L_Result result) {
        result.r1 = SharedMachine.seen(() -> other.sum().itemDouble());
        other.close();
    }
}
