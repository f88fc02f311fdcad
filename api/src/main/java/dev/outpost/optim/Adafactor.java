package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/**
 * Divides gradients by the root of a running mean square, of which it keeps only row and column means (Shazeer and Stern, 2018;
 * torch.optim.Adafactor). For a matrix it needs as much memory as for a vector.
 */
public final class Adafactor extends ConfiguredOptimizer<Adafactor> {
    private static final String ROWS = "row_var";
    private static final String COLUMNS = "col_var";
    private static final String VARIANCE = "variance";
    private static final Map<String, Double> DEFAULTS =
            Map.of("beta2_decay", -0.8, "eps1", 0.0, "eps2", 1e-3, "d", 1.0, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1e-2. */
    public Adafactor(List<Parameter> parameters) {
        this(parameters, 1e-2);
    }

    /** Uses a decay of the mean square of {@code 1 - step^-0.8}, and clips updates at a root mean square of 1 (d). */
    public Adafactor(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adafactor(ParameterGroup... groups) {
        super(groups);
    }

    /** Sets the power of the step number that is the weight of the newest mean square; the default is -0.8. */
    public Adafactor beta2Decay(double power) {
        return set("beta2_decay", power);
    }

    /**
     * Sets the numbers that keep mean squares from zero, and the size of a parameter by which its step is scaled. 0 as the first stands for
     * the epsilon of the dtype.
     */
    public Adafactor eps(double ofSquares, double ofParameters) {
        option("eps1", HyperparameterChecks.atLeastZero("first eps", ofSquares));
        return set("eps2", HyperparameterChecks.atLeastZero("second eps", ofParameters));
    }

    /** Sets the largest root mean square of a change; larger changes are clipped. The default is 1. */
    public Adafactor d(double threshold) {
        if (!(threshold >= 1)) {
            throw HyperparameterChecks.problem("the threshold must be at least 1, got " + threshold);
        }
        return set("d", threshold);
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        if (shape.rank() < 2) {
            return zeros(shape, VARIANCE);
        }
        return Map.of(
                ROWS, new Remembered(0, withOne(shape, shape.rank() - 1)),
                COLUMNS, new Remembered(0, withOne(shape, shape.rank() - 2)));
    }

    private static Shape withOne(Shape shape, int dim) {
        long[] sizes = shape.toArray();
        sizes[dim] = 1;
        return Shape.of(sizes);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor ascent = ascent(group, gradient);
        double given = option(group, "eps1");
        double eps1 = given == 0 ? epsilon(parameter) : given;
        Tensor size = parameter.square().mean().sqrt().clampMin(option(group, "eps2"));
        decay(group, state, parameter);
        Number share = state.number(List.of(group, "share"), step -> Math.pow(step, option(group, "beta2_decay")));
        Tensor variance = ascent.dim() > 1 ? factored(state, ascent, share, eps1) : whole(state, ascent, share);
        Tensor change = variance.clampMin(eps1 * eps1).rsqrt().mul(ascent);
        Tensor clipped = change.square().mean().sqrt().div(option(group, "d")).clampMin(1);
        Number rate =
                state.number(List.of(group, "rate"), step -> -Math.min(group.learningRate(), 1 / Math.sqrt(step)));
        parameter.add_(change.mul(size.div(clipped)), rate);
    }

    /** Returns the distance from 1 to the next number of the dtype. */
    private static double epsilon(Tensor tensor) {
        return switch (tensor.dtype()) {
            case FLOAT64 -> 0x1p-52;
            case FLOAT16 -> 0x1p-10;
            case BFLOAT16 -> 0x1p-7;
            default -> 0x1p-23;
        };
    }

    private static Tensor factored(ParameterState state, Tensor gradient, Number share, double eps1) {
        Tensor squares = gradient.square();
        Tensor rows = state.tensor(ROWS);
        rows.lerp_(squares.mean(-1, true), share);
        Tensor columns = state.tensor(COLUMNS);
        columns.lerp_(squares.mean(-2, true), share);
        return rows.mul(columns).div(rows.mean(-2, true).clampMin(eps1));
    }

    private static Tensor whole(ParameterState state, Tensor gradient, Number share) {
        Tensor variance = state.tensor(VARIANCE);
        variance.lerp_(gradient.square(), share);
        return variance;
    }
}
