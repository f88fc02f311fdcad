package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Conv1d;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.Parametrization;
import dev.outpost.nn.parametrize.Parametrizations;
import dev.outpost.nn.parametrize.WeightNorm;
import dev.outpost.optim.SGD;
import dev.outpost.system.Closeness;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ParametrizationsTest {
    private static final TorchFixture TORCH = TorchFixture.of("parametrize");

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

    @ParameterizedTest
    @MethodSource("cases")
    void parametrizationMatchesPyTorch(String name) {
        Module module = switch (name) {
            case "weight_norm_linear" -> Parametrizations.weightNorm(new Linear(4, 3));
            case "weight_norm_dim1" -> Parametrizations.weightNorm(new Linear(4, 3), "weight", 1);
            case "weight_norm_whole" -> Parametrizations.weightNorm(new Linear(4, 3), "weight", WeightNorm.WHOLE);
            case "weight_norm_conv" -> Parametrizations.weightNorm(new Conv1d(2, 3, 3));
            case "spectral_norm_conv" -> Parametrizations.spectralNorm(new Conv2d(2, 3, 3), "weight", 2, 1e-12, 0);
            case "spectral_norm_eval" ->
                Parametrizations.spectralNorm(new Linear(4, 3)).eval();
            case "spectral_norm_twice" -> Parametrizations.spectralNorm(new Linear(4, 4));
            default -> Parametrizations.spectralNorm(new Linear(4, 3));
        };
        boolean isTwice = name.endsWith("twice");
        TORCH.check(name, module, machine, in -> {
            Tensor once = module.forward(in.getFirst());
            return List.of(isTwice ? module.forward(once) : once);
        });
    }

    @Test
    void aWeightKeepsItsValueThroughWeightNormAndBack() {
        Linear linear = new Linear(4, 3);
        linear.to(machine);
        double[] before = linear.weight().tensor().toDoubleArray();
        Parametrizations.weightNorm(linear);
        assertTrue(linear.isParametrized("weight"));
        assertEquals(
                List.of("bias", "parametrizations.weight.original0", "parametrizations.weight.original1"),
                List.copyOf(linear.namedParameters().keySet()));
        Closeness.assertClose(before, linear.weight().tensor());
        linear.removeParametrization("weight");
        assertFalse(linear.isParametrized("weight"));
        assertTrue(linear.namedParameters().containsKey("weight"));
        assertTrue(linear.weight().requiresGrad());
        Closeness.assertClose(before, linear.weight().tensor());
        new SGD(linear.parameters(), 0.1);
    }

    @Test
    void aWeightThatIsNotPlacedYetBeginsAsItWouldHave() {
        Linear plain = new Linear(4, 3);
        plain.to(machine.manualSeed(7));
        Linear normed = Parametrizations.weightNorm(new Linear(4, 3));
        normed.to(DType.FLOAT32).to(machine.manualSeed(7));
        assertEquals(plain.weight().shape(), normed.weight().shape());
        double largest = normed.weight().tensor().abs().max().itemDouble();
        assertTrue(largest > 0 && largest <= 0.5, "within the bounds of a linear layer's weights");
    }

    @Test
    void theSpectralNormOfTheWeightIsNearOneFromTheStart() {
        Linear linear = Parametrizations.spectralNorm(new Linear(6, 5));
        linear.to(machine.manualSeed(5));
        linear.eval();
        Tensor weight = linear.weight().tensor();
        double largest = dev.outpost.linalg.Linalg.svdvals(weight).max().itemDouble();
        assertEquals(1, largest, 0.05);
    }

    @Test
    void aParametrizationOfOnesOwnIsTrained() {
        final class Symmetric extends Parametrization {
            @Override
            protected Tensor value(List<Tensor> originals) {
                Tensor upper = originals.getFirst().triu();
                return upper.add(upper.triu(1).t());
            }
        }
        Linear linear = new Linear(3, 3);
        linear.registerParametrization("weight", new Symmetric());
        linear.to(machine);
        SGD optimizer = new SGD(linear.parameters(), 0.1);
        linear.forward(machine.randn(2, 3)).square().sum().backward();
        optimizer.step();
        Tensor weight = linear.weight().tensor();
        Closeness.assertClose(weight.toDoubleArray(), weight.t());
    }

    @Test
    void unsuitableParameterIsRefused() {
        Linear linear = Parametrizations.weightNorm(new Linear(4, 3));
        assertEquals(
                "register_parametrization: weight is parametrized already; call removeParametrization first",
                assertThrows(OpException.class, () -> Parametrizations.weightNorm(linear))
                        .getMessage());
        assertEquals(
                "register_parametrization: Linear has no parameter called kernel",
                assertThrows(OpException.class, () -> Parametrizations.weightNorm(linear, "kernel", 0))
                        .getMessage());
        assertThrows(OpException.class, () -> linear.removeParametrization("weight"));
        assertThrows(OutpostException.class, () -> linear.weight().initialize(dev.outpost.nn.Init.ones()));
    }
}
