package dev.outpost.serving.engine;

import java.util.Optional;

/** Reports first tokens to metrics, as an engine does. */
public final class FirstTokenEvents {
    private FirstTokenEvents() {}

    /** A replica of a deployment made the first token of a text. */
    public static void happen(ServingMetrics metrics, String deployment) {
        metrics.bindDeployment(deployment, name -> Optional.empty());
        metrics.listener(deployment).firstToken(1);
    }
}
