package dev.outpost.client.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * Estimates how far a machine's clock is ahead of the client's, from round trips as in NTP. The time at which the
 * machine received a request, by its clock, minus the time at which the client sent the request, by its own clock, is
 * an upper bound of the offset. The answer gives a lower bound in the same way. The error is at most half of the time
 * that request and answer spent on the network, so the fastest round trip of each second is used. Between two such
 * round trips the offset is interpolated, because no two clocks run equally fast.
 */
public final class ClockOffset {
    private static final long WINDOW_NANOS = 1_000_000_000L;

    /**
     * A round trip.
     *
     * @param at the time by the machine's clock
     * @param offset the time by which the machine's clock is ahead of the client's, in nanoseconds
     * @param error the largest error of the offset, in nanoseconds
     */
    private record Anchor(long at, long offset, long error) {}

    private final List<Anchor> anchors = new ArrayList<>();
    private long samples;

    /**
     * Adds a round trip. Round trips must be added in their order.
     *
     * @param asked the time at which the client sent the request, by its clock
     * @param received the time at which the machine received it, by the machine's clock
     * @param answered the time at which the machine sent the answer, by the machine's clock
     * @param got the time at which the client received the answer, by its clock
     */
    public void add(long asked, long received, long answered, long got) {
        samples++;
        long max = received - asked;
        long min = answered - got;
        long error = Math.max(0, (max - min + 1) / 2);
        Anchor sample = new Anchor(received + (answered - received) / 2, min + (max - min) / 2, error);
        boolean isNewWindow = anchors.isEmpty() || sample.at - anchors.getLast().at >= WINDOW_NANOS;
        if (isNewWindow) {
            anchors.add(sample);
        } else if (error < anchors.getLast().error) {
            replaceLast(sample);
        }
    }

    /**
     * Replaces the last anchor by a better one. A window begins with its anchor, so this moves the window. Two anchors are never closer
     * than half a window.
     */
    private void replaceLast(Anchor sample) {
        boolean isFarFromTheOneBefore =
                anchors.size() == 1 || sample.at - anchors.get(anchors.size() - 2).at >= WINDOW_NANOS / 2;
        if (isFarFromTheOneBefore) {
            anchors.set(anchors.size() - 1, sample);
        }
    }

    /** Converts a time of the machine's clock to the client's; returns it unchanged if there was no round trip. */
    public long toOurs(long machineNanos) {
        return machineNanos - offsetAt(machineNanos);
    }

    private long offsetAt(long at) {
        if (anchors.isEmpty()) {
            return 0;
        }
        int next = 0;
        while (next < anchors.size() && anchors.get(next).at < at) {
            next++;
        }
        if (next == 0) {
            return anchors.getFirst().offset;
        }
        if (next == anchors.size()) {
            return anchors.getLast().offset;
        }
        Anchor before = anchors.get(next - 1);
        Anchor after = anchors.get(next);
        double share = (double) (at - before.at) / (after.at - before.at);
        return before.offset + Math.round(share * (after.offset - before.offset));
    }

    /** Returns the number of round trips. */
    public long samples() {
        return samples;
    }

    /** Returns how far the machine's clock was ahead of the client's at the first round trip. */
    public long firstNanos() {
        return anchors.isEmpty() ? 0 : anchors.getFirst().offset;
    }

    /** Returns the largest error of a measured offset. Between measurements, the drift of the clocks within a second adds to it. */
    public long errorNanos() {
        return anchors.stream().mapToLong(Anchor::error).max().orElse(0);
    }
}
