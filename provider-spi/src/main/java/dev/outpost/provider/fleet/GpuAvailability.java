package dev.outpost.provider.fleet;

import java.util.Objects;

/**
 * The availability of a GPU for one more machine, as far as the supplier can tell without starting a machine.
 *
 * @param isFree true if a GPU is free now
 * @param text the GPU that a machine would get, or the reason why it would get none: a clause for people, without a full stop
 */
public record GpuAvailability(boolean isFree, String text) {
    public GpuAvailability {
        Objects.requireNonNull(text, "text");
    }
}
