package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/**
 * Orthogonalizes the momentum by a Newton-Schulz iteration, for matrices of hidden layers (Jordan et al., 2024; torch.optim.Muon). The
 * iteration runs in the gradient's dtype (PyTorch uses bfloat16). The momentum is Nesterov's.
 */
public final class Muon extends Optimizer {
    private static final String MOMENTUM_BUFFER = "momentum_buffer";
    private static final String MATCH = "match_rms_adamw";
    private static final double A = 3.4445;
    private static final double B = -4.775;
    private static final double C = 2.0315;
    private static final Map<String, Double> DEFAULTS =
            Map.of(Options.MOMENTUM, 0.95, "nesterov", 1.0, "ns_steps", 5.0, Options.EPS, 1e-7, MATCH, 0.0);

    /** Uses PyTorch's learning rate, 1e-3. */
    public Muon(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    /** Uses a momentum of 0.95, five iterations and a weight decay of 0.1. */
    public Muon(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0.1));
    }

    public Muon(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** Sets the momentum; the default is 0.95. A group may have its own value. */
    public Muon momentum(double momentum) {
        option("momentum", HyperparameterChecks.atLeastZero("momentum", momentum));
        return this;
    }

    /** Turns Nesterov momentum on or off; the default is on. */
    public Muon nesterov(boolean looksAhead) {
        option("nesterov", looksAhead ? 1 : 0);
        return this;
    }

    /** Sets the number of steps of the Newton-Schulz iteration; the default is 5. */
    public Muon steps(int steps) {
        option("ns_steps", HyperparameterChecks.atLeastZero("number of steps", steps));
        return this;
    }

    /** Scales steps to the size of AdamW's, so that its learning rate can be used. */
    public Muon matchRmsAdamW() {
        option("match_rms_adamw", 1);
        return this;
    }

    /** Sets the weight decay of all groups. */
    public Muon weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        if (shape.rank() != 2) {
            throw HyperparameterChecks.problem("Muon is for matrices, got a parameter of shape " + shape
                    + "; give others to another optimizer, such as AdamW");
        }
        return zeros(shape, MOMENTUM_BUFFER);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor buffer = state.tensor(MOMENTUM_BUFFER);
        double momentum = option(group, Options.MOMENTUM);
        buffer.lerp_(gradient, 1 - momentum);
        Tensor direction = isSet(group, "nesterov") ? gradient.lerp(buffer, momentum) : buffer;
        Tensor orthogonal = orthogonal(direction, (int) option(group, "ns_steps"), option(group, Options.EPS));
        decay(group, state, parameter);
        long rows = parameter.size(0);
        long columns = parameter.size(1);
        Number rate = state.number(
                List.of(group, "rate", rows, columns), step -> -group.learningRate() * scale(group, rows, columns));
        parameter.add_(orthogonal, rate);
    }

    private double scale(ParameterGroup group, long rows, long columns) {
        return isSet(group, MATCH)
                ? 0.2 * Math.sqrt(Math.max(rows, columns))
                : Math.sqrt(Math.max(1, (double) rows / columns));
    }

    /** Moves all singular values near 1, by x · (a + b · g + c · g²) of the Gram matrix g. */
    private static Tensor orthogonal(Tensor matrix, int steps, double eps) {
        boolean isTall = matrix.size(0) > matrix.size(1);
        Tensor x = isTall ? matrix.t() : matrix;
        x = x.div(x.norm().clampMin(eps));
        for (int step = 0; step < steps; step++) {
            Tensor gram = x.matmul(x.t());
            Tensor change = gram.mul(B).add(gram.matmul(gram), C);
            x = x.mul(A).add(change.matmul(x));
        }
        return isTall ? x.t() : x;
    }
}
