package dev.outpost.autograd;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.TensorDevice;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Trades time for memory (torch.utils.checkpoint): backward computes the intermediates of a function again instead of keeping them. The
 * second computation draws the same numbers from the machine's random stream. Gradients flow to the inputs, and gradients of parameters
 * are accumulated in the parameters. Therefore it works with {@link Tensor#backward()}, but not with {@link Autograd#grad} with respect
 * to parameters, and its gradients cannot be differentiated again. While a program is traced, the function is recorded without a
 * checkpoint, because the machine's planner recomputes values itself if memory is short.
 */
public final class Checkpoint {
    private Checkpoint() {}

    /**
     * Computes a function of one tensor with one result.
     *
     * {@snippet file="TrainingExamplesTest.java" region="checkpoint"}
     */
    public static Tensor checkpoint(UnaryOperator<Tensor> function, Tensor input) {
        return checkpoint(inputs -> List.of(function.apply(inputs.getFirst())), List.of(input))
                .getFirst();
    }

    /** Computes a function of at least one tensor. */
    public static List<Tensor> checkpoint(Function<List<Tensor>, List<Tensor>> function, List<Tensor> inputs) {
        ArgumentChecks.required(function, "the function");
        if (ArgumentChecks.requiredEach(inputs, "the inputs").isEmpty()) {
            throw new OpException("checkpoint", "at least one input is needed, got none");
        }
        if (!GradMode.isEnabled()) {
            return function.apply(inputs);
        }
        return HostStates.ofThread().either(() -> recomputed(function, inputs), () -> function.apply(inputs));
    }

    /** Runs stages one after the other, each with its own checkpoint (checkpoint_sequential). */
    public static Tensor sequential(List<UnaryOperator<Tensor>> stages, Tensor input) {
        Tensor current = input;
        for (UnaryOperator<Tensor> stage : stages) {
            current = checkpoint(stage, current);
        }
        return current;
    }

    private static List<Tensor> recomputed(Function<List<Tensor>, List<Tensor>> function, List<Tensor> inputs) {
        RemoteMachine machine = inputs.getFirst().machine();
        List<Tensor> all = new ArrayList<>(inputs);
        // Parameters may require gradients even if no input does.
        Tensor always = machine.zeros(DType.FLOAT32).requiresGrad(true);
        all.add(always);
        return List.of(new Recomputing(function, TensorDevice.of(machine).random()).apply(all.toArray(Tensor[]::new)));
    }

    private static final class Recomputing extends CustomFunction {
        private final Function<List<Tensor>, List<Tensor>> function;
        private final RandomStream random;
        private RandomStream.@Nullable Position start;
        private int count;

        Recomputing(Function<List<Tensor>, List<Tensor>> function, RandomStream random) {
            this.function = function;
            this.random = random;
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            start = random.position();
            count = inputs.length - 1;
            List<Tensor> given = List.of(inputs).subList(0, count);
            return function.apply(given).toArray(Tensor[]::new);
        }

        @Override
        protected @Nullable Tensor[] backward(Context context, Tensor... gradients) {
            if (GradMode.isEnabled()) {
                throw new OpException(
                        "checkpoint", "its gradients cannot be differentiated again; leave createGraph out");
            }
            List<Tensor> inputs = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                Tensor saved = context.saved(index);
                Tensor input = saved.detach();
                inputs.add(saved.requiresGrad() ? input.requiresGrad(true) : input);
            }
            List<Tensor> outputs = GradMode.enableGrad(() -> random.replay(start, () -> function.apply(inputs)));
            Tensor sum = GradMode.enableGrad(() -> weighted(outputs, gradients));
            if (sum != null && sum.requiresGrad()) {
                sum.backward();
            }
            @Nullable Tensor[] results = new Tensor[count + 1];
            Arrays.setAll(results, index -> index < count ? inputs.get(index).grad() : null);
            return results;
        }

        private static @Nullable Tensor weighted(List<Tensor> outputs, Tensor[] gradients) {
            Tensor sum = null;
            for (int index = 0; index < gradients.length; index++) {
                Tensor output = outputs.get(index);
                if (gradients[index] != null && output.requiresGrad()) {
                    Tensor part = output.mul(gradients[index]).sum();
                    sum = sum == null ? part : sum.add(part);
                }
            }
            return sum;
        }
    }
}
