package dev.outpost.client.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * How far a machine's clock is from ours, from round trips, as NTP estimates it: a request that we sent at one time was
 * received at another, so the machine's clock is ahead by no more than their difference, and the answer says by how much it
 * is at least. The truth lies within half of the time on the way, so of each second the fastest round trip counts. Between
 * two of those it is taken to change evenly, since no two clocks run equally fast.
 */
public final class ClockOffset {
    private static final long WINDOW_NANOS = 1_000_000_000L;

    /**
     * A round trip.
     *
     * @param at when, by the machine's clock
     * @param offset what the machine's clock is ahead of ours
     * @param error how far that may be off
     */
    private record Anchor(long at, long offset, long error) {}

    private final List<Anchor> anchors = new ArrayList<>();
    private long samples;

    /**
     * Takes a round trip into account; they come in their order.
     *
     * @param asked when we sent the request, by our clock
     * @param received when the machine had it, by its clock
     * @param answered when it sent the answer
     * @param got when we had that
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

    /** A window begins with its anchor, so a later one moves it; two are never closer than half a window. */
    private void replaceLast(Anchor sample) {
        boolean isFarFromTheOneBefore =
                anchors.size() == 1 || sample.at - anchors.get(anchors.size() - 2).at >= WINDOW_NANOS / 2;
        if (isFarFromTheOneBefore) {
            anchors.set(anchors.size() - 1, sample);
        }
    }

    /** A time of the machine's clock by ours; the same where there was no round trip. */
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

    /** How many round trips there were. */
    public long samples() {
        return samples;
    }

    /** How far the machine's clock is ahead of ours, at the first. */
    public long firstNanos() {
        return anchors.isEmpty() ? 0 : anchors.getFirst().offset;
    }

    /** How far a time may be off where it was measured; in between, what the clocks drift apart in a second comes on top. */
    public long errorNanos() {
        return anchors.stream().mapToLong(Anchor::error).max().orElse(0);
    }
}
