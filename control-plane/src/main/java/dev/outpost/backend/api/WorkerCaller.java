package dev.outpost.backend.api;

import dev.outpost.backend.worker.WorkerSecret;
import jakarta.enterprise.context.RequestScoped;

/** The worker host that asks, by what the request bears. */
@RequestScoped
public class WorkerCaller {
    private WorkerSecret secret;

    void set(WorkerSecret authenticated) {
        secret = authenticated;
    }

    public String cluster() {
        return secret.cluster();
    }

    public WorkerSecret secret() {
        return secret;
    }
}
