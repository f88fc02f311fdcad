package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.channel.delivery.ReliableLane;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Checks that payloads of two threads are numbered in the order in which they are sent. */
@JCStressTest
@State
@Outcome(id = "1:10 2:20", expect = ACCEPTABLE, desc = "One came first.")
@Outcome(id = "1:20 2:10", expect = ACCEPTABLE, desc = "The other came first.")
public class LaneSenders {
    private final Wire wire = new Wire();
    private final ReliableLane lane = TestLanes.sending();

    public LaneSenders() {
        lane.attach(wire, 0);
    }

    @Actor
    public void one() {
        TestLanes.send(lane, 10);
    }

    @Actor
    public void other() {
        TestLanes.send(lane, 20);
    }

    @Arbiter
    public void after(L_Result result) {
        result.r1 = wire.data();
    }
}
