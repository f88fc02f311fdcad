package dev.outpost.backend.model.usage;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Request;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The amount of a resource that a project or an organisation may have at a time, or in a month. The operator sets limits of organisations,
 * in addition to the limits that their administrators set. A request must fit into all limits.
 *
 * @param scope the project or the organisation that it limits
 * @param gpu the kind of GPU that it counts, or a family, whose variants it counts; every kind if empty
 */
public record QuotaLimit(QuotaScope scope, QuotaResource resource, Optional<String> gpu, long allowed) {

    public QuotaLimit {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(resource, "resource");
        if (allowed < 0) {
            throw new IllegalArgumentException("quota: expected 0 or more, got " + allowed);
        }
    }

    /** Returns the name, such as {@code project/gpus:A100}. */
    public String name() {
        return lower(scope.name()) + "/" + lower(resource.name())
                + gpu.map(kind -> ":" + kind).orElse("");
    }

    /** True if the machine of a request counts toward this limit. */
    public boolean counts(Request request) {
        return resource.isOfMachines() && (gpu.isEmpty() || GpuKinds.isOf(request.gpu(), gpu.get()));
    }

    /**
     * Returns the amount that a request takes. A request takes only one hour of a monthly limit, because further hours count only while the
     * machine runs. So a running machine may exceed the limit.
     */
    public long taken(Request request) {
        return switch (resource) {
            case GPUS -> request.allGpus();
            case MACHINES -> request.members();
            case GPU_HOURS_PER_MONTH -> 1;
            case TOKENS_PER_MONTH, STORED_BYTES -> 0;
        };
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
