package dev.outpost.backend.api;

import jakarta.enterprise.context.RequestScoped;
import java.util.UUID;

/** The runner that asks, by what the request bears. */
@RequestScoped
public class RunnerCaller {
    private UUID machine;

    void set(UUID authenticated) {
        machine = authenticated;
    }

    /** The machine that it is beside. */
    public UUID machine() {
        return machine;
    }
}
