package dev.outpost.backend.api;

import dev.outpost.backend.worker.WorkerSecret;
import jakarta.enterprise.context.RequestScoped;

/** The authenticated worker host of this request. */
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
