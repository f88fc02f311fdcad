package dev.outpost.runtime.session;

import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import java.util.Map;

/**
 * Bytes of whole frames, by lane and direction as seen from the runtime; acknowledgements and repeats count.
 *
 * @param in what came
 * @param out what went out
 */
public record Traffic(Map<Lane, Long> in, Map<Lane, Long> out) {
    static final Traffic NONE = new Traffic(Lane.each(_ -> 0L), Lane.each(_ -> 0L));

    static Traffic of(Lanes lanes) {
        return new Traffic(Lane.each(lanes::bytesReceived), Lane.each(lanes::bytesSent));
    }

    Traffic plus(Traffic more) {
        return new Traffic(
                Lane.each(lane -> in.get(lane) + more.in.get(lane)),
                Lane.each(lane -> out.get(lane) + more.out.get(lane)));
    }
}
