package dev.outpost.backend.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The order in which those that wait get machines: by priority, then by what their project has used of late and has now, then
 * by age. Each admission counts as use at once, so a project's burst does not pass another project's single request.
 */
public final class FairShare {
    private static final double LN2 = Math.log(2);

    private final Duration halfLife;

    /** @param halfLife after which a use counts half */
    public FairShare(Duration halfLife) {
        this.halfLife = halfLife;
    }

    /** One that waits. */
    public record Waiting(UUID id, String project, int priority, int gpus, Instant created) {}

    /** GPUs in use from a time to another one. */
    public record Use(Instant from, Instant to, int gpus) {}

    /** The use of machines by a project: GPU seconds that decay, and GPUs that it holds now. */
    public record Standing(double decayedSeconds, int gpusNow) {
        static final Standing NONE = new Standing(0, 0);

        Standing plus(int gpus) {
            return new Standing(decayedSeconds, gpusNow + gpus);
        }
    }

    /** How long a use is remembered: what is older counts less than a thousandth. */
    public Duration memory() {
        return halfLife.multipliedBy(10);
    }

    /** GPU seconds, each weighed by how long ago it was: halved for each half-life. */
    public double decayed(List<Use> uses, Instant now) {
        return uses.stream().mapToDouble(use -> decayed(use, now)).sum();
    }

    /** The integral of the weight over the use. */
    private double decayed(Use use, Instant now) {
        double scale = seconds(halfLife) / LN2;
        double endWeight = weight(Duration.between(use.to(), now));
        double beginWeight = weight(Duration.between(use.from(), now));
        return use.gpus() * scale * (endWeight - beginWeight);
    }

    private double weight(Duration age) {
        return Math.exp(-seconds(age) * LN2 / seconds(halfLife));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    /** All that wait, first the one whose turn it is. */
    public List<Waiting> order(List<Waiting> waiting, Map<String, Standing> standings) {
        Map<String, Standing> now = new HashMap<>(standings);
        List<Waiting> rest = new ArrayList<>(waiting);
        List<Waiting> ordered = new ArrayList<>();
        while (!rest.isEmpty()) {
            Waiting next = rest.stream().min(turn(now)).orElseThrow();
            rest.remove(next);
            ordered.add(next);
            now.merge(next.project(), Standing.NONE.plus(next.gpus()), (old, added) -> old.plus(next.gpus()));
        }
        return ordered;
    }

    private Comparator<Waiting> turn(Map<String, Standing> now) {
        return Comparator.comparingInt((Waiting one) -> -one.priority())
                .thenComparingDouble(one -> load(now.getOrDefault(one.project(), Standing.NONE)))
                .thenComparing(Waiting::created)
                .thenComparing(Waiting::id);
    }

    /** A GPU that is held counts as if it had been for a half-life. */
    private double load(Standing standing) {
        return standing.decayedSeconds() + standing.gpusNow() * seconds(halfLife);
    }
}
