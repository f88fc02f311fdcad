package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that a fetch is a snapshot: later writes and closes do not change it. */
@JCStressTest
@State
@Outcome(id = "2, true", expect = ACCEPTABLE, desc = "The fetch came first.")
@Outcome(id = "4, true", expect = ACCEPTABLE, desc = "It came between the write and the close.")
@Outcome(id = "closed, true", expect = ACCEPTABLE, desc = "The close came first.")
public class FetchRacesWrite {
    private final Tensor x = SharedMachine.ones(2);

    @Actor
    public void writeAndClose() {
        x.add_(1);
        x.close();
    }

    @Actor
    public void fetch(LL_Result result) {
        result.r1 = SharedMachine.seen(() -> {
            float[] elements = x.fetch().join().toFloatArray();
            return elements[0] + elements[1];
        });
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r2 = SharedMachine.works();
    }
}
