package dev.outpost.cli.parity.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.cli.parity.Argument;
import dev.outpost.cli.parity.Argument.TensorArgument;
import dev.outpost.vocabulary.Ops;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The API's ops by PyTorch's names, called as its test suite calls them. */
public final class CallableOps {
    /** They say where and how PyTorch keeps its result, which is not what is compared. */
    private static final Set<String> IRRELEVANT = Set.of("device", "requires_grad", "layout");

    public boolean knows(String op) {
        return Ops.knows(op);
    }

    /** PyTorch's names of all ops. */
    public Set<String> names() {
        return Ops.names();
    }

    /** Calls an op; every argument has to be one that it reads. */
    public List<Tensor> call(
            RemoteMachine machine,
            Function<TensorArgument, Tensor> tensors,
            String op,
            List<Argument> arguments,
            Map<String, Argument> keywords) {
        return call(machine, tensors, op, "", arguments, keywords);
    }

    /** As above, from a set of samples within the op. */
    static List<Tensor> call(
            RemoteMachine machine,
            Function<TensorArgument, Tensor> tensors,
            String op,
            String variant,
            List<Argument> arguments,
            Map<String, Argument> keywords) {
        ArgumentValues values = new ArgumentValues(tensors);
        Map<String, Object> named = new LinkedHashMap<>();
        keywords.forEach((name, argument) -> {
            if (!IRRELEVANT.contains(name)) {
                named.put(name, values.of(argument));
            }
        });
        return SampleForms.call(machine, op, variant, values.all(arguments), named);
    }
}
