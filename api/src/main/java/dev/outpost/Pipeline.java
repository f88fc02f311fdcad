package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.sharding.PipelineSchedule;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * Trains a model that is divided into stages. Each stage has its own signal and workers. A batch is cut into micro-batches, so that the
 * stages work on different micro-batches at the same time.
 *
 * <pre>{@code
 * first.to(group, "stage_1");
 * second.to(group, "stage_2");
 * var pipeline = new Pipeline(group, Kind.ONE_FORWARD_ONE_BACKWARD, 8,
 *         List.of(new Stage("stage_1", first::forward), new Stage("stage_2", second::forward)));
 * Tensor loss = pipeline.step(images, labels, Functional::crossEntropy);      // gradients are accumulated
 * optimizer.step();
 * }</pre>
 *
 * <p>The loss of a batch, and of a micro-batch, must be the mean over its rows. Not thread-safe: each thread needs its own pipeline.
 */
public final class Pipeline {
    private final MachineGroup group;
    private final PipelineSchedule schedule;
    private final List<Stage> stages;

    /**
     * A part of a model.
     *
     * @param signal the name of the signal that places the stage
     * @param forward computes the stage's output from its input, for one micro-batch
     */
    public record Stage(String signal, UnaryOperator<Tensor> forward) {}

    /** The values of a micro-batch that a stage keeps from its forward step to its backward step. */
    private record Activation(Tensor input, Tensor output) {}

    /**
     * Creates a pipeline on a group.
     *
     * @param microBatches the number of parts that a batch is cut into
     * @param stages the stages in the order of the model; if they are interleaved, the signals repeat in the same order
     */
    public Pipeline(MachineGroup group, PipelineSchedule.Kind kind, int microBatches, List<Stage> stages) {
        this.group = ArgumentChecks.required(group, "the group");
        this.stages = List.copyOf(ArgumentChecks.required(stages, "the stages"));
        List<String> signals = this.stages.stream().map(Stage::signal).toList();
        int devices = (int) signals.stream().distinct().count();
        for (int stage = devices; stage < signals.size(); stage++) {
            if (!signals.get(stage).equals(signals.get(stage - devices))) {
                throw new OutpostException(
                        FaultKind.USER, "pipeline: expected signals that come back in one order, got " + signals);
            }
        }
        this.schedule = new PipelineSchedule(kind, devices, this.stages.size(), microBatches);
    }

    /** Returns the order of the steps, and the fraction of time in which workers are idle. */
    public PipelineSchedule schedule() {
        return schedule;
    }

    /**
     * Computes the loss of a batch, and adds its gradients to the parameters' gradients.
     *
     * @param inputs one row for each sample
     * @param targets one row for each sample
     * @param loss computes the mean loss over the rows, from the last stage's output and the targets
     */
    public Tensor step(HostTensor inputs, HostTensor targets, BinaryOperator<Tensor> loss) {
        long rows = inputs.shape().size(0);
        if (rows < schedule.microBatches()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "pipeline: expected a row for each of " + schedule.microBatches() + " micro-batches, got " + rows);
        }
        return new Step(inputs, targets, loss).run();
    }

    private final class Step {
        private final HostTensor inputs;
        private final HostTensor targets;
        private final BinaryOperator<Tensor> loss;
        /** The values that backward steps still need, indexed by stage and micro-batch. */
        private final Activation[][] activations = new Activation[stages.size()][schedule.microBatches()];

        private final List<Tensor> losses = new ArrayList<>();

        Step(HostTensor inputs, HostTensor targets, BinaryOperator<Tensor> loss) {
            this.inputs = inputs;
            this.targets = targets;
            this.loss = loss;
        }

        Tensor run() {
            return Scope.tidy(this::sumOfLosses);
        }

        private Tensor sumOfLosses() {
            for (PipelineSchedule.Step step : schedule.order()) {
                if (step.isBackward()) {
                    backward(step.stage(), step.microBatch());
                } else {
                    forward(step.stage(), step.microBatch());
                }
            }
            Tensor sum = losses.getFirst();
            for (Tensor next : losses.subList(1, losses.size())) {
                sum = sum.add(next);
            }
            return sum;
        }

        private void forward(int stage, int micro) {
            try (SignalScope signal = group.stage(stages.get(stage).signal())) {
                Tensor input = stage == 0
                        ? group.tensor(part(inputs, micro))
                        : activations[stage - 1][micro].output().detach().requiresGrad(true);
                Tensor output = Scope.tidy(() -> computed(stage, micro, input));
                if (isLast(stage)) {
                    losses.add(output.detach());
                }
                activations[stage][micro] = new Activation(input, output);
            }
        }

        private Tensor computed(int stage, int micro, Tensor input) {
            Tensor output = stages.get(stage).forward().apply(input);
            return isLast(stage) ? weighted(output, micro) : output;
        }

        private boolean isLast(int stage) {
            return stage == stages.size() - 1;
        }

        /** Returns the loss of a micro-batch, weighted by its share of the batch's rows. */
        private Tensor weighted(Tensor output, int micro) {
            HostTensor own = part(targets, micro);
            double share = (double) own.shape().size(0) / targets.shape().size(0);
            return loss.apply(output, group.tensor(own)).mul(share);
        }

        private HostTensor part(HostTensor whole, int micro) {
            long rows = whole.shape().size(0);
            return whole.slice(rows * micro / schedule.microBatches(), rows * (micro + 1) / schedule.microBatches());
        }

        private void backward(int stage, int micro) {
            Activation own = activations[stage][micro];
            if (isLast(stage)) {
                own.output().backward();
            } else {
                Activation next = activations[stage + 1][micro];
                try (Tensor gradient = next.input().grad()) {
                    own.output().backward(gradient);
                }
                next.input().close();
                activations[stage + 1][micro] = null;
            }
            // The input stays open, because the previous stage reads its gradient.
            own.output().close();
        }
    }
}
