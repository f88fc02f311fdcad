package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.model.Scale;
import dev.outpost.provider.GpuCatalogue;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A deployment as it shall be. Another model, GPU or dtype is another revision; the rest is changed in place.
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
        Duration idle) {
    private static final Pattern URI = Pattern.compile("[a-z][a-z0-9+.-]{0,20}:\\S{1,900}");
    private static final Pattern DTYPE = Pattern.compile("float32|float16|bfloat16");
    private static final int STANDARD_TARGET = 16;
    private static final Duration STANDARD_IDLE = Duration.ofMinutes(5);

    String checkedModel() {
        if (model == null || !URI.matcher(model).matches()) {
            throw Problem.invalid("model: expected a URI such as hf://HuggingFaceTB/SmolLM2-135M-Instruct, got "
                    + (model == null ? "nothing" : "something else"));
        }
        return model;
    }

    String checkedGpu(GpuCatalogue catalogue) {
        return catalogue.find(gpu == null ? "any" : gpu).name();
    }

    Optional<String> checkedType() {
        if (dtype != null && !DTYPE.matcher(dtype).matches()) {
            throw Problem.invalid("dtype: expected float32, float16 or bfloat16, got something else");
        }
        return Optional.ofNullable(dtype);
    }

    /** Scaling; a {@link Problem} names the field, the value and what was expected. */
    Scale scale() {
        int minimum = min == null ? 0 : min;
        int maximum = max == null ? Math.max(1, minimum) : max;
        int requests = target == null ? STANDARD_TARGET : target;
        Duration wait = idle == null ? STANDARD_IDLE : idle;
        if (requests > Bounds.DEPLOYMENT_TARGET) {
            throw Problem.invalid("target: expected 1 to " + Bounds.DEPLOYMENT_TARGET + ", got " + requests);
        }
        if (wait.isNegative() || wait.compareTo(Bounds.DEPLOYMENT_IDLE) > 0) {
            throw Problem.invalid("idle: expected 0 s to " + Bounds.DEPLOYMENT_IDLE.toDays() + " days, got " + wait);
        }
        try {
            return new Scale(minimum, maximum, requests, wait);
        } catch (IllegalArgumentException failure) {
            throw Problem.invalid(failure.getMessage());
        }
    }
}
