package dev.outpost.system.recording;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.ParameterGroup;
import dev.outpost.optim.ParameterState;
import dev.outpost.support.tests.Await;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Subtracts the gradient, and stops half way until a test lets it continue. */
final class StoppedOptimizer extends Optimizer {
    private final CountDownLatch begun;
    private final CountDownLatch goOn;

    StoppedOptimizer(Parameter parameter, CountDownLatch begun, CountDownLatch goOn) {
        super(List.of(parameter), 1, 0);
        this.begun = begun;
        this.goOn = goOn;
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor after = parameter.sub(gradient);
        begun.countDown();
        try {
            Await.opened("the rest of the step", goOn);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        parameter.copy_(after);
    }
}
