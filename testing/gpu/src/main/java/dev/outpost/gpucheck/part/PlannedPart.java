package dev.outpost.gpucheck.part;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A part that a run shall do.
 *
 * @param from the number of its cases that earlier runs tried
 * @param most the longest time that it may take
 */
public record PlannedPart(CheckPart part, long from, Duration most) {

    /**
     * Divides the time of a run among its parts by their expected times; none gets more than {@link CheckPart#MOST}. The part after which
     * the GPU computes nothing more comes last.
     *
     * @param minutes the longest time of all parts together
     */
    public static List<PlannedPart> of(Collection<CheckPart> parts, double minutes) {
        double expected =
                parts.stream().mapToLong(part -> part.estimate().toMillis()).sum();
        double share = 60_000 * minutes / expected;
        return parts.stream()
                .distinct()
                .sorted(Comparator.comparing((CheckPart part) -> part == CheckPart.FAILURE)
                        .thenComparing(Comparator.naturalOrder()))
                .map(part -> new PlannedPart(part, 0, most(part, share)))
                .toList();
    }

    private static Duration most(CheckPart part, double share) {
        Duration most = Duration.ofMillis((long) (share * part.estimate().toMillis()));
        return most.compareTo(CheckPart.MOST) < 0 ? most : CheckPart.MOST;
    }

    /** Formats the part as a line for people. */
    public String describe() {
        return String.format(
                Locale.ROOT,
                "part %s, for %.0f s at the most%s: %s",
                part,
                most.toMillis() / 1e3,
                from == 0 ? "" : ", from case " + from + " on",
                part.question());
    }

    /** Returns the same part for the remaining cases. */
    public PlannedPart goingOnFrom(long done) {
        return new PlannedPart(part, done, most);
    }
}
