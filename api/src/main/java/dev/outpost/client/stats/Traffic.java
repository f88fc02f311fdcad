package dev.outpost.client.stats;

import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;

/**
 * The traffic of a session's lanes.
 *
 * @param frames data frames sent
 * @param bytesOut bytes sent
 * @param controlBytesOut bytes sent on the control lane
 * @param bytesIn bytes received
 */
public record Traffic(long frames, long bytesOut, long controlBytesOut, long bytesIn) {

    public static Traffic of(Lanes lanes) {
        return new Traffic(
                lanes.framesSent(),
                Lane.ALL.stream().mapToLong(lanes::bytesSent).sum(),
                lanes.bytesSent(Lane.CONTROL),
                Lane.ALL.stream().mapToLong(lanes::bytesReceived).sum());
    }
}
