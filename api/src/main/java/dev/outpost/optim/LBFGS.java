package dev.outpost.optim;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Parameter;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limited-memory BFGS (Nocedal and Wright, "Numerical Optimization", 7.2; torch.optim.LBFGS). A step computes the loss several times, so it
 * takes a function that computes the loss and its gradients. Each iteration waits for numbers, so it cannot be part of a program. The
 * parameters must be on one machine. Not thread-safe. Its memory is not in a state dict.
 */
public final class LBFGS implements AutoCloseable {
    private final List<Parameter> parameters;
    private final Deque<Correction> history = new ArrayDeque<>();
    private double learningRate;
    private int maxIterations = 20;
    private @Nullable Integer maxEvaluations;
    private double toleranceGrad = 1e-7;
    private double toleranceChange = 1e-9;
    private int historySize = 100;
    private boolean strongWolfe;

    private long iterations;
    private @Nullable Tensor direction;
    private double step;
    private double scale = 1;
    private @Nullable Tensor previousGradient;
    private double previousLoss;

    /**
     * The changes of the parameters and the gradient in a step.
     *
     * @param change the change of the gradient
     * @param move the change of the parameters
     * @param factor 1 / (change · move)
     */
    private record Correction(Tensor change, Tensor move, double factor) {
        void close() {
            change.close();
            move.close();
        }
    }

    /** Uses PyTorch's learning rate, 1. */
    public LBFGS(List<Parameter> parameters) {
        this(parameters, 1);
    }

    public LBFGS(List<Parameter> parameters, double learningRate) {
        if (parameters.isEmpty()) {
            throw new OpException("LBFGS", "there must be a parameter");
        }
        this.parameters = List.copyOf(parameters);
        this.learningRate = HyperparameterChecks.atLeastZero("learning rate", learningRate);
    }

    /** Sets the learning rate from now on. */
    public LBFGS learningRate(double rate) {
        learningRate = HyperparameterChecks.atLeastZero("learning rate", rate);
        return this;
    }

    /** Sets the largest number of iterations of a step; the default is 20. */
    public LBFGS maxIter(int max) {
        maxIterations = positive("max_iter", max);
        return this;
    }

    /** Sets the largest number of loss computations of a step; the default is five for every four iterations. */
    public LBFGS maxEval(int max) {
        maxEvaluations = positive("max_eval", max);
        return this;
    }

    /**
     * Sets the tolerances that end a step: it ends when no element of the gradient is larger than the first, or when
     * nothing changes by more than the second. The defaults are 1e-7 and 1e-9.
     */
    public LBFGS tolerances(double ofGradient, double ofChange) {
        toleranceGrad = HyperparameterChecks.atLeastZero("tolerance of the gradient", ofGradient);
        toleranceChange = HyperparameterChecks.atLeastZero("tolerance of changes", ofChange);
        return this;
    }

    /** Sets the number of corrections that are kept; the default is 100. */
    public LBFGS historySize(int max) {
        historySize = positive("history_size", max);
        return this;
    }

    /** Searches along each direction until the strong Wolfe conditions hold (line_search_fn="strong_wolfe"). */
    public LBFGS strongWolfe() {
        strongWolfe = true;
        return this;
    }

    private static int positive(String name, int number) {
        if (number < 1) {
            throw new OpException("LBFGS", name + " must be positive, got " + number);
        }
        return number;
    }

    /** Removes all gradients. */
    public void zeroGrad() {
        parameters.forEach(parameter -> parameter.tensor().grad(null));
    }

    /**
     * Runs some iterations.
     *
     * @param closure removes the gradients, computes the loss, calls {@code backward} on it and returns it
     * @return the loss at the beginning
     */
    public double step(Supplier<Tensor> closure) {
        Evaluation at = evaluate(closure);
        double first = at.loss;
        int evaluations = 1;
        int max = maxEvaluations == null ? maxIterations * 5 / 4 : maxEvaluations;
        if (at.largest() <= toleranceGrad) {
            at.gradient.close();
            return first;
        }
        for (int iteration = 1; ; iteration++) {
            iterations++;
            turn(at.gradient);
            remember(at);
            step = iterations == 1 ? Math.min(1, 1 / sumOfSizes(at.gradient)) * learningRate : learningRate;
            double slope = dot(at.gradient, direction);
            if (slope > -toleranceChange) {
                break;
            }
            boolean isLast = iteration == maxIterations;
            if (strongWolfe) {
                Tensor from = flat();
                LineSearch search = new LineSearch(size -> evaluateAt(closure, from, size), toleranceChange);
                LineSearch.Found found = search.run(step, at.loss, at.gradient, slope, largest(direction));
                step = found.step();
                move(from, step);
                from.close();
                if (found.gradient() != at.gradient) {
                    at.gradient.close();
                }
                at = new Evaluation(found.loss(), found.gradient());
                evaluations += found.evaluations();
            } else {
                Tensor from = flat();
                move(from, step);
                from.close();
                if (!isLast) {
                    at.gradient.close();
                    at = evaluate(closure);
                    evaluations++;
                }
            }
            boolean isDone = isLast
                    || evaluations >= max
                    || at.largest() <= toleranceGrad
                    || Math.abs(step) * largest(direction) <= toleranceChange
                    || Math.abs(at.loss - previousLoss) < toleranceChange;
            if (isDone) {
                break;
            }
        }
        at.gradient.close();
        return first;
    }

    private void remember(Evaluation at) {
        if (previousGradient != null) {
            previousGradient.close();
        }
        previousGradient = compute(at.gradient::clone);
        previousLoss = at.loss;
    }

    /** Computes the next direction from the corrections so far. */
    private void turn(Tensor gradient) {
        Tensor before = direction;
        if (before == null) {
            direction = compute(gradient::neg);
            return;
        }
        Tensor change = compute(() -> gradient.sub(previousGradient));
        Tensor move = compute(() -> before.mul(step));
        double product = dot(change, move);
        if (product > 1e-10) {
            if (history.size() == historySize) {
                history.removeFirst().close();
            }
            history.addLast(new Correction(change, move, 1 / product));
            scale = product / dot(change, change);
        } else {
            change.close();
            move.close();
        }
        direction = compute(() -> product(gradient));
        before.close();
    }

    /** Returns the estimate of the inverse Hessian times the gradient (the two loops). */
    private Tensor product(Tensor gradient) {
        Tensor q = gradient.neg();
        double[] shares = new double[history.size()];
        int place = history.size() - 1;
        for (Iterator<Correction> newest = history.descendingIterator(); newest.hasNext(); place--) {
            Correction each = newest.next();
            shares[place] = dot(each.move, q) * each.factor;
            q = q.sub(each.change.mul(shares[place]));
        }
        Tensor r = q.mul(scale);
        place = 0;
        for (Correction each : history) {
            r = r.add(each.move.mul(shares[place] - dot(each.change, r) * each.factor));
            place++;
        }
        return r;
    }

    /** Computes a result that stays until it is closed; frees the intermediates. */
    private Tensor compute(Supplier<Tensor> computation) {
        return parameters
                .getFirst()
                .tensor()
                .machine()
                .unscoped(() -> GradMode.with(false, () -> Scope.tidy(computation)));
    }

    private double number(Supplier<Tensor> computation) {
        return GradMode.with(false, () -> {
            try (Tensor result = compute(() -> computation.get().to(DType.FLOAT64))) {
                return result.itemDouble();
            }
        });
    }

    private double dot(Tensor left, Tensor right) {
        return number(() -> left.mul(right).sum());
    }

    private double largest(Tensor vector) {
        return number(() -> vector.abs().amax());
    }

    private double sumOfSizes(Tensor vector) {
        return number(() -> vector.abs().sum());
    }

    // ---- losses

    private final class Evaluation {
        final double loss;
        final Tensor gradient;

        Evaluation(double loss, Tensor gradient) {
            this.loss = loss;
            this.gradient = gradient;
        }

        double largest() {
            return LBFGS.this.largest(gradient);
        }
    }

    private Evaluation evaluate(Supplier<Tensor> closure) {
        Tensor loss = GradMode.with(true, closure::get);
        double value = number(loss::detach);
        return new Evaluation(
                value,
                compute(() ->
                        Tensors.cat(parameters.stream().map(LBFGS::gradient).toList(), 0)));
    }

    private static Tensor gradient(Parameter parameter) {
        Tensor tensor = parameter.tensor();
        Tensor gradient = tensor.grad();
        return (gradient == null ? tensor.detach().zerosLike() : gradient).reshape(tensor.numel());
    }

    private LineSearch.Found evaluateAt(Supplier<Tensor> closure, Tensor from, double size) {
        move(from, size);
        Evaluation there = evaluate(closure);
        return new LineSearch.Found(size, there.loss, there.gradient, dot(there.gradient, direction), 1);
    }

    private Tensor flat() {
        return compute(() -> {
            List<Tensor> parts = new ArrayList<>();
            parameters.forEach(each ->
                    parts.add(each.tensor().detach().reshape(each.tensor().numel())));
            return Tensors.cat(parts, 0);
        });
    }

    /** Sets the parameters to {@code from} plus {@code size} times the direction. */
    private void move(Tensor from, double size) {
        GradMode.noGrad(() -> {
            try (Tensor place = compute(() -> from.add(direction, size))) {
                long start = 0;
                for (Parameter each : parameters) {
                    Shape shape = each.tensor().shape();
                    try (Tensor part = place.narrow(0, start, shape.elements());
                            Tensor shaped = part.view(shape.toArray())) {
                        each.tensor().copy_(shaped);
                    }
                    start += shape.elements();
                }
            }
        });
    }

    /** Frees its memory. The next step begins without it. */
    @Override
    public void close() {
        history.forEach(Correction::close);
        history.clear();
        for (Tensor each : new Tensor[] {direction, previousGradient}) {
            if (each != null) {
                each.close();
            }
        }
        direction = null;
        previousGradient = null;
        iterations = 0;
        scale = 1;
    }
}
