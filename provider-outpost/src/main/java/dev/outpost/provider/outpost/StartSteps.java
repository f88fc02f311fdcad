package dev.outpost.provider.outpost;

import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.ProvisioningStep.Phase;
import java.time.Duration;
import java.util.function.Consumer;

/** Tells how far a start is, never stepping back, and nothing twice. For one thread. */
final class StartSteps {
    private final Consumer<ProvisioningStep> listener;
    private final long start = System.nanoTime();
    private Phase phase = Phase.QUEUED;
    private String text = "";

    StartSteps(Consumer<ProvisioningStep> listener) {
        this.listener = listener;
    }

    void report(Phase newPhase, String newText) {
        Phase told = newPhase.compareTo(phase) > 0 ? newPhase : phase;
        if (told != phase || !newText.equals(text)) {
            phase = told;
            text = newText;
            listener.accept(new ProvisioningStep(phase, text, Duration.ofNanos(System.nanoTime() - start)));
        }
    }
}
