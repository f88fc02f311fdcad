package dev.outpost.optim;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lowers learning rates when a metric has stopped improving (ReduceLROnPlateau). {@link #step} needs the metric as a Java number, so each
 * call waits for a read from the machine.
 */
public final class ReduceLROnPlateau {
    /**
     * The conditions and sizes of reductions, with PyTorch's defaults.
     *
     * @param maximize true if larger metrics are better (mode "max")
     * @param factor the factor of a new learning rate, below 1
     * @param patience the number of steps without improvement before a reduction
     * @param threshold the smallest difference that counts as an improvement
     * @param relative true if the threshold is a share of the best metric, not a difference (threshold_mode)
     * @param cooldown the number of steps after a reduction that are not counted as steps without improvement
     * @param minimum the lowest learning rate
     * @param eps the smallest difference of learning rates that is worth a change
     */
    public record Options(
            boolean maximize,
            double factor,
            long patience,
            double threshold,
            boolean relative,
            long cooldown,
            double minimum,
            double eps) {
        public Options {
            if (!(factor < 1)) {
                throw new OpException("ReduceLROnPlateau", "the factor must be below 1, got " + factor);
            }
        }

        /** Returns the defaults: a tenth of the learning rate after 10 steps in which the metric did not fall by a ten-thousandth. */
        public static Options defaults() {
            return new Options(false, 0.1, 10, 1e-4, true, 0, 0, 1e-8);
        }

        public Options maximize(boolean isBetter) {
            return new Options(isBetter, factor, patience, threshold, relative, cooldown, minimum, eps);
        }

        public Options factor(double newFactor) {
            return new Options(maximize, newFactor, patience, threshold, relative, cooldown, minimum, eps);
        }

        public Options patience(long steps) {
            return new Options(maximize, factor, steps, threshold, relative, cooldown, minimum, eps);
        }

        public Options threshold(double newThreshold, boolean isRelative) {
            return new Options(maximize, factor, patience, newThreshold, isRelative, cooldown, minimum, eps);
        }

        public Options cooldown(long steps) {
            return new Options(maximize, factor, patience, threshold, relative, steps, minimum, eps);
        }

        public Options minimum(double learningRate) {
            return new Options(maximize, factor, patience, threshold, relative, cooldown, learningRate, eps);
        }
    }

    private final Optimizer optimizer;
    private final Options options;
    private double best;
    private long badSteps;
    private long cooling;

    public ReduceLROnPlateau(Optimizer optimizer) {
        this(optimizer, Options.defaults());
    }

    public ReduceLROnPlateau(Optimizer optimizer, Options options) {
        this.optimizer = ArgumentChecks.required(optimizer, "the optimizer");
        this.options = ArgumentChecks.required(options, "the options");
        best = options.maximize ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }

    /** Records a metric, such as a validation loss, and lowers the learning rates if it has stopped improving. */
    public void step(double metric) {
        if (isBetter(metric)) {
            best = metric;
            badSteps = 0;
        } else {
            badSteps++;
        }
        if (cooling > 0) {
            cooling--;
            badSteps = 0;
        }
        if (badSteps > options.patience) {
            optimizer.groups().forEach(this::reduce);
            cooling = options.cooldown;
            badSteps = 0;
        }
    }

    /** Returns the current learning rate of the first group (get_last_lr). */
    public double lastLearningRate() {
        return optimizer.groups().getFirst().learningRate();
    }

    private boolean isBetter(double metric) {
        if (Double.isInfinite(best)) {
            return options.maximize ? metric > best : metric < best;
        }
        if (options.relative) {
            return options.maximize ? metric > best * (1 + options.threshold) : metric < best * (1 - options.threshold);
        }
        return options.maximize ? metric > best + options.threshold : metric < best - options.threshold;
    }

    private void reduce(ParameterGroup group) {
        double lower = Math.max(group.learningRate() * options.factor, options.minimum);
        if (group.learningRate() - lower > options.eps) {
            group.learningRate(lower);
        }
    }

    /** Returns the best metric so far; infinite before the first. */
    public double best() {
        return best;
    }

    /** Returns the numbers from which training can continue later. Learning rates are in the optimizer's state. */
    public Map<String, Double> stateDict() {
        Map<String, Double> state = new LinkedHashMap<>();
        state.put("best", best);
        state.put("num_bad_epochs", (double) badSteps);
        state.put("cooldown_counter", (double) cooling);
        return state;
    }

    /** Continues from a {@link #stateDict}. */
    public void loadStateDict(Map<String, Double> state) {
        best = value(state, "best");
        badSteps = (long) value(state, "num_bad_epochs");
        cooling = (long) value(state, "cooldown_counter");
    }

    private static double value(Map<String, Double> state, String name) {
        Double value = ArgumentChecks.required(state, "the state").get(name);
        if (value == null) {
            throw new OpException("ReduceLROnPlateau", "the state lacks " + name);
        }
        return value;
    }
}
