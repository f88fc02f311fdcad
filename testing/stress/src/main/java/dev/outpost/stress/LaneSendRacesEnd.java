package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.types.OutpostException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Checks that a payload that is sent while a session ends is either sent or refused with the reason, and is not kept. */
@JCStressTest
@State
@Outcome(id = "sent, 0", expect = ACCEPTABLE, desc = "The payload came first.")
@Outcome(id = "the session is closed, 0", expect = ACCEPTABLE, desc = "The end came first.")
public class LaneSendRacesEnd {
    private final ReliableLane lane = TestLanes.sending();

    @Actor
    public void send(LL_Result result) {
        try {
            TestLanes.send(lane, 1);
            result.r1 = "sent";
        } catch (OutpostException failure) {
            result.r1 = failure.getMessage();
        }
    }

    @Actor
    public void end() {
        lane.end(ReliableLane.closed());
    }

    @Arbiter
    public void after(LL_Result result) {
        result.r2 = lane.pendingBytes();
    }
}
