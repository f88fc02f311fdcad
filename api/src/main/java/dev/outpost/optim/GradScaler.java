package dev.outpost.optim;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps gradients of float16 from becoming zero (torch.amp.GradScaler). It scales a loss before backward, and unscales gradients before the
 * step. It skips a step with a gradient that is not finite, and adapts the scale. Each {@link #step} reads from the machine whether
 * gradients are finite. Used by one thread.
 *
 * <pre>{@code
 * Tensor loss = Autocast.with(DType.FLOAT16, () -> ...);
 * scaler.scale(loss).backward();
 * scaler.step(optimizer);
 * scaler.update();
 * }</pre>
 */
public final class GradScaler {
    /**
     * The changes of the scale, with PyTorch's defaults.
     *
     * @param initialScale the first scale
     * @param growthFactor the factor by which it grows
     * @param backoffFactor the factor by which it shrinks after a gradient that is not finite
     * @param growthInterval the number of steps in a row with finite gradients after which it grows
     */
    public record Options(double initialScale, double growthFactor, double backoffFactor, long growthInterval) {
        public Options {
            if (!(initialScale > 0 && growthFactor > 1 && backoffFactor > 0 && backoffFactor < 1)
                    || growthInterval < 1) {
                throw new OpException(
                        "GradScaler",
                        "scale and interval must be positive, growth above 1 and backoff between 0 and 1, got "
                                + initialScale + ", " + growthInterval + ", " + growthFactor + " and " + backoffFactor);
            }
        }

        /** Returns the defaults: a scale of 65,536, which doubles after 2,000 steps, and halves after a gradient that is not finite. */
        public static Options defaults() {
            return new Options(65536, 2, 0.5, 2000);
        }
    }

    private final Options options;
    private final Set<Optimizer> unscaled = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Optimizer, Boolean> finite = new IdentityHashMap<>();
    private double scale;
    private long growth;

    /** Begins with the {@linkplain Options#defaults default options}. */
    public GradScaler() {
        this(Options.defaults());
    }

    public GradScaler(Options options) {
        this.options = ArgumentChecks.required(options, "the options");
        scale = options.initialScale;
    }

    /** Returns the present scale. */
    public double scale() {
        return scale;
    }

    /** Returns a loss times the scale. */
    public Tensor scale(Tensor loss) {
        return ArgumentChecks.required(loss, "the loss").mul(scale);
    }

    /**
     * Divides the optimizer's gradients by the scale, for example before clipping. Otherwise {@link #step} does this. Reads from the
     * machine once.
     */
    public void unscale(Optimizer optimizer) {
        if (!unscaled.add(optimizer)) {
            throw new OpException("GradScaler", "gradients are unscaled already; call update() behind the step");
        }
        finite.put(optimizer, GradMode.noGrad(() -> unscaledAreFinite(optimizer)));
    }

    private boolean unscaledAreFinite(Optimizer optimizer) {
        List<Tensor> gradients = new ArrayList<>();
        optimizer
                .groups()
                .forEach(group -> group.parameters().forEach(parameter -> {
                    Tensor gradient = parameter.grad();
                    if (gradient != null) {
                        gradients.add(gradient);
                    }
                }));
        if (gradients.isEmpty()) {
            throw new OpException("GradScaler", "no parameter has a gradient; call backward first");
        }
        Tensor all = Scope.tidy(() -> {
            List<Tensor> flags = new ArrayList<>();
            for (Tensor gradient : gradients) {
                gradient.mul_(1 / scale);
                flags.add(gradient.isfinite().all());
            }
            return Tensors.stack(flags, 0).all();
        });
        gradients.forEach(Tensor::close);
        try (all) {
            return all.toBooleanArray()[0];
        }
    }

    /**
     * Steps the optimizer if all its gradients are finite. Returns true if it did.
     *
     * {@snippet file="TrainingExamplesTest.java" region="gradScaler"}
     */
    public boolean step(Optimizer optimizer) {
        if (!unscaled.contains(optimizer)) {
            unscale(optimizer);
        }
        if (finite.get(optimizer)) {
            optimizer.step();
            return true;
        }
        return false;
    }

    /** Grows or shrinks the scale. Call it once after the steps of all optimizers. */
    public void update() {
        if (finite.isEmpty()) {
            throw new OpException("GradScaler", "no gradients were looked at; call step first");
        }
        boolean wereFinite = finite.values().stream().allMatch(Boolean::booleanValue);
        growth = wereFinite ? growth + 1 : 0;
        if (!wereFinite) {
            scale *= options.backoffFactor;
        } else if (growth == options.growthInterval) {
            scale *= options.growthFactor;
            growth = 0;
        }
        finite.clear();
        unscaled.clear();
    }

    /** Returns the numbers from which training can continue later. */
    public Map<String, Double> stateDict() {
        Map<String, Double> state = new LinkedHashMap<>();
        state.put("scale", scale);
        state.put("_growth_tracker", (double) growth);
        return state;
    }

    /** Continues from a {@link #stateDict}. */
    public void loadStateDict(Map<String, Double> state) {
        scale = ArgumentChecks.required(state.get("scale"), "scale");
        growth = ArgumentChecks.required(state.get("_growth_tracker"), "_growth_tracker")
                .longValue();
    }
}
