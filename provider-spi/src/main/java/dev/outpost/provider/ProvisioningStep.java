package dev.outpost.provider;

import java.time.Duration;
import java.util.Objects;

/**
 * A step of the start of a machine.
 *
 * @param phase the phase of the start; a provider reports phases in their order, and may skip or repeat some
 * @param text a short sentence for a person, such as {@code pulling the image (1.2 GB)}
 * @param elapsed the time since the machine was requested
 */
public record ProvisioningStep(MachinePhase phase, String text, Duration elapsed) {

    public ProvisioningStep {
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(elapsed, "elapsed");
    }
}
