package dev.outpost.system.distributions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.distributions.Bernoulli;
import dev.outpost.distributions.Beta;
import dev.outpost.distributions.Categorical;
import dev.outpost.distributions.Dirichlet;
import dev.outpost.distributions.Distribution;
import dev.outpost.distributions.Exponential;
import dev.outpost.distributions.Gamma;
import dev.outpost.distributions.Geometric;
import dev.outpost.distributions.Kl;
import dev.outpost.distributions.Laplace;
import dev.outpost.distributions.Multinomial;
import dev.outpost.distributions.Normal;
import dev.outpost.distributions.Uniform;
import dev.outpost.nn.Functional;
import dev.outpost.system.Closeness;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Densities, entropies, moments and divergences against PyTorch; samples by their moments. */
class DistributionsTest {
    private static final TorchFixture TORCH = TorchFixture.of("distributions");
    private static final int SAMPLES = 40_000;

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    static Stream<String> cases() {
        return TORCH.cases();
    }

    private static Tensor t(double... values) {
        return machine.tensor(dev.outpost.HostTensor.of(values));
    }

    private static Distribution first(String name) {
        return switch (name) {
            case "normal" -> new Normal(t(0.5, -1), t(2, 0.3));
            case "uniform" -> new Uniform(t(0, 1), t(2, 4));
            case "exponential" -> new Exponential(t(0.5, 2));
            case "laplace" -> new Laplace(t(0, 1), t(1, 2));
            case "bernoulli" -> Bernoulli.ofProbabilities(t(0.2, 0.7));
            case "geometric" -> new Geometric(t(0.2, 0.7));
            case "categorical" ->
                Categorical.ofProbabilities(t(0.2, 0.3, 0.5, 0.1, 0.8, 0.1).reshape(2, 3));
            case "gamma" -> new Gamma(t(0.5, 3), t(1, 2));
            case "beta" -> new Beta(t(0.5, 3), t(2, 1.5));
            case "dirichlet" -> new Dirichlet(t(0.5, 2, 3));
            case "multinomial" -> new Multinomial(6, Categorical.ofProbabilities(t(0.2, 0.3, 0.5)));
            default -> throw new AssertionError("no such distribution: " + name);
        };
    }

    private static Distribution second(String name) {
        return switch (name) {
            case "normal" -> new Normal(t(0, 1), t(1, 2));
            case "uniform" -> new Uniform(t(-1, 0), t(3, 5));
            case "exponential" -> new Exponential(t(1, 3));
            case "laplace" -> new Laplace(t(0.5, -1), t(2, 0.5));
            case "bernoulli" -> Bernoulli.ofProbabilities(t(0.5, 0.1));
            case "geometric" -> new Geometric(t(0.5, 0.1));
            case "categorical" ->
                Categorical.ofProbabilities(t(0.4, 0.4, 0.2, 0.3, 0.3, 0.4).reshape(2, 3));
            case "gamma" -> new Gamma(t(2, 1), t(3, 0.5));
            case "beta" -> new Beta(t(1, 2), t(1, 4));
            case "dirichlet" -> new Dirichlet(t(1, 1, 4));
            default -> throw new AssertionError("no such distribution: " + name);
        };
    }

    @ParameterizedTest
    @MethodSource("cases")
    void formulasArePyTorchs(String name) {
        Distribution p = first(name);
        check(name, "log_prob", p.logProb(machine.tensor(TORCH.get(name + "/value"))));
        check(name, "entropy", p.entropy());
        if (!name.equals("categorical")) {
            check(name, "mean", p.mean());
            check(name, "variance", p.variance());
        }
        if (!name.equals("multinomial")) {
            check(name, "kl", Kl.divergence(p, second(name)));
        }
    }

    private static void check(String name, String what, Tensor actual) {
        TorchFixture.assertClose(name + " " + what, TORCH.get(name + "/" + what), actual);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void samplesHaveTheMomentsOfTheDistribution(String name) {
        if (name.equals("categorical")) {
            return;
        }
        machine.manualSeed(17);
        Distribution p = first(name);
        Tensor samples = p.sample(SAMPLES);
        assertEquals(SAMPLES, samples.size(0));
        double[] mean = p.mean().toDoubleArray();
        double[] deviation = p.stddev().toDoubleArray();
        double[] sampleMean = samples.mean(0).toDoubleArray();
        double[] sampleDeviation = samples.std(0).toDoubleArray();
        for (int index = 0; index < mean.length; index++) {
            double error = 5 * deviation[index] / Math.sqrt(SAMPLES);
            assertEquals(mean[index], sampleMean[index], error, "mean " + index);
            assertEquals(deviation[index], sampleDeviation[index], 0.05 * deviation[index], "deviation " + index);
        }
    }

    @Test
    void classesComeAsOftenAsTheyShould() {
        machine.manualSeed(19);
        Tensor samples = first("categorical").sample(SAMPLES);
        double[] counts = Functional.oneHot(samples, 3).float64().mean(0).toDoubleArray();
        double[] expected = {0.2, 0.3, 0.5, 0.1, 0.8, 0.1};
        assertArrayEquals(expected, counts, 0.015);
    }

    @Test
    void gradientsFlowThroughSamplesWhereTheyCan() {
        Tensor mean = t(1, 2).requiresGrad(true);
        Tensor scale = t(1, 1).requiresGrad(true);
        Tensor sample = new Normal(mean, scale).rsample(3);
        sample.sum().backward();
        Closeness.assertClose(new double[] {3, 3}, mean.grad());
        Closeness.assertClose(sample.detach().sub(mean.detach()).sum(0).toDoubleArray(), scale.grad());
        assertTrue(!new Normal(mean, scale).sample().requiresGrad());
        assertThrows(OutpostException.class, () -> first("gamma").rsample());
    }

    @Test
    void distributionsOfTwoKindsHaveNoDivergence() {
        assertEquals(
                "kl_divergence: both must be of one kind, got normal and laplace",
                assertThrows(OpException.class, () -> Kl.divergence(first("normal"), first("laplace")))
                        .getMessage());
    }
}
