package dev.outpost.runtime.session.stats;

import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import java.util.Map;

/**
 * Bytes of whole frames, by lane and direction as seen from the runtime. Acknowledgements and repeats count.
 *
 * @param in bytes received
 * @param out bytes sent
 */
public record LaneTraffic(Map<Lane, Long> in, Map<Lane, Long> out) {
    static final LaneTraffic NONE = new LaneTraffic(Lane.each(_ -> 0L), Lane.each(_ -> 0L));

    public static LaneTraffic of(Lanes lanes) {
        return new LaneTraffic(Lane.each(lanes::bytesReceived), Lane.each(lanes::bytesSent));
    }

    public LaneTraffic plus(LaneTraffic more) {
        return new LaneTraffic(
                Lane.each(lane -> in.get(lane) + more.in.get(lane)),
                Lane.each(lane -> out.get(lane) + more.out.get(lane)));
    }
}
