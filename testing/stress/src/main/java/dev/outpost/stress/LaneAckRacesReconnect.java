package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.channel.delivery.ReliableLane;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that an acknowledged payload is not sent again, and that no other payload is lost. */
@JCStressTest
@State
@Outcome(id = "1:1 2:2, 2:2 0", expect = ACCEPTABLE, desc = "The new connection came first.")
@Outcome(id = "2:2, 2:2 0", expect = ACCEPTABLE, desc = "The acknowledgement came first.")
public class LaneAckRacesReconnect {
    private final ReliableLane lane = TestLanes.sending();
    private final Wire next = new Wire();

    public LaneAckRacesReconnect() {
        lane.attach(new Wire(), 0);
        TestLanes.send(lane, 1);
        TestLanes.send(lane, 2);
    }

    @Actor
    public void acknowledge() {
        lane.onAck(TestLanes.acknowledged(1));
    }

    @Actor
    public void reconnect() {
        lane.detach();
        lane.attach(next, 0);
    }

    @Arbiter
    public void after(LL_Result result) {
        Wire last = new Wire();
        lane.attach(last, 1);
        lane.onAck(TestLanes.acknowledged(2));
        result.r1 = next.data();
        result.r2 = last.data() + " " + lane.pendingBytes();
    }
}
