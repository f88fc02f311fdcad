package dev.outpost.stress;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A connection that stores the frames that a lane sends on it. */
final class Wire implements FrameOutput {
    private final List<byte[]> sent = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void send(Lane lane, byte[] frame) {
        sent.add(frame);
    }

    /** Returns the data frames in the order in which they were sent, with the first byte of each. */
    String data() {
        synchronized (sent) {
            return sent.stream()
                    .map(Frame::decode)
                    .filter(Frame.Data.class::isInstance)
                    .map(Frame.Data.class::cast)
                    .map(data -> data.number() + ":" + data.payload().toByteArray()[0])
                    .collect(Collectors.joining(" "));
        }
    }
}
