package dev.outpost.client;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.protocol.bytes.Body;

/** An output whose frames a profile shows. */
record ProfiledOutput(ReliableLane.Output output, SessionProfile profile) implements ReliableLane.Output {
    @Override
    public void send(int lane, byte[] frame) {
        long start = profile.now();
        output.send(lane, frame);
        profile.sent(lane, frame.length, start);
    }

    @Override
    public void send(int lane, byte[] head, Body body) {
        long start = profile.now();
        output.send(lane, head, body);
        profile.sent(lane, head.length + body.length(), start);
    }

    @Override
    public boolean isReady(int lane) {
        return output.isReady(lane);
    }
}
