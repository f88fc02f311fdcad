package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.Tensor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that a view that is made while its base is closed either holds the value or is refused. */
@JCStressTest
@State
@Outcome(id = "2, true", expect = ACCEPTABLE, desc = "The view came first.")
@Outcome(id = "closed, true", expect = ACCEPTABLE, desc = "The close came first.")
public class ViewRacesClose {
    private final Tensor x = SharedMachine.ones(2);

    @Actor
    public void close() {
        x.close();
    }

    @Actor
    public void view(LL_Result result) {
        result.r1 = SharedMachine.seen(() -> {
            try (Tensor view = x.reshape(2, 1)) {
                return view.sum().itemDouble();
            }
        });
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r2 = SharedMachine.works();
    }
}
