package dev.outpost.models.architecture;

import dev.outpost.Tensor;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.function.UnaryOperator;

/** Activation functions by transformers' names. */
public final class Activations {
    private Activations() {}

    /** Returns the activation of a configuration. Fails if it is unknown. */
    public static UnaryOperator<Tensor> of(ModelConfig config, String key, String standard) {
        String name = config.text(key, standard);
        return switch (name) {
            case "silu", "swish" -> Tensor::silu;
            case "gelu" -> Tensor::gelu;
            case "gelu_new", "gelu_fast", "gelu_pytorch_tanh" -> Tensor::geluTanh;
            case "quick_gelu" -> x -> x.mul(x.mul(1.702).sigmoid());
            case "relu" -> Tensor::relu;
            case "tanh" -> Tensor::tanh;
            default ->
                throw new OutpostException(
                        FaultKind.USER, config.name() + ": the activation " + name + " is not known");
        };
    }
}
