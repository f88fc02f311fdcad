package dev.outpost.torch.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The facts that a sample of an op shows when it runs.
 *
 * @param instructions the primitives that the machine got, sorted
 * @param dtypes the dtypes to which the sample's first tensor, and others of its dtype, may be cast
 * @param isDifferentiable true if a gradient flows
 */
public record OpFacts(Set<String> instructions, List<DType> dtypes, boolean isDifferentiable) {

    /** Asks the machine of a subject. */
    static OpFacts of(MachineSubject subject, ParityCase parityCase, ParityPack pack) {
        List<DType> dtypes = new ArrayList<>();
        for (DType dtype : DType.values()) {
            if (tryCall(subject, parityCase, pack, dtype)) {
                dtypes.add(dtype);
            }
        }
        try {
            return of(subject, parityCase, pack, dtypes, true);
        } catch (OutpostException ignored) {
            // Some ops refuse tensors that require gradients.
            return of(subject, parityCase, pack, dtypes, false);
        }
    }

    private static OpFacts of(
            MachineSubject subject, ParityCase parityCase, ParityPack pack, List<DType> dtypes, boolean requiresGrad) {
        try (Scope scope = subject.machine.scope()) {
            Map<TensorArgument, Tensor> tensors = subject.upload(parityCase, pack);
            tensors.values().stream()
                    .filter(tensor -> tensor.dtype().isFloating())
                    .forEach(tensor -> tensor.requiresGrad(requiresGrad));
            subject.machine.synchronize();
            List<Tensor> outputs = subject.outputs(parityCase, tensors);
            boolean isDifferentiable = outputs.stream().anyMatch(Tensor::requiresGrad);
            return new OpFacts(instructions(outputs), dtypes, isDifferentiable);
        }
    }

    private static Set<String> instructions(List<Tensor> outputs) {
        Set<String> names = new TreeSet<>();
        for (Tensor output : outputs) {
            try {
                output.explain().nodes().stream()
                        .map(node -> node.op().replaceFirst("\\[.*", ""))
                        .forEach(names::add);
            } catch (OutpostException ignored) {
                // A value that no segment computed, such as an upload, has no explanation.
                continue;
            }
        }
        return names;
    }

    private static boolean tryCall(MachineSubject subject, ParityCase parityCase, ParityPack pack, DType dtype) {
        try (Scope scope = subject.machine.scope()) {
            Map<TensorArgument, Tensor> tensors = subject.upload(parityCase, pack);
            List<DType> given = Stream.concat(
                            parityCase.arguments().stream(), parityCase.keywordArguments().values().stream())
                    .flatMap(Argument::tensors)
                    .map(argument -> tensors.get(argument).dtype())
                    .toList();
            Map<TensorArgument, Tensor> cast = new IdentityHashMap<>();
            tensors.forEach((argument, tensor) ->
                    cast.put(argument, tensor.dtype() == given.getFirst() ? tensor.to(dtype) : tensor));
            subject.outputs(parityCase, cast).forEach(Tensor::toHost);
            return true;
        } catch (OutpostException ignored) {
            return false;
        }
    }
}
