package dev.outpost.backend.api;

import jakarta.enterprise.context.RequestScoped;
import java.util.UUID;

/** The authenticated runner of this request. */
@RequestScoped
public class RunnerCaller {
    private UUID machine;

    void set(UUID authenticated) {
        machine = authenticated;
    }

    /** The machine beside which the runner runs. */
    public UUID machine() {
        return machine;
    }
}
