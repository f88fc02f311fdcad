package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.channel.delivery.ReliableLane;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that frames that are repeated on a new connection while the last frames of the old one are still handled are delivered once. */
@JCStressTest
@State
@Outcome(id = "[1, 2, 3], 3", expect = ACCEPTABLE, desc = "Each once, in order.")
public class LaneReceivers {
    private final List<Integer> delivered = new ArrayList<>();
    private final ReliableLane lane = TestLanes.receiving(payload -> delivered.add((int) payload.toByteArray()[0]));

    @Actor
    public void old() {
        lane.onData(TestLanes.data(1));
        lane.onData(TestLanes.data(2));
    }

    @Actor
    public void repeated() {
        lane.onData(TestLanes.data(1));
        lane.onData(TestLanes.data(2));
        lane.onData(TestLanes.data(3));
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r1 = delivered;
        result.r2 = lane.received();
    }
}
