package dev.outpost.rest.deployment;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a deployment. Another model, GPU or dtype makes another revision. Other changes keep the
 * revision.
 *
 * @param project the project that pays; the key's by default, or {@code default}
 * @param model the URI of the model, such as {@code hf://HuggingFaceTB/SmolLM2-135M-Instruct}
 * @param gpu a kind of the catalogue, or {@code any}
 * @param dtype the dtype of the loaded weights, such as {@code bfloat16}; the dtype in the file by default
 * @param min the minimum number of replicas; 0 by default
 * @param max the maximum number of replicas; 1 by default
 * @param target the number of concurrent requests of a replica at which another one is started; 16 by default
 * @param idle the time without a request after which the last replica ends; {@code PT5M} by default
 */
public record DeploymentRequest(
        @Nullable String project,
        String model,
        String gpu,
        @Nullable String dtype,
        @Nullable Integer min,
        @Nullable Integer max,
        @Nullable Integer target,
        @Nullable Duration idle) {}
