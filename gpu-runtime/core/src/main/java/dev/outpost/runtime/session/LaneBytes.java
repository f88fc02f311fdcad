package dev.outpost.runtime.session;

import dev.outpost.channel.frame.Frame;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes of frames by lane. */
final class LaneBytes {
    private final LongAdder[] in = adders();
    private final LongAdder[] out = adders();

    void received(int lane, int bytes) {
        in[lane].add(bytes);
    }

    void sent(int lane, int bytes) {
        out[lane].add(bytes);
    }

    Traffic traffic() {
        return new Traffic(
                in[Lanes.CONTROL].sum(), out[Lanes.CONTROL].sum(), in[Lanes.BULK].sum(), out[Lanes.BULK].sum());
    }

    private static LongAdder[] adders() {
        LongAdder[] adders = new LongAdder[Frame.LANES];
        Arrays.setAll(adders, _ -> new LongAdder());
        return adders;
    }
}
