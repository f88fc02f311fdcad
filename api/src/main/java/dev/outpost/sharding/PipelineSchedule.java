package dev.outpost.sharding;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The order in which the devices of a pipeline process micro-batches. A device has one stage or, interleaved, several: stage {@code s} is
 * on device {@code s} modulo the number of devices. Immutable.
 *
 * @param kind the order
 * @param devices the number of groups of workers that work at the same time
 * @param stages the number of stages, a multiple of the devices
 * @param microBatches the number of parts of a batch
 */
public record PipelineSchedule(Kind kind, int devices, int stages, int microBatches) {
    /** Orders of work. */
    public enum Kind {
        /** All forward, then all backward (Huang et al., "GPipe", 2019). */
        GPIPE,
        /**
         * One forward, one backward: like GPipe, with fewer activations at a time (Narayanan et al., "PipeDream",
         * 2019).
         */
        ONE_FORWARD_ONE_BACKWARD,
        /** The same with several stages on each device (Narayanan et al., "Efficient large-scale language model training", 2021). */
        INTERLEAVED
    }

    /**
     * Work of one device.
     *
     * @param stage the index of the stage, from 0
     * @param microBatch the index of the micro-batch, from 0
     * @param isBackward true for the backward part
     */
    public record Step(int stage, int microBatch, boolean isBackward) {}

    /** The duration of the backward part of a stage, relative to its forward part. */
    private static final double BACKWARD = 2;

    public PipelineSchedule {
        if (devices < 1 || microBatches < 1 || stages < devices || stages % devices != 0) {
            throw refusal("expected stages that are a multiple of devices, and micro-batches, got " + stages
                    + " stages on " + devices + " devices, and " + microBatches + " micro-batches");
        }
        if (kind != Kind.INTERLEAVED && stages != devices) {
            throw refusal(kind + " has one stage on each device, got " + stages + " stages on " + devices);
        }
        if (kind == Kind.INTERLEAVED && microBatches % devices != 0) {
            throw refusal(
                    "interleaved, micro-batches are a multiple of devices, got " + microBatches + " and " + devices);
        }
    }

    private static OutpostException refusal(String problem) {
        return new OutpostException(FaultKind.USER, "pipeline: " + problem);
    }

    /** Returns the steps of a device, in their order. */
    public List<Step> of(int device) {
        int chunks = stages / devices;
        List<Step> forward = new ArrayList<>();
        List<Step> backward = new ArrayList<>();
        for (int index = 0; index < chunks * microBatches; index++) {
            // In an interleaved schedule, a group of as many micro-batches as devices passes one stage before it passes
            // the next.
            int round = index / (devices * chunks);
            int chunk = chunks == 1 ? 0 : index / devices % chunks;
            int micro = chunks == 1 ? index : round * devices + index % devices;
            forward.add(new Step(chunk * devices + device, micro, false));
            backward.add(new Step((chunks - 1 - chunk) * devices + device, micro, true));
        }
        return merged(forward, backward, Math.min(forward.size(), ahead(device, chunks)));
    }

    /** Returns the number of forward steps before the first backward step. */
    private int ahead(int device, int chunks) {
        return switch (kind) {
            case GPIPE -> microBatches;
            case ONE_FORWARD_ONE_BACKWARD -> devices - device;
            case INTERLEAVED -> 2 * (devices - device - 1) + (chunks - 1) * devices + 1;
        };
    }

    private static List<Step> merged(List<Step> forward, List<Step> backward, int ahead) {
        List<Step> steps = new ArrayList<>(forward.subList(0, ahead));
        for (int index = 0; index < backward.size(); index++) {
            steps.add(backward.get(index));
            if (ahead + index < forward.size()) {
                steps.add(forward.get(ahead + index));
            }
        }
        return steps;
    }

    /**
     * Returns the steps of all devices in an order in which each follows the step that it needs: the forward step of the previous stage, or
     * the backward step of the next stage.
     */
    public List<Step> order() {
        List<Step> order = new ArrayList<>();
        run(1, BACKWARD, order);
        return order;
    }

    /** Returns the share of time in which devices wait, by the formula of the literature, for stages that take equally long. */
    public double theoreticalBubble() {
        double work = (double) microBatches * (stages / devices);
        return (devices - 1) / (work + devices - 1);
    }

    /** Returns the share of time in which devices wait in this order, for stages whose backward part takes twice as long. */
    public double bubble() {
        return bubble(1, BACKWARD);
    }

    /**
     * Like {@link #bubble()}, but for measured durations.
     *
     * @param forward the duration of a stage for a micro-batch, in any unit
     * @param backward the duration of its backward part, in the same unit
     */
    public double bubble(double forward, double backward) {
        double end = run(forward, backward, new ArrayList<>());
        return 1 - (forward + backward) * microBatches * (stages / devices) / end;
    }

    /** Returns one line with the order, its share of waiting time, and the share by the formula of the literature. */
    public String explain() {
        return String.format(
                Locale.ROOT,
                "%s: %d stages on %d devices, %d micro-batches; devices wait %.1f %% of the time, in theory %.1f %%",
                kind,
                stages,
                devices,
                microBatches,
                100 * bubble(),
                100 * theoreticalBubble());
    }

    /** Simulates the steps. Returns the time at which the last one ends, and adds the steps to {@code order}. */
    private double run(double forward, double backward, List<Step> order) {
        double[][][] ends = new double[2][stages][microBatches];
        Arrays.stream(ends).flatMap(Arrays::stream).forEach(each -> Arrays.fill(each, Double.NaN));
        double[] free = new double[devices];
        int[] next = new int[devices];
        List<List<Step>> steps = new ArrayList<>();
        for (int device = 0; device < devices; device++) {
            steps.add(of(device));
        }
        int left = 2 * stages * microBatches;
        while (left > 0) {
            int chosen = -1;
            double begin = Double.MAX_VALUE;
            for (int device = 0; device < devices; device++) {
                double ready = next[device] == steps.get(device).size()
                        ? Double.NaN
                        : ready(steps.get(device).get(next[device]), ends);
                if (!Double.isNaN(ready) && Math.max(ready, free[device]) < begin) {
                    chosen = device;
                    begin = Math.max(ready, free[device]);
                }
            }
            if (chosen < 0) {
                throw new IllegalStateException("no step of " + this + " can be taken after " + order);
            }
            Step step = steps.get(chosen).get(next[chosen]++);
            free[chosen] = begin + (step.isBackward() ? backward : forward);
            ends[step.isBackward() ? 1 : 0][step.stage()][step.microBatch()] = free[chosen];
            order.add(step);
            left--;
        }
        return Arrays.stream(free).max().orElseThrow();
    }

    /** Returns the time at which the inputs of a step are ready; NaN while that is unknown. */
    private double ready(Step step, double[][][] ends) {
        double own = ends[0][step.stage()][step.microBatch()];
        if (!step.isBackward()) {
            return step.stage() == 0 ? 0 : ends[0][step.stage() - 1][step.microBatch()];
        }
        boolean isLast = step.stage() == stages - 1;
        return isLast ? own : ends[1][step.stage() + 1][step.microBatch()];
    }
}
