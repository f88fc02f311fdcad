package dev.outpost.torch.ops;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.ParityAnswer;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParitySubject;
import dev.outpost.types.OutpostException;
import dev.outpost.vocabulary.Ops;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The API's ops on a machine, which it owns. */
public sealed class MachineSubject implements ParitySubject permits ExactSubject, ProgramSubject {
    final RemoteMachine machine;

    public MachineSubject(RemoteMachine machine) {
        this.machine = machine;
    }

    /** Returns true if an op of that name is known, on any machine. */
    public static Predicate<String> knownOps() {
        return Ops::knows;
    }

    @Override
    public boolean knows(String op) {
        return Ops.knows(op);
    }

    @Override
    public ParityAnswer compute(ParityCase parityCase, ParityPack pack) {
        try (Scope scope = machine.scope()) {
            Map<TensorArgument, Tensor> tensors = upload(parityCase, pack);
            tensors.forEach((argument, tensor) -> tensor.requiresGrad(argument.requiresGrad()));
            List<Tensor> outputs = compute(parityCase, pack, tensors);
            List<Optional<Tensor>> gradients = parityCase.leaves().stream()
                    .map(leaf -> Optional.ofNullable(tensors.get(leaf).grad()))
                    .toList();
            return fetch(outputs, gradients);
        }
    }

    /** Returns the number of values that a case's call leaves on the machine in addition to its operands and results. */
    public long leftovers(ParityCase parityCase, ParityPack pack) {
        try (Scope scope = machine.scope()) {
            Map<TensorArgument, Tensor> tensors = upload(parityCase, pack);
            return machine.unscoped(() -> {
                long before = machine.heldValues();
                close(outputs(parityCase, tensors), tensors);
                return machine.heldValues() - before;
            });
        }
    }

    /** Does the same as {@link #leftovers} after a backward pass through the call; its leaves hold their gradients. */
    public long leftoversOfGradients(ParityCase parityCase, ParityPack pack) {
        try (Scope scope = machine.scope()) {
            Map<TensorArgument, Tensor> tensors = upload(parityCase, pack);
            tensors.forEach((argument, tensor) -> tensor.requiresGrad(argument.requiresGrad()));
            Tensor cotangent = machine.tensor(
                    pack.tensor(parityCase.cotangents().values().iterator().next()));
            return machine.unscoped(() -> {
                long before = machine.heldValues();
                List<Tensor> outputs = outputs(parityCase, tensors);
                if (outputs.getFirst().requiresGrad()) {
                    outputs.getFirst().backward(cotangent);
                }
                close(outputs, tensors);
                tensors.values().forEach(tensor -> tensor.grad(null));
                return machine.heldValues() - before;
            });
        }
    }

    private static void close(List<Tensor> outputs, Map<TensorArgument, Tensor> arguments) {
        outputs.stream()
                .filter(output -> output != null && !arguments.containsValue(output))
                .forEach(Tensor::close);
    }

    /** Records the call of the case, and its backward pass. */
    List<Tensor> compute(ParityCase parityCase, ParityPack pack, Map<TensorArgument, Tensor> tensors) {
        List<Tensor> outputs = FreeSigns.aligned(
                parityCase,
                outputs(parityCase, tensors),
                place -> machine.tensor(pack.tensor(parityCase.outputs().get(place))));
        propagate(outputs, parityCase.cotangents(), pack);
        return outputs;
    }

    /** Uploads the tensors of a case. Arguments are compared by identity, because two arguments with the same elements are two tensors. */
    Map<TensorArgument, Tensor> upload(ParityCase parityCase, ParityPack pack) {
        Map<TensorArgument, Tensor> tensors = new IdentityHashMap<>();
        Stream.concat(parityCase.arguments().stream(), parityCase.keywordArguments().values().stream())
                .flatMap(Argument::tensors)
                .forEach(argument -> tensors.put(argument, upload(argument, pack)));
        return tensors;
    }

    Tensor upload(TensorArgument argument, ParityPack pack) {
        return machine.tensor(pack.tensor(argument.name()));
    }

    List<Tensor> outputs(ParityCase parityCase, Map<TensorArgument, Tensor> tensors) {
        return CallableOps.callSample(
                machine,
                tensors::get,
                parityCase.op(),
                parityCase.variant(),
                parityCase.arguments(),
                parityCase.keywordArguments());
    }

    private void propagate(List<Tensor> outputs, Map<Integer, String> cotangents, ParityPack pack) {
        cotangents.forEach((index, name) -> {
            Tensor output = index < outputs.size() ? outputs.get(index) : null;
            if (output != null && output.requiresGrad()) {
                output.backward(cotangent(output, pack, name), true);
            }
        });
    }

    /** Returns the incoming gradient of an output, in PyTorch's dtype. */
    Tensor cotangent(Tensor output, ParityPack pack, String name) {
        return machine.tensor(pack.tensor(name));
    }

    /** Reads all values together, in one round trip for each case. */
    static ParityAnswer fetch(List<Tensor> outputs, List<Optional<Tensor>> leaves) {
        List<CompletableFuture<HostTensor>> values =
                outputs.stream().map(Tensor::fetch).toList();
        List<Optional<CompletableFuture<HostTensor>>> gradients =
                leaves.stream().map(gradient -> gradient.map(Tensor::fetch)).toList();
        return new ParityAnswer(
                values.stream().map(MachineSubject::join).toList(),
                gradients.stream().map(each -> each.map(MachineSubject::join)).toList());
    }

    private static HostTensor join(CompletableFuture<HostTensor> fetch) {
        try {
            return fetch.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof OutpostException fault ? fault : failure;
        }
    }

    @Override
    public void close() {
        machine.close();
    }
}
