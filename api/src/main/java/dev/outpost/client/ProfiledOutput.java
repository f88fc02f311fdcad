package dev.outpost.client;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.protocol.bytes.Body;

/** An output whose frames a profile shows. */
record ProfiledOutput(FrameOutput output, SessionProfile profile) implements FrameOutput {
    @Override
    public void send(Lane lane, byte[] frame) {
        long start = profile.now();
        output.send(lane, frame);
        profile.sent(lane, frame.length, start);
    }

    @Override
    public void send(Lane lane, byte[] head, Body body) {
        long start = profile.now();
        output.send(lane, head, body);
        profile.sent(lane, head.length + body.length(), start);
    }

    @Override
    public boolean isReady(Lane lane) {
        return output.isReady(lane);
    }
}
