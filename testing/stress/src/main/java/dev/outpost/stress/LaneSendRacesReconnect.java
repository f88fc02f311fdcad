package dev.outpost.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.outpost.channel.delivery.ReliableLane;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Checks that payloads that are sent while a connection breaks go out on the next one, once and in order. */
@JCStressTest
@State
@Outcome(id = "1:1 2:2 3:3", expect = ACCEPTABLE, desc = "All of it, once.")
public class LaneSendRacesReconnect {
    private final ReliableLane lane = TestLanes.sending();
    private final Wire next = new Wire();

    public LaneSendRacesReconnect() {
        lane.attach(new Wire(), 0);
        TestLanes.send(lane, 1);
    }

    @Actor
    public void send() {
        TestLanes.send(lane, 2);
        TestLanes.send(lane, 3);
    }

    @Actor
    public void reconnect() {
        lane.detach();
        lane.attach(next, 0);
    }

    @Arbiter
    public void after(L_Result result) {
        // A new connection first repeats one frame; the other missing ones follow when that is acknowledged.
        lane.onAck(TestLanes.acknowledged(1));
        result.r1 = next.data();
    }
}
