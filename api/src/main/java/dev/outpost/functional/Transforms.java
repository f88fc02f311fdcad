package dev.outpost.functional;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.Autograd;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.States;
import dev.outpost.internal.graph.Variable;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Derivatives of functions of tensors (torch.func, torch.autograd.functional). A function computes with the ops of tensors, from the
 * tensors that it gets as arguments; captured tensors count as constants. Results can be differentiated again if they are computed in a
 * function that is differentiated.
 *
 * <p>All methods are thread-safe if the functions are.
 */
public final class Transforms {
    private Transforms() {}

    /**
     * A function's result and its product with the Jacobian.
     *
     * @param output the function's result
     * @param product the product with the Jacobian; with the transposed Jacobian for {@link #vjp}
     */
    public record Product(Tensor output, Tensor product) {
        List<Tensor> tensors() {
            return List.of(output, product);
        }
    }

    /**
     * Returns a function of many examples, along the first dimension, from a function of one example (torch.vmap). {@link Vmap} supports
     * other dimensions.
     *
     * {@snippet file="TrainingExamplesTest.java" region="vmap"}
     */
    public static UnaryOperator<Tensor> vmap(UnaryOperator<Tensor> function) {
        Function<List<Tensor>, List<Tensor>> mapped = new Vmap().of(in -> List.of(function.apply(in.getFirst())));
        return input -> mapped.apply(List.of(input)).getFirst();
    }

    /** Like {@link #vmap(UnaryOperator)}, but for two arguments. */
    public static BinaryOperator<Tensor> vmap(BinaryOperator<Tensor> function) {
        Function<List<Tensor>, List<Tensor>> mapped =
                new Vmap().of(in -> List.of(function.apply(in.get(0), in.get(1))));
        return (left, right) -> mapped.apply(List.of(left, right)).getFirst();
    }

    /**
     * Returns the gradient of a function with a scalar result, as a function.
     *
     * {@snippet file="TrainingExamplesTest.java" region="transformsGrad"}
     */
    public static UnaryOperator<Tensor> grad(UnaryOperator<Tensor> function) {
        return input -> Scope.tidy(() -> {
            Tensor at = variable(input);
            Tensor output = recorded(() -> function.apply(at));
            if (output.numel() != 1) {
                throw new OpException("grad", "the function must answer a scalar, got " + output.shape());
            }
            return gradient(output, at, null, true);
        });
    }

    /**
     * Returns a function's result, and the product of a vector with its Jacobian: the gradient that reverse mode computes.
     *
     * @param vector a vector of the result's shape
     */
    public static Product vjp(UnaryOperator<Tensor> function, Tensor input, Tensor vector) {
        return Scope.tidy(
                () -> {
                    Tensor at = variable(input);
                    Tensor output = recorded(() -> function.apply(at));
                    requireShape("vjp", output, vector);
                    return new Product(output, gradient(output, at, vector, true));
                },
                Product::tensors);
    }

    /**
     * Returns a function's result, and the product of its Jacobian with a vector: the derivative along the vector. Applies reverse mode
     * twice.
     *
     * @param vector a vector of the input's shape
     */
    public static Product jvp(UnaryOperator<Tensor> function, Tensor input, Tensor vector) {
        requireShape("jvp", input, vector);
        return Scope.tidy(
                () -> {
                    Tensor at = variable(input);
                    Tensor output = recorded(() -> function.apply(at));
                    // The gradient is linear in its start value, so its gradient with respect to the start value is
                    // the product.
                    Tensor start = output.detach().zerosLike().requiresGrad(true);
                    Tensor pulled = gradient(output, at, start, true);
                    Tensor product = pulled.requiresGrad() ? gradient(pulled, start, vector, true) : output.zerosLike();
                    return new Product(output, product);
                },
                Product::tensors);
    }

    /**
     * Returns the derivatives of each element of the result with respect to each element of the input. The shape is the result's, then the
     * input's.
     *
     * {@snippet file="TrainingExamplesTest.java" region="jacobian"}
     */
    public static Tensor jacobian(UnaryOperator<Tensor> function, Tensor input) {
        return Scope.tidy(() -> {
            Tensor at = variable(input);
            Tensor output = recorded(() -> function.apply(at));
            return rows(output, at);
        });
    }

    private static Tensor rows(Tensor output, Tensor at) {
        long[] sizes = concat(output.shape().toArray(), at.shape().toArray());
        if (output.numel() == 0) {
            return at.newZeros(sizes);
        }
        Tensor flat = recorded(() -> output.flatten());
        List<Tensor> rows = new ArrayList<>();
        for (long index = 0; index < flat.numel(); index++) {
            long element = index;
            rows.add(gradient(recorded(() -> flat.select(0, element)), at, null, true));
        }
        return recorded(() -> Tensors.stack(rows, 0).reshape(sizes));
    }

    /**
     * Like {@link #jacobian(UnaryOperator, Tensor)}, but with one backward pass that is mapped over all elements of
     * the result (torch.func.jacrev). Every op of the backward pass needs a batching rule.
     */
    public static Tensor jacrev(UnaryOperator<Tensor> function, Tensor input) {
        return Scope.tidy(() -> {
            Tensor at = variable(input);
            Tensor output = recorded(() -> function.apply(at));
            long[] sizes = concat(output.shape().toArray(), at.shape().toArray());
            if (output.numel() == 0) {
                return at.newZeros(sizes);
            }
            long[] starts = concat(new long[] {output.numel()}, output.shape().toArray());
            Tensor each = output.machine()
                    .eye(output.numel(), output.numel(), output.dtype())
                    .reshape(starts);
            Tensor rows = recorded(
                    () -> vmap(start -> gradient(output, at, start, true)).apply(each));
            return recorded(() -> rows.reshape(sizes));
        });
    }

    /**
     * Returns all second derivatives of a function with a scalar result. The shape is twice the input's.
     *
     * {@snippet file="TrainingExamplesTest.java" region="hessian"}
     */
    public static Tensor hessian(UnaryOperator<Tensor> function, Tensor input) {
        return jacobian(grad(function), input);
    }

    /** Returns the Jacobians of a function of several tensors with respect to each of them. */
    public static List<Tensor> jacobian(Function<List<Tensor>, Tensor> function, List<Tensor> inputs) {
        ArgumentChecks.requiredEach(inputs, "the inputs");
        List<Tensor> jacobians = new ArrayList<>();
        for (int index = 0; index < inputs.size(); index++) {
            int which = index;
            jacobians.add(jacobian(
                    (UnaryOperator<Tensor>) input -> {
                        List<Tensor> all = new ArrayList<>(inputs);
                        all.set(which, input);
                        return function.apply(all);
                    },
                    inputs.get(index)));
        }
        return jacobians;
    }

    /**
     * Returns a function's result and the product of its Hessian with a vector of the input's shape, without computing the Hessian (hvp).
     */
    public static Product hvp(UnaryOperator<Tensor> function, Tensor input, Tensor vector) {
        requireShape("hvp", input, vector);
        return Scope.tidy(
                () -> {
                    Tensor at = variable(input);
                    Tensor output = recorded(() -> function.apply(at));
                    Tensor gradient = gradient(output, at, null, true);
                    Tensor product = gradient.requiresGrad() ? gradient(gradient, at, vector, true) : at.zerosLike();
                    return new Product(output, product);
                },
                Product::tensors);
    }

    /** Returns an input for derivatives. An input on the graph stays on it, so that transforms nest; another one becomes a leaf. */
    private static Tensor variable(Tensor input) {
        ArgumentChecks.required(input, "the input");
        if (!input.dtype().isFloating()) {
            throw new OpException("grad", "a floating input is needed, got " + input.type());
        }
        return input.requiresGrad() && GradMode.isEnabled()
                ? input.view(input.shape())
                : detached(input).requiresGrad(true);
    }

    /** Returns the same storage as a leaf. An enclosing map still knows its origin. */
    private static Tensor detached(Tensor input) {
        return (Tensor) States.tensor(new Variable(States.cell(input), States.layout(input)), States.layout(input));
    }

    private static Tensor recorded(Supplier<Tensor> body) {
        return GradMode.enableGrad(body);
    }

    /** Returns the gradient; zeros if the output does not depend on the input. */
    private static Tensor gradient(Tensor output, Tensor input, @Nullable Tensor start, boolean again) {
        if (!output.requiresGrad()) {
            return input.zerosLike();
        }
        Tensor found = Autograd.grad(output, List.of(input), start, true, again).getFirst();
        return found == null ? input.zerosLike() : found;
    }

    private static void requireShape(String op, Tensor expected, Tensor vector) {
        if (!ArgumentChecks.required(vector, "the vector").shape().equals(expected.shape())) {
            throw new OpException(op, "the vector must have the shape " + expected.shape() + ", got " + vector.shape());
        }
    }

    private static long[] concat(long[] first, long[] second) {
        long[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
