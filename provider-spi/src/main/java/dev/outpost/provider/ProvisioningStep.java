package dev.outpost.provider;

import java.time.Duration;
import java.util.Objects;

/**
 * Where the start of a machine stands.
 *
 * @param phase how far it is; a provider reports phases in their order and may skip or repeat them
 * @param text a short sentence for a person, such as {@code pulling the image (1.2 GB)}
 * @param elapsed since the machine was asked for
 */
public record ProvisioningStep(Phase phase, String text, Duration elapsed) {

    /** From asking to having. */
    public enum Phase {
        QUEUED,
        SCHEDULING,
        PULLING,
        STARTING,
        CONNECTING,
        READY
    }

    public ProvisioningStep {
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(elapsed, "elapsed");
    }
}
