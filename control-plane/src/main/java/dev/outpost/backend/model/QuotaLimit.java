package dev.outpost.backend.model;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * How much of a resource a project or an organisation may have at once, or in a month. The operator limits an organisation besides what
 * its administrators do; a request must fit into all limits.
 *
 * @param scope whose limit it is
 * @param gpu the kind of GPU that it counts, or a family, whose variants it counts; every kind where it is empty
 */
public record QuotaLimit(Scope scope, Resource resource, Optional<String> gpu, long allowed) {

    /** The machines that a limit counts. */
    public enum Scope {
        /** The whole organisation, set by the operator. */
        OPERATOR,

        /** The whole organisation, set by its administrators. */
        ORGANISATION,
        PROJECT
    }

    /** The quantity that a limit counts. */
    public enum Resource {
        GPUS,
        MACHINES,
        GPU_HOURS_PER_MONTH,
        /** Tokens of prompts and new ones that servers of models count. */
        TOKENS_PER_MONTH,
        /** Bytes of programs, and of the logs and files that runs of jobs leave; of organisations alone. */
        STORED_BYTES;

        /** True if machines use this resource. */
        public boolean isOfMachines() {
            return this != TOKENS_PER_MONTH && this != STORED_BYTES;
        }
    }

    public QuotaLimit {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(resource, "resource");
        if (allowed < 0) {
            throw new IllegalArgumentException("quota: expected 0 or more, got " + allowed);
        }
    }

    /** Such as {@code project/gpus:A100}. */
    public String name() {
        return lower(scope.name()) + "/" + lower(resource.name())
                + gpu.map(kind -> ":" + kind).orElse("");
    }

    /** Whether a machine counts for it. */
    public boolean counts(Request request) {
        return resource.isOfMachines() && (gpu.isEmpty() || GpuKinds.isOf(request.gpu(), gpu.get()));
    }

    /**
     * The part of it that a request takes. A month's hours are taken by running, not by asking: one that has begun may
     * go over.
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
