package dev.outpost.rest.deployment;

import java.time.Duration;

/**
 * The desired state of a deployment. Another model, GPU or dtype makes another revision; the rest is changed in place.
 *
 * @param project which project pays; the key's, or {@code default}
 * @param model the URI of the model, such as {@code hf://HuggingFaceTB/SmolLM2-135M-Instruct}
 * @param gpu a name of the catalogue, or {@code any}
 * @param dtype what weights are cast to on their way, such as {@code bfloat16}; as they are stored where it is absent
 * @param min how many replicas it has at the least; 0 unless given
 * @param max how many replicas it has at the most; 1 unless given
 * @param target how many requests a replica computes at a time before there is another one; 16 unless given
 * @param idle how long it has no request before the last replica goes, such as {@code PT5M}, which holds unless given
 */
public record DeploymentRequest(
        String project,
        String model,
        String gpu,
        String dtype,
        Integer min,
        Integer max,
        Integer target,
        Duration idle) {}
