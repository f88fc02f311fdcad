package dev.outpost.runtime.session;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;

/** Logs each message when it is sent, and again when it is sent again after a broken connection. */
record LoggedOutput(FrameOutput output, InstructionLog log) implements FrameOutput {
    @Override
    public void send(Lane lane, byte[] frame) {
        switch (Frame.decode(new Slice(frame))) {
            case Frame.Data data ->
                Message.decodeEachSized(
                        data.payload(), ToClient.class, (message, bytes) -> log.message("SEND", message, bytes));
            case Frame.Packed packed -> log.event("SEND", "Packed", frame.length, packed.bodyBytes() + "B unpacked");
            case Frame.Ack _, Frame.Connection _ -> {
                // These frames carry no messages.
            }
        }
        output.send(lane, frame);
    }

    /** Logs only the size, because that avoids copying the parts of a large body together. */
    @Override
    public void send(Lane lane, byte[] head, Body body) {
        log.event("SEND", "Elements", head.length + body.length(), "on lane " + lane);
        output.send(lane, head, body);
    }

    @Override
    public boolean isReady(Lane lane) {
        return output.isReady(lane);
    }
}
