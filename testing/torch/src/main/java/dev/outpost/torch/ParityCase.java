package dev.outpost.torch;

import dev.outpost.torch.Argument.TensorArgument;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One call of PyTorch's and what came of it. Tensors stand by their names in the pack.
 *
 * @param id {@code op.variant/dtype/number}, or {@code op/error/number}
 * @param op PyTorch's name, such as {@code nn.functional.layer_norm}
 * @param variant the sample set within the op; it never changes what is called
 * @param arguments the positional arguments
 * @param keywordArguments the others by name, in the order of the call
 * @param outputs what it returned, flattened in order; empty when PyTorch refuses the call
 * @param cotangents the incoming gradient by the index of the output; empty where no gradient was taken
 * @param gradients one for each of {@link #leaves}, empty where none flows; no elements where no gradient was taken
 * @param isRefused whether PyTorch refuses this call
 * @param refusal a pattern of PyTorch's message, for orientation only; empty when it takes the call
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
