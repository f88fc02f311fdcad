package dev.outpost.torch;

import dev.outpost.torch.Argument.TensorArgument;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One call of PyTorch and its results. Tensors are identified by their names in the pack.
 *
 * @param id {@code op.variant/dtype/number}, or {@code op/error/number}
 * @param op PyTorch's name, such as {@code nn.functional.layer_norm}
 * @param variant the sample set within the op, which does not change the called function
 * @param arguments the positional arguments
 * @param keywordArguments the others by name, in the order of the call
 * @param outputs the outputs, flattened in order; empty if PyTorch refuses the call
 * @param cotangents the incoming gradients, by the index of the output; empty if no gradient was taken
 * @param gradients the gradient of each of {@link #leaves}, empty if none flows; no elements if no gradient was taken
 * @param isRefused true if PyTorch refuses this call
 * @param refusal a pattern of PyTorch's message, for orientation only; empty if it accepts the call
 */
public record ParityCase(
        String id,
        String op,
        String variant,
        List<Argument> arguments,
        Map<String, Argument> keywordArguments,
        List<String> outputs,
        Map<Integer, String> cotangents,
        List<Optional<String>> gradients,
        boolean isRefused,
        String refusal) {

    /** The tensors that require a gradient, in the order of {@link #gradients}. */
    public List<TensorArgument> leaves() {
        return Stream.concat(arguments.stream(), keywordArguments.values().stream())
                .flatMap(Argument::tensors)
                .filter(TensorArgument::requiresGrad)
                .toList();
    }
}
