package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.model.deployment.Scale;
import dev.outpost.rest.deployment.DeploymentRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks requests for deployments. */
final class DeploymentInputs {
    private static final Pattern URI = Pattern.compile("[a-z][a-z0-9+.-]{0,20}:\\S{1,900}");
    private static final Pattern DTYPE = Pattern.compile("float32|float16|bfloat16");
    private static final int STANDARD_TARGET = 16;
    private static final Duration STANDARD_IDLE = Duration.ofMinutes(5);

    private DeploymentInputs() {}

    static String model(String model) {
        if (model == null || !URI.matcher(model).matches()) {
            throw Problem.invalid("model: expected a URI such as hf://HuggingFaceTB/SmolLM2-135M-Instruct, got "
                    + (model == null ? "nothing" : "something else"));
        }
        return model;
    }

    static Optional<String> type(String dtype) {
        if (dtype != null && !DTYPE.matcher(dtype).matches()) {
            throw Problem.invalid("dtype: expected float32, float16 or bfloat16, got something else");
        }
        return Optional.ofNullable(dtype);
    }

    /** Checks the scaling of a request. A {@link Problem} names the field, the value and the expected values. */
    static Scale scale(DeploymentRequest body) {
        int minimum = body.min() == null ? 0 : body.min();
        int maximum = body.max() == null ? Math.max(1, minimum) : body.max();
        int requests = body.target() == null ? STANDARD_TARGET : body.target();
        Duration wait = body.idle() == null ? STANDARD_IDLE : body.idle();
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
