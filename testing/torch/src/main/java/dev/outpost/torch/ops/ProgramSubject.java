package dev.outpost.torch.ops;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.ParityAnswer;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Computes like {@link MachineSubject}, but each case as a separate program: its tensors are inputs, and outputs and gradients are outputs.
 */
public final class ProgramSubject extends MachineSubject {

    public ProgramSubject(RemoteMachine machine) {
        super(machine);
    }

    @Override
    public ParityAnswer compute(ParityCase parityCase, ParityPack pack) {
        try (Scope scope = machine.scope()) {
            Map<TensorArgument, Tensor> uploaded = upload(parityCase, pack);
            List<TensorArgument> order = List.copyOf(uploaded.keySet());
            Map<Integer, Integer> gradients = new HashMap<>();
            try (Program program = machine.program(in -> traced(parityCase, pack, order, in, gradients))) {
                List<Tensor> results =
                        program.call(order.stream().map(uploaded::get).toArray(Tensor[]::new));
                List<Optional<Tensor>> leaves = new ArrayList<>();
                for (int leaf = 0; leaf < parityCase.leaves().size(); leaf++) {
                    leaves.add(Optional.ofNullable(gradients.get(leaf)).map(results::get));
                }
                return fetch(results.subList(0, results.size() - gradients.size()), leaves);
            }
        }
    }

    /** @param gradients receives the index of the gradient among the results, by leaf */
    private List<Tensor> traced(
            ParityCase parityCase,
            ParityPack pack,
            List<TensorArgument> order,
            List<Tensor> inputs,
            Map<Integer, Integer> gradients) {
        Map<TensorArgument, Tensor> tensors = new IdentityHashMap<>();
        for (int index = 0; index < order.size(); index++) {
            tensors.put(
                    order.get(index),
                    inputs.get(index).requiresGrad(order.get(index).requiresGrad()));
        }
        List<Tensor> results = new ArrayList<>(compute(parityCase, pack, tensors));
        for (int leaf = 0; leaf < parityCase.leaves().size(); leaf++) {
            Tensor gradient = tensors.get(parityCase.leaves().get(leaf)).grad();
            if (gradient != null) {
                gradients.put(leaf, results.size());
                results.add(gradient);
            }
        }
        return results;
    }
}
