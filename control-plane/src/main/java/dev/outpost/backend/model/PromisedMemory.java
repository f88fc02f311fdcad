package dev.outpost.backend.model;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The reserved memory of a shared machine. Each part is reserved for one grant. No grant can use the unused part of
 * another grant, so reserved memory is always available to its grant.
 *
 * @param bytes the maximum number of bytes that may be reserved
 * @param parts the bytes of each grant
 */
public record PromisedMemory(long bytes, Map<String, Long> parts) {
    public PromisedMemory {
        if (bytes < 1) {
            throw new IllegalArgumentException("memoryBytes: expected 1 or more, got " + bytes);
        }
        parts = Map.copyOf(parts);
    }

    /**
     * Returns the reason why a grant cannot have this part instead of its present part; empty if it can.
     *
     * @param part empty if the grant has no part
     */
    public Optional<String> refusal(String grant, OptionalLong part) {
        if (part.isEmpty()) {
            return Optional.of("the machine is shared, so each grant has a part of its memory; name memoryBytes, "
                    + (bytes - others(grant)) + " of " + bytes + " are left");
        }
        long left = bytes - others(grant);
        return part.getAsLong() <= left
                ? Optional.empty()
                : Optional.of("the machine is shared, and " + left + " of " + bytes + " bytes are left, "
                        + part.getAsLong() + " asked; take a grant back, or ask for less");
    }

    /** Returns the reason why the parts do not fit into the reserved memory; empty if they fit. */
    public Optional<String> excess() {
        long promised = others("");
        return promised <= bytes
                ? Optional.empty()
                : Optional.of("its grants have " + promised + " bytes, more than the " + bytes
                        + " that are to be shared; take some back, or share more");
    }

    private long others(String grant) {
        return parts.entrySet().stream()
                .filter(part -> !part.getKey().equals(grant))
                .mapToLong(Map.Entry::getValue)
                .reduce(0, Math::addExact);
    }
}
