package dev.outpost.client.start;

import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.support.Durations;
import java.util.function.Consumer;

/** Prints a line for each step that a start waits for: {@code k8s-A100: no node has a free A100, after 2 min}. */
public final class ProgressLines implements StartView {
    private final String machine;
    private final Consumer<String> out;
    private String last = "";

    public ProgressLines(String machine, Consumer<String> out) {
        this.machine = machine;
        this.out = out;
    }

    @Override
    public void step(ProvisioningStep step) {
        if (!step.text().equals(last)) {
            last = step.text();
            out.accept(machine + ": " + step.text() + ", after " + Durations.text(step.elapsed()));
        }
    }
}
