package dev.outpost.cli.parity.ops;

import dev.outpost.HostTensor;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.cli.parity.Argument.TensorArgument;
import dev.outpost.cli.parity.ParityCase;
import dev.outpost.cli.parity.ParityPack;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a sample of an op shows when it runs.
 *
 * @param instructions the primitives that the machine was handed, sorted
 * @param dtypes what the sample's floating tensors may be cast to
 * @param isDifferentiable whether a gradient flows
 */
public record OpFacts(Set<String> instructions, List<DType> dtypes, boolean isDifferentiable) {

    /** Asks the machine of a subject. */
    static OpFacts of(MachineSubject subject, ParityCase parityCase, ParityPack pack) {
        List<DType> dtypes = new ArrayList<>();
        for (DType dtype : DType.values()) {
            if (isTaken(subject, parityCase, pack, dtype)) {
                dtypes.add(dtype);
            }
        }
        try (Scope scope = subject.machine.scope()) {
            Map<TensorArgument, Tensor> tensors = subject.upload(parityCase, pack);
            tensors.values().stream()
                    .filter(tensor -> tensor.dtype().isFloating())
                    .forEach(tensor -> tensor.requiresGrad(true));
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
                output.explain().nodes().stream().map(node -> node.op().replaceFirst("\\[.*", "")).forEach(names::add);
            } catch (OutpostException forgotten) {
                // A value that no segment computed, as an upload, has nothing that leads to it.
                continue;
            }
        }
        return names;
    }

    private static boolean isTaken(MachineSubject subject, ParityCase parityCase, ParityPack pack, DType dtype) {
        try (Scope scope = subject.machine.scope()) {
            Map<TensorArgument, Tensor> cast = new IdentityHashMap<>();
            subject.upload(parityCase, pack)
                    .forEach((argument, tensor) ->
                            cast.put(argument, tensor.dtype() == DType.FLOAT32 ? tensor.to(dtype) : tensor));
            for (Tensor output : subject.outputs(parityCase, cast)) {
                HostTensor ignored = output.toHost();
            }
            return true;
        } catch (OutpostException refused) {
            return false;
        }
    }
}
