package dev.outpost.client;

import dev.outpost.channel.delivery.ReliableLane;

/**
 * What has passed over a session's lanes.
 *
 * @param frames data frames sent
 * @param bytesOut bytes sent
 * @param controlBytesOut bytes sent on the control lane
 * @param bytesIn bytes received
 */
record Traffic(long frames, long bytesOut, long controlBytesOut, long bytesIn) {

    static Traffic of(ReliableLane[] lanes, long bytesIn) {
        long control = lanes[0].bytesSent();
        return new Traffic(
                lanes[0].framesSent() + lanes[1].framesSent(), control + lanes[1].bytesSent(), control, bytesIn);
    }
}
