package dev.outpost.backend.model.usage;

import dev.outpost.backend.model.Request;
import dev.outpost.rest.usage.QuotaResource;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Checks if a request fits into the limits of its project and organisation. */
public final class Quota {
    private Quota() {}

    /**
     * The limit that a request does not fit into.
     *
     * @param used the amount that is in use already
     * @param asked the amount that the request takes
     */
    public record Excess(QuotaLimit limit, long used, long asked) {
        /** True if the request would not fit even if nothing else were in use. */
        public boolean isForGood() {
            return limit.resource() != QuotaResource.GPU_HOURS_PER_MONTH && asked > limit.allowed();
        }

        public String text() {
            return "quota " + limit.name() + ": " + used + " of " + limit.allowed() + " used, " + asked + " asked";
        }
    }

    /**
     * @param limits the limits of the request's project and organisation
     * @param used returns the amount of a limit that is already in use
     * @return the first limit that the request exceeds; empty if it fits into all of them
     */
    public static Optional<Excess> check(Request request, List<QuotaLimit> limits, ToLongFunction<QuotaLimit> used) {
        return limits.stream()
                .filter(limit -> limit.counts(request))
                .map(limit -> new Excess(limit, used.applyAsLong(limit), limit.taken(request)))
                .filter(excess -> Amounts.plus(excess.used(), excess.asked())
                        > excess.limit().allowed())
                .findFirst();
    }
}
