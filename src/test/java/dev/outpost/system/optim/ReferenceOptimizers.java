package dev.outpost.system.optim;

import dev.outpost.nn.Parameter;
import dev.outpost.optim.Adagrad;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.ParameterGroup;
import dev.outpost.optim.RMSprop;
import dev.outpost.optim.SGD;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rule of each optimizer in PyTorch's documentation, for one number in plain double arithmetic, with the optimizer that is compared
 * with it. All of them treat numbers independently.
 */
final class ReferenceOptimizers {
    /** The update of one number; keeps its state in fields. */
    interface Reference {
        double step(int number, double parameter, double gradient);
    }

    /**
     * @param name the name of the configuration
     * @param make makes the optimizer of given parameters
     * @param reference makes the reference for one number; a new one for each number
     */
    record Pair(String name, Function<List<Parameter>, Optimizer> make, Supplier<Reference> reference) {
        @Override
        public String toString() {
            return name;
        }
    }

    private ReferenceOptimizers() {}

    static Stream<Pair> all() {
        return Stream.of(
                new Pair("SGD", p -> new SGD(p, 0.1), () -> new Sgd(0.1, 0, 0, false, 0, 1)),
                new Pair("SGD momentum", p -> new SGD(p, 0.1).momentum(0.9), () -> new Sgd(0.1, 0.9, 0, false, 0, 1)),
                new Pair(
                        "SGD dampening",
                        p -> new SGD(p, 0.1).momentum(0.9).dampening(0.3),
                        () -> new Sgd(0.1, 0.9, 0.3, false, 0, 1)),
                new Pair(
                        "SGD nesterov",
                        p -> new SGD(p, 0.1).momentum(0.9).nesterov().weightDecay(0.01),
                        () -> new Sgd(0.1, 0.9, 0, true, 0.01, 1)),
                new Pair("SGD maximize", p -> new SGD(p, 0.01).maximize(), () -> new Sgd(0.01, 0, 0, false, 0, -1)),
                new Pair("Adam", p -> new Adam(p, 0.1), () -> new Moments(0.1, 0, 0, false)),
                new Pair(
                        "Adam weight decay",
                        p -> new Adam(p, 0.1).weightDecay(0.05),
                        () -> new Moments(0.1, 0.05, 0, false)),
                new Pair("Adam amsgrad", p -> new Adam(p, 0.1).amsgrad(), () -> new Moments(0.1, 0, 0, true)),
                new Pair("AdamW", p -> new AdamW(p, 0.1), () -> new Moments(0.1, 0, 0.01, false)),
                new Pair(
                        "AdamW amsgrad",
                        p -> new AdamW(p, 0.1).weightDecay(0.2).amsgrad(),
                        () -> new Moments(0.1, 0, 0.2, true)),
                new Pair(
                        "Adam betas and eps of a group",
                        p -> new Adam(
                                new ParameterGroup(p, 0.1, 0).betas(0.8, 0.95).eps(0.01)),
                        () -> new Moments(0.1, 0, 0, false, 0.8, 0.95, 0.01)),
                new Pair(
                        "AdamW betas of a group over the optimizer's",
                        p -> new AdamW(new ParameterGroup(p, 0.1, 0).betas(0.5, 0.9))
                                .betas(0.1, 0.2)
                                .eps(0.1),
                        () -> new Moments(0.1, 0, 0, false, 0.5, 0.9, 0.1)),
                new Pair("RMSprop", p -> new RMSprop(p, 0.1), () -> new RootMeanSquare(0.1, 0, 0, false)),
                new Pair(
                        "RMSprop centered",
                        p -> new RMSprop(p, 0.1).momentum(0.9).centered().weightDecay(0.01),
                        () -> new RootMeanSquare(0.1, 0.9, 0.01, true)),
                new Pair("Adagrad", p -> new Adagrad(p, 0.1), () -> new SumOfSquares(0.1, 0, 0)),
                new Pair(
                        "Adagrad decay",
                        p -> new Adagrad(p, 0.1).learningRateDecay(0.1).weightDecay(0.01),
                        () -> new SumOfSquares(0.1, 0.1, 0.01)));
    }

    private static final class Sgd implements Reference {
        private final double rate, momentum, dampening, decay, sign;
        private final boolean nesterov;
        private double buffer;

        Sgd(double rate, double momentum, double dampening, boolean nesterov, double decay, double sign) {
            this.rate = rate;
            this.momentum = momentum;
            this.dampening = dampening;
            this.nesterov = nesterov;
            this.decay = decay;
            this.sign = sign;
        }

        @Override
        public double step(int number, double parameter, double gradient) {
            double g = sign * gradient + decay * parameter;
            if (momentum != 0) {
                buffer = number == 1 ? g : momentum * buffer + (1 - dampening) * g;
                g = nesterov ? g + momentum * buffer : buffer;
            }
            return parameter - rate * g;
        }
    }

    private static final class Moments implements Reference {
        private final double rate, coupledDecay, decoupledDecay, beta1, beta2, eps;
        private final boolean amsgrad;
        private double m, v, largest;

        Moments(double rate, double coupledDecay, double decoupledDecay, boolean amsgrad) {
            this(rate, coupledDecay, decoupledDecay, amsgrad, 0.9, 0.999, 1e-8);
        }

        Moments(
                double rate,
                double coupledDecay,
                double decoupledDecay,
                boolean amsgrad,
                double beta1,
                double beta2,
                double eps) {
            this.beta1 = beta1;
            this.beta2 = beta2;
            this.eps = eps;
            this.rate = rate;
            this.coupledDecay = coupledDecay;
            this.decoupledDecay = decoupledDecay;
            this.amsgrad = amsgrad;
        }

        @Override
        public double step(int number, double parameter, double gradient) {
            double g = gradient + coupledDecay * parameter;
            double decayed = parameter - rate * decoupledDecay * parameter;
            m = beta1 * m + (1 - beta1) * g;
            v = beta2 * v + (1 - beta2) * g * g;
            largest = Math.max(largest, v);
            double corrected = (amsgrad ? largest : v) / (1 - Math.pow(beta2, number));
            return decayed - rate * (m / (1 - Math.pow(beta1, number))) / (Math.sqrt(corrected) + eps);
        }
    }

    private static final class RootMeanSquare implements Reference {
        private static final double ALPHA = 0.99, EPS = 1e-8;
        private final double rate, momentum, decay;
        private final boolean centered;
        private double squares, mean, buffer;

        RootMeanSquare(double rate, double momentum, double decay, boolean centered) {
            this.rate = rate;
            this.momentum = momentum;
            this.decay = decay;
            this.centered = centered;
        }

        @Override
        public double step(int number, double parameter, double gradient) {
            double g = gradient + decay * parameter;
            squares = ALPHA * squares + (1 - ALPHA) * g * g;
            mean = ALPHA * mean + (1 - ALPHA) * g;
            double scaled = g / (Math.sqrt(centered ? squares - mean * mean : squares) + EPS);
            buffer = momentum * buffer + scaled;
            return parameter - rate * buffer;
        }
    }

    private static final class SumOfSquares implements Reference {
        private static final double EPS = 1e-10;

        private final double rate, rateDecay, decay;
        private double sum;

        SumOfSquares(double rate, double rateDecay, double decay) {
            this.rate = rate;
            this.rateDecay = rateDecay;
            this.decay = decay;
        }

        @Override
        public double step(int number, double parameter, double gradient) {
            double g = gradient + decay * parameter;
            sum += g * g;
            return parameter - rate / (1 + (number - 1) * rateDecay) * g / (Math.sqrt(sum) + EPS);
        }
    }
}
