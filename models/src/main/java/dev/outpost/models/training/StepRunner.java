package dev.outpost.models.training;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.GradScaler;
import dev.outpost.optim.GradientClipping;
import dev.outpost.optim.Optimizer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Enqueues steps. A step is a program of the machine, so it costs one call, independent of the size of the model. If
 * losses are scaled, the step is recorded each time, because the client decides whether to apply it.
 */
final class StepRunner<B> implements AutoCloseable {
    private final RemoteMachine machine;
    private final TrainingTask<B> task;
    private final Optimizer optimizer;
    private final TrainerOptions options;
    private final GradScaler scaler;
    private final List<Parameter> trained;
    private final Program step;
    private final Program evaluation;

    /**
     * The pending result of a step.
     *
     * @param values the loss, and the norm of the gradients if they are clipped
     */
    record Launched(CompletableFuture<HostTensor> values, long size, double learningRate) {
        double loss() {
            return LossReader.of(values);
        }

        /** Returns the norm of the gradients, or NaN if they are not clipped. Valid after the loss has arrived. */
        double gradientNorm() {
            HostTensor both = values.join();
            return both.shape().elements() > 1 ? both.getDouble(1) : Double.NaN;
        }
    }

    StepRunner(TrainingTask<B> task, Optimizer optimizer, TrainerOptions options) {
        this.task = task;
        this.optimizer = optimizer;
        this.options = options;
        trained = optimizer.groups().stream()
                .flatMap(group -> group.parameters().stream())
                .toList();
        machine = trained.getFirst().tensor().machine();
        scaler = options.precision() == ComputePrecision.FLOAT16 ? new GradScaler() : null;
        step = machine.program(inputs -> List.of(step(inputs)));
        evaluation = machine.program(inputs -> List.of(evaluated(inputs)));
    }

    RemoteMachine machine() {
        return machine;
    }

    /** Returns the scaler of losses; null if they are not scaled. */
    GradScaler scaler() {
        return scaler;
    }

    /** Enqueues a step over batches. Does not wait, unless losses are scaled. */
    Launched launch(List<B> batches, double weight) {
        double learningRate = optimizer.groups().getFirst().learningRate();
        long size = batches.stream().mapToLong(task::size).sum();
        try (Tensor answer = machine.unscoped(() -> Scope.tidy(() -> {
            Tensor[] inputs = inputs(batches, weight);
            return scaler == null ? step.call(inputs).getFirst() : scaledStep(List.of(inputs));
        }))) {
            return new Launched(answer.fetch(), size, learningRate);
        }
    }

    /** Computes the sum of a batch's losses. */
    CompletableFuture<HostTensor> evaluate(B batch) {
        try (Tensor answer = machine.unscoped(() ->
                Scope.tidy(() -> evaluation.call(inputs(List.of(batch), 1)).getFirst()))) {
            return answer.fetch();
        }
    }

    /** Returns the factor of each loss in the mean, followed by the tensors of each batch. */
    private Tensor[] inputs(List<B> batches, double weight) {
        List<Tensor> inputs = new ArrayList<>();
        inputs.add(machine.tensor(HostTensor.of(new float[] {(float) (1 / weight)})));
        batches.forEach(batch -> task.inputs(batch).forEach(values -> inputs.add(machine.tensor(values))));
        return inputs.toArray(Tensor[]::new);
    }

    private Tensor step(List<Tensor> inputs) {
        optimizer.zeroGrad();
        Tensor loss = backward(inputs, 1);
        Tensor norm = clip();
        optimizer.step();
        optimizer.zeroGrad();
        return answer(loss, norm);
    }

    private Tensor scaledStep(List<Tensor> inputs) {
        optimizer.zeroGrad();
        Tensor loss = backward(inputs, scaler.scale());
        scaler.unscale(optimizer);
        Tensor norm = clip();
        scaler.step(optimizer);
        scaler.update();
        optimizer.zeroGrad();
        return answer(loss, norm);
    }

    /** Computes the gradients of one batch after the other, so that only one needs memory at a time. */
    private Tensor backward(List<Tensor> inputs, double scale) {
        Tensor share = inputs.getFirst();
        int each = (inputs.size() - 1) / options.accumulation();
        Tensor total = null;
        for (int batch = 0; batch < options.accumulation(); batch++) {
            List<Tensor> own = inputs.subList(1 + batch * each, 1 + (batch + 1) * each);
            Tensor loss =
                    options.precision().with(() -> task.loss(own)).mul(share).sum();
            (scale == 1 ? loss : loss.mul(scale)).backward();
            Tensor part = loss.detach();
            total = total == null ? part : total.add(part);
        }
        return total;
    }

    private Tensor clip() {
        return options.clipNorm() > 0 ? GradientClipping.clipGradNorm(trained, options.clipNorm()) : null;
    }

    private static Tensor answer(Tensor loss, Tensor norm) {
        return norm == null ? loss.reshape(1) : Tensors.stack(List.of(loss, norm.to(loss.dtype())), 0);
    }

    private Tensor evaluated(List<Tensor> inputs) {
        return GradMode.noGrad(() -> options.precision().with(() -> task.loss(inputs.subList(1, inputs.size()))));
    }

    @Override
    public void close() {
        step.close();
        evaluation.close();
    }
}
